package format

import "parlance/storage/format/columnar"

// tableFormats are the formats of the family.
var tableFormats = []*Format{
	{Name: "arrow", Doc: "Apache Arrow, files (which are Feather of version 2) and streams: typed columns in batches of rows, an " +
		"id, a text and labels among them",
		Layers: []string{"labels"},
		new:    func() Codec { return &typedColumns{kind: columnar.Arrow} }},
	{Name: "csv", Doc: "comma-separated values with a header; an empty value is NULL",
		Layers: []string{"labels"},
		new:    func() Codec { return &separated{delimiter: ","} }},
	{Name: "jsonl", Doc: "a JSON object a line: id, text, metadata, layers as lists of objects",
		Layers: []string{"tokens", "sentences", "chunks", "entities", "segments", "dependencies", "constituents", "mentions", "roles",
			"edits", "relations", "alignments", "words", "labels"},
		new: func() Codec { return &jsonl{} }},
	{Name: "parquet", Doc: "Apache Parquet: typed columns in compressed pages, an id, a text and labels among them",
		Layers: []string{"labels"},
		new:    func() Codec { return &typedColumns{kind: columnar.Parquet} }},
	{Name: "pgbinary", Doc: "rows as PostgreSQL's COPY … BINARY sends them: values of the types of the columns, by place",
		Target: Rows,
		new:    func() Codec { return &pgbinary{} }},
	{Name: "pgcopy", Doc: "rows as PostgreSQL's COPY sends them, values by place: tabs between them, \\N for NULL, other special " +
		"characters after a backslash; a line \\. ends them",
		Target: Rows,
		new:    func() Codec { return &pgcopy{} }},
	{Name: "tsv", Doc: "tab-separated values with a header, in quotes where needed, or without any by quote = ''; an empty value " +
		"is NULL",
		Layers: []string{"labels"},
		new:    func() Codec { return &separated{delimiter: "tab"} }},
}

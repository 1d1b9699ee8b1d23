package table

import (
	"parlance/storage/format/codec"
	"parlance/storage/format/columnar"
)

// Formats are the formats of the family.
var Formats = []*codec.Format{
	{Name: "arrow", Doc: "Apache Arrow, files (which are Feather of version 2) and streams: typed columns in batches of " +
		"rows, an id, a text and labels among them",
		Layers: []string{"labels"},
		New:    func() codec.Codec { return &typedColumns{kind: columnar.Arrow} }},
	{Name: "csv", Doc: "comma-separated values with a header; an empty value is NULL",
		Layers: []string{"labels"},
		New:    func() codec.Codec { return &separated{delimiter: ","} }},
	{Name: "jsonl", Doc: "a JSON object a line: id, text, metadata, layers as lists of objects",
		Layers: []string{"tokens", "sentences", "chunks", "entities", "segments", "dependencies", "constituents", "mentions",
			"roles",
			"edits", "relations", "alignments", "words", "labels"},
		New: func() codec.Codec { return &jsonl{} }},
	{Name: "parquet", Doc: "Apache Parquet: typed columns in compressed pages, an id, a text and labels among them",
		Layers: []string{"labels"},
		New:    func() codec.Codec { return &typedColumns{kind: columnar.Parquet} }},
	{Name: "pgbinary", Doc: "rows as PostgreSQL's COPY … BINARY sends them: values of the types of the columns, by place",
		Target: codec.Rows,
		New:    func() codec.Codec { return &pgbinary{} }},
	{Name: "pgcopy", Doc: "rows as PostgreSQL's COPY sends them, values by place: tabs between them, \\N for NULL, " +
		"other special characters after a backslash; a line \\. ends them",
		Target: codec.Rows,
		New:    func() codec.Codec { return &pgcopy{} }},
	{Name: "tsv", Doc: "tab-separated values with a header, in quotes where needed, or without any by quote = ''; an " +
		"empty value is NULL",
		Layers: []string{"labels"},
		New:    func() codec.Codec { return &separated{delimiter: "tab"} }},
}

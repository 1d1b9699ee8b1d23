package picture

import "parlance/storage/format/codec"

// Formats are the formats of the family.
var Formats = []*codec.Format{
	{Name: "html", Doc: "a page. Read: its text without markup; elements can be spans. Written: a page that needs no " +
		"other file, documents with their layers drawn; rows as a table, or drawn where all their columns are those of " +
		"dependencies (at least tok, form, head), of constituents (node, parent, label, char_start, char_end, text), or of " +
		"spans (char_start, char_end, label or cluster) with the text of the document as document_text; counts of what was " +
		"taken for what, and the steps of a training, are drawn above their table",
		Layers: []string{"segments", "entities"},
		New:    newHTML},
	{Name: "markdown", Doc: "a table in Markdown",
		Target: codec.Rows,
		New:    func() codec.Codec { return &markdown{} }},
	{Name: "outline", Doc: "constituents drawn with lines for a terminal, a phrase or a token a line",
		New: func() codec.Codec { return &outline{} }},
	{Name: "picture", Doc: "a picture for a terminal: layers of documents, or rows as the shell draws them: " +
		"dependencies, constituents, spans, clusters, edits, relations, alignments, counts of what was taken for what, and " +
		"line plots",
		New: newConsole},
	{Name: "svg", Doc: "a picture: layers of documents, or rows of a layer as html draws them, spans also by their own " +
		"texts; counts of what was taken for what (gold, predicted and n, or EVALUATE … WITH (confusion = true)) are a " +
		"table with colours; other rows are a line plot: the first column across, a line for each further numeric column, " +
		"lines told apart by further texts",
		New: newSVG},
}

package plain

import "parlance/storage/format/codec"

// Formats are the formats of the family.
var Formats = []*codec.Format{
	{Name: "articles", Doc: "articles after lines # id TAB title, a paragraph a line",
		New: func() codec.Codec { return &articles{} }},
	{Name: "bitext", Doc: "a sentence and its translation a line, as two documents; alignments of their tokens",
		Layers: []string{"tokens", "sentences", "alignments"},
		New:    func() codec.Codec { return &bitext{} }},
	{Name: "brown", Doc: "a sentence a line, words with their tag after a slash, as in the Brown corpus",
		Layers: []string{"tokens", "sentences"},
		New:    func() codec.Codec { return &brown{} }},
	{Name: "inline", Doc: "text with spans marked by tags: <title> On trees </title>",
		Layers: []string{"segments", "entities", "chunks"},
		New:    func() codec.Codec { return &inline{} }},
	{Name: "lines", Doc: "a document a line",
		Layers: []string{"labels"},
		New:    func() codec.Codec { return &lines{} }},
	{Name: "m2", Doc: "grammatical error correction: a line S of tokens, lines A of edits, a blank line",
		Layers: []string{"tokens", "sentences", "edits", "words"},
		New:    func() codec.Codec { return &m2{} }},
	{Name: "pfr", Doc: "the PFR corpus of the People's Daily: a paragraph a line, its number, then words with their " +
		"tags after a slash, and compounds in brackets",
		Layers: []string{"tokens", "sentences", "segments"},
		New:    func() codec.Codec { return &pfr{} }},
	{Name: "semeval", Doc: "SemEval-2010 task 8: a sentence with <e1> and <e2>, their relation, a comment",
		Layers: []string{"entities", "relations"},
		New:    func() codec.Codec { return &semeval{} }},
	{Name: "text", Doc: "plain text: a file is a document, or a document begins at lines that match a pattern",
		New: func() codec.Codec { return &plain{} }},
}

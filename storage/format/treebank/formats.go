package treebank

import "parlance/storage/format/codec"

// Formats are the formats of the family.
var Formats = []*codec.Format{
	{Name: "ptb", Doc: "bracketed trees as in the Penn Treebank",
		Layers: []string{"tokens", "sentences", "constituents", "words"},
		New:    func() codec.Codec { return &ptb{} }},
	{Name: "sinica", Doc: "the Sinica Treebank: a tree a line, functions before categories",
		Layers: []string{"tokens", "sentences", "constituents", "words"},
		New:    func() codec.Codec { return &sinica{} }},
}

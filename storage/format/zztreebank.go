package format

// treebankFormats are the formats of the family.
var treebankFormats = []*Format{
	{Name: "ptb", Doc: "bracketed trees as in the Penn Treebank",
		Layers: []string{"tokens", "sentences", "constituents", "words"},
		new:    func() Codec { return &ptb{} }},
	{Name: "sinica", Doc: "the Sinica Treebank: a tree a line, functions before categories",
		Layers: []string{"tokens", "sentences", "constituents", "words"},
		new:    func() Codec { return &sinica{} }},
}

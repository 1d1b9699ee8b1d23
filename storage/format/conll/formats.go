package conll

import "parlance/storage/format/codec"

// Formats are the formats of the family.
var Formats = []*codec.Format{
	{Name: "conll", Doc: "one token a line in columns, a blank line after a sentence",
		Layers: []string{"tokens", "sentences", "chunks", "entities", "segments", "dependencies", "words"},
		New:    func() codec.Codec { return &conll{} }},
	{Name: "conll2000", Doc: "CoNLL-2000: form, xpos, chunks",
		Layers: []string{"tokens", "sentences", "chunks", "words"},
		New:    func() codec.Codec { return &conll{preset: []string{"form", "xpos", "chunks"}} }},
	{Name: "conll2002", Doc: "CoNLL-2002: form, xpos (may be missing), entities",
		Layers: []string{"tokens", "sentences", "entities", "words"},
		New:    func() codec.Codec { return &conll{preset: []string{"form", "xpos", "entities"}, optional: true} }},
	{Name: "conll2003", Doc: "CoNLL-2003: form, xpos, chunks, entities",
		Layers: []string{"tokens", "sentences", "chunks", "entities", "words"},
		New:    func() codec.Codec { return &conll{preset: []string{"form", "xpos", "chunks", "entities"}} }},
	{Name: "conll2007", Doc: "CoNLL 2007, the columns of conllx",
		Layers: []string{"tokens", "sentences", "dependencies", "words"},
		New:    func() codec.Codec { return &conllx{} }},
	{Name: "conll2009", Doc: "CoNLL-2009: dependencies, and arguments of predicates, in gold and predicted columns",
		Layers: []string{"tokens", "sentences", "dependencies", "roles", "words"},
		New:    func() codec.Codec { return &conll2009{} }},
	{Name: "conll2012", Doc: "CoNLL-2012 of OntoNotes: tokens with trees, entities, predicates with arguments, and " +
		"coreference",
		Layers: []string{"tokens", "sentences", "constituents", "entities", "roles", "mentions", "words"},
		New:    func() codec.Codec { return &conll2012{} }},
	{Name: "conllu", Doc: "CoNLL-U of Universal Dependencies, with Entity of GUM and CorefUD",
		Layers: []string{"tokens", "sentences", "dependencies", "entities", "mentions", "words"},
		New:    func() codec.Codec { return &conllu{} }},
	{Name: "conllup", Doc: "CoNLL-U Plus: columns by # global.columns, in any order, those that CoNLL-U has not being " +
		"kept; without it, columns of predicates and arguments after MISC, as in Universal Propositions",
		Layers: []string{"tokens", "sentences", "dependencies", "roles", "entities", "mentions", "words"},
		New:    func() codec.Codec { return &conllup{} }},
	{Name: "conllx", Doc: "CoNLL-X of dependency treebanks: id, form, lemma, upos, xpos, feats, head, deprel, and " +
		"projective heads, which are kept for writing back",
		Layers: []string{"tokens", "sentences", "dependencies", "words"},
		New:    func() codec.Codec { return &conllx{} }},
}

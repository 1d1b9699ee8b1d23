package resource

import "parlance/storage/format/codec"

// Formats are the formats of the family.
var Formats = []*codec.Format{
	{Name: "aliases", Doc: "an entity of a knowledge base a line, another name for it after a tab",
		Target: codec.Rows,
		New:    func() codec.Codec { return &kbRows{of: "aliases", columns: []string{"entity", "alias"}, need: 2} }},
	{Name: "arpa", Doc: "a back-off language model of n-grams: columns ngram, log_prob and backoff",
		Target: codec.Rows,
		New:    func() codec.Codec { return &arpa{} }},
	{Name: "gazetteer", Doc: "a phrase a line, its label after a tab",
		Target: codec.Rows,
		New:    func() codec.Codec { return &tabbed{first: "phrase"} }},
	{Name: "lexicon", Doc: "a word a line, its columns after tabs",
		Target: codec.Rows,
		New:    func() codec.Codec { return &tabbed{first: "word"} }},
	{Name: "rules", Doc: "rules of a knowledge base, one a line; a weight before or behind a tab; # begins a comment",
		Target: codec.Rows,
		New:    newRules},
	{Name: "signatures", Doc: "a relation of a knowledge base a line, the type of its subjects and that of its objects " +
		"after tabs",
		Target: codec.Rows,
		New: func() codec.Codec {
			return &kbRows{of: "relations", columns: []string{"relation", "domain", "range"}, need: 1}
		}},
	{Name: "triples", Doc: "triples of a knowledge base: subject, relation and object between tabs, then weight and " +
		"truth if there are",
		Target: codec.Rows,
		New:    newTriples},
	{Name: "type_hierarchy", Doc: "a type of a knowledge base a line, the type that it is part of after a tab",
		Target: codec.Rows,
		New:    func() codec.Codec { return &kbRows{of: "types", columns: []string{"type", "parent"}, need: 1} }},
	{Name: "types", Doc: "an entity of a knowledge base a line, its type after a tab",
		Target: codec.Rows,
		New:    func() codec.Codec { return &kbRows{of: "entities", columns: []string{"entity", "type"}, need: 1} }},
	{Name: "word2vec", Doc: "word vectors of word2vec (text and binary), fastText (.vec) and GloVe: the word in the " +
		"first column of type TEXT, its vector in the first one of type VECTOR",
		Target: codec.Rows,
		New:    func() codec.Codec { return &word2vec{} }},
	{Name: "wordnet", Doc: "the folder of WordNet's files, as a knowledge base of words and synsets",
		Target: codec.Rows,
		New:    func() codec.Codec { return &wordnet{} }},
}

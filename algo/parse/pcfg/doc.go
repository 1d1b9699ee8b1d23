// Package pcfg is the kind of parsers by a probabilistic context-free grammar that is read off a treebank: phrase
// structure, with the exact probability of each phrase (Johnson 1998; Klein and Manning 2003).
//
// # Model
//
// Trees are binarised from left to right; symbols know the label above (vertical) and the last children (horizontal).
// A maximal chain of phrases with one child each is one step, so that there are no circles of unary rules. A tree is
// made from its root by
//
//	P(tree) = Π P(chain | its top symbol) · Π P(left, right | symbol) · Π P(word | tag symbol)
//
// each a relative frequency. For words, by Bayes,
//
//	P(w | t^p) ∝ P(t | w) / P(t) · P(t^p | t, w) / P(t^p | t)
//
// with P(t | w) backed off to the tags of rare words of the same shape and suffix. Where tags are given, the first
// quotient is left out.
//
// A coarse grammar, of labels without context, is summed first over all spans (inside and outside). The phrases that it
// gives at least the probability coarse make the chart of the grammar, which is a hypergraph: the best tree, the tree
// with the most right phrases to be expected, the k best and the probability of each phrase come from it.
//
// # Files
//
//	pcfg.go     options, schema
//	grammar.go  symbols, rules, chains
//	learn.go    counts
//	lexicon.go  words
//	coarse.go   the coarse grammar over all spans
//	chart.go    the chart of the grammar
//	parse.go    from tokens to trees
//	annotate.go layers
//	codec.go, relation.go
package pcfg

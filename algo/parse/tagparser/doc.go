// Package tagparser is the kind of parsers by spines and adjunctions (Carreras, Collins and Koo 2008): phrase structure
// with the heads inside, from one discriminative model that sees pairs and triples of words.
//
// # Model
//
// Package constituent has spines and derivations. A derivation y of a sentence x has the score
//
//	order 1: Σ_i e(x, i, spine_i) + Σ_arcs d(x, h, m, label)
//	order 2: and, for each arc, s(x, h, m, label, sibling) + g(x, h, m, label, c₁) + q(x, h, m, label, c₂)
//
// where sibling is the next closer modifier of h on the same side, and c₁, c₂ are the outermost modifiers of m towards
// h and away from it. A label is a triple (phrase, its child with the head, modifier) with the operation. All functions
// are w·f with features of hashed templates; w is learned by the averaged perceptron.
//
// The best derivation is found exactly among those that a pruner leaves, in O(n³) and O(n⁴) steps over the spines and
// labels that are left: the halves of a head on its two sides are independent given its spine, and a half is an
// automaton whose states are the last position used and whether a copy was made there.
//
// # Pruning
//
// A first-order log-linear parser of the arcs of derivations, trained by exponentiated gradient (the kind dependency
// parser does it), gives μ(h, m). With the share of a label among arcs between the same tags in the same direction,
//
//	μ(h, m, label) = μ(h, m) · P(label | tag of h, tag of m, direction)
//
// an arc with a label is kept if μ is at least beam times the highest one of an arc to m.
//
// # Files
//
//	tagparser.go   options, schema, training
//	grammar.go     spines of tags, labels between tags
//	prune.go       candidate arcs
//	features.go, score.go, score_second.go   keys, weights, scores of a sentence's arcs
//	chart.go, trace.go                       first order: the best derivation
//	second.go, trace_second.go               second order
//	forest.go, forest_second.go              all derivations as a hypergraph: k best, sums, draws
//	perceptron.go, checkpoint.go             training
//	parse.go, annotate.go                    from tokens to layers
//	codec.go, relation.go
package tagparser

// Package srl is the kind of semantic roles over trees of dependencies, by maximum entropy (Zhao, Chen, Kazama,
// Uchimoto and Torisawa 2009, and the works that it rests on).
//
// Three models follow each other: which tokens are predicates, in which sense (both from algo/parse/frame), and which
// label a candidate has for a predicate,
//
//	P(y | p, a) ∝ exp(b_y + Σ_f w_fy),
//
// over the roles and none, with features of pairs of tokens in the notation of algo/feature/place. Candidates come from
// a walk up the tree from the predicate. Of all labellings without two of the same core role the likeliest one is taken
// (frame.Decode). Templates may be chosen by greedy search on held-out sentences.
//
// # Files
//
//	srl.go         options and schema
//	candidates.go  the walk
//	pairs.go       documents as views with predicates, features of pairs
//	train.go       examples, training
//	select.go      greedy choice of templates
//	annotate.go    answers
//	spans.go       the tokens of an argument
//	relation.go    relations, EXPLAIN
//	codec.go       bytes
package srl

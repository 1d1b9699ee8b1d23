// Package argumentrecognizer is the kind that finds the arguments of predicates among the nodes of trees of phrases,
// and their roles, by support vector machines over marked trees (Kazama and Torisawa 2005, 2006). No features are
// written by hand.
//
// Each node n of a sentence is a candidate for a predicate v: the tree with mark 0 at v and mark 1 at n is scored by
//
//	s(n) = Σ_i β_i·K(T_i, T)/√(K(T_i, T_i)·K(T, T)) + b,
//
// where K sums the subtrees that two trees share and that have a mark, each with the weight λ^nodes·γ^marks. γ in the
// thousands favours subtrees with both marks. The scores of all nodes come at once (treekernel.Recognizer). Of the
// nodes those with Π p(n) the largest are arguments, p = 1/(1 + e^−s), so that none is above another. A machine a role
// then names each argument, on the same marked tree.
//
// # Files
//
//	argumentrecognizer.go  options, schema, what is stored
//	read.go                sentences as marked trees
//	train.go               examples, and the machines
//	annotate.go            scores, choice, roles
//	overlap.go             arguments that do not overlap
//	relation.go            subtrees that speak for arguments and roles
//	codec.go               bytes
package argumentrecognizer

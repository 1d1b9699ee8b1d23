// Package constituent has phrase-structure trees for parsers and what reads their trees: nodes, the layer that holds
// them, head rules, the cleaning of treebank trees, binarisation, and spines with adjunctions, which are another way to
// write a tree down.
//
// Tokens are numbered from 1 in their sentence. A leaf is a token with its tag as label; phrases stand above.
//
// # Spines and derivations
//
// The spine of a token is its tag with the phrases that it projects, from below. A derivation has a spine and an arc
// for each token: to a head, at a position of the head's spine, by one of two operations (Carreras, Collins and Koo
// 2008). A sister adjunction makes the modifier a child of the node at that position. A regular adjunction makes a copy
// of that node above it, with the old copy and the modifier as children. Extract and Build go both ways.
//
// # Files
//
//	tree.go      nodes, and brackets to and from text
//	layer.go     trees of a document, read and written
//	heads.go     head rules
//	clean.go     functions, traces, unary copies, the root
//	derivation.go, extract.go, build.go   spines and adjunctions
//	binarize.go  trees with two children at most, with the context of symbols
//	brackets.go  phrases as PARSEVAL counts them
package constituent

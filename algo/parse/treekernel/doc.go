// Package treekernel has kernels between labelled ordered trees, and a miner that turns trees into vectors with the
// same products (Kazama and Torisawa 2005, Speeding up Training with Tree Kernels for Node Relation Labeling).
//
// A kernel of two trees is the number of subtrees that they share, Σ_S W(S)·#S(a)·#S(b), where #S(a) counts the places
// of a subtree S in a. Three sets of subtrees are at hand, see Family. A node may carry a mark, which is part of its
// label; a kernel may count only the subtrees with a marked node.
//
// # Files
//
//	tree.go      trees as arrays, names of labels and productions
//	kernel.go    kernels of two trees
//	scaled.go    the same where numbers of the machine are too small
//	pairs.go     sets of pairs of trees
//	mine.go      subtrees that several trees share, and their groups
//	mine_partial.go, mine_subset.go, mine_subtree.go   the searches
//	gram.go      rows of the matrix of kernels
//	recognize.go kernels for every place of a mark
package treekernel

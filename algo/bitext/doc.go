// Package bitext is the page of a family, kinds that read texts in two languages, and holds what they share: pairs of
// documents that are translations of each other, their sentences side by side, links between tokens, the alignments
// layer, and what a model of alignments offers to others. A kind asserts the interface Aligner on what
// kind.Resources.Model gives it.
//
// Each folder is a kind: a type with the contract of algo/kind, its RESULTS.md, and one line in algo/algo.go. aligner
// links words that translate each other, translator translates by phrases that were linked.
//
// A pair is two documents with the same value of one column; that whose column of sides has a given value is the
// source. Links stand in the layer alignments of the source.
package bitext

// Package bitext is the page of a family, kinds that read texts in two languages, and holds what they share: pairs of
// documents that are translations of each other, their sentences side by side, links between tokens, the alignments
// layer, translations as a layer, models that read a side, and what models offer to others. A kind asserts the
// interface Aligner, Translator or Constraints on what kind.Resources.Model gives it.
//
// Each folder is a kind: a type with the contract of algo/kind, its RESULTS.md, and one line in algo/algo.go. aligner
// links words that translate each other, translator translates by phrases that were linked, subtree_rules learns how
// trees of both languages go together, for parsers.
//
// A pair is two documents with the same value of one column; that whose column of sides has a given value is the
// source. Links stand in the layer alignments of the source.
package bitext

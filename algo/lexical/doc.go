// Package lexical is the page of a family, kinds that learn what words mean (clusters, contexts, similarities,
// relations, classes), and holds what models know of words and offer to other models: a kind asserts these interfaces
// on what kind.Resources.Model gives it.
//
// What the kinds share: cooccurrence has sparse counts of words in contexts, read from tables and stored in models.
// Each other folder is a kind: a type with the contract of algo/kind, its RESULTS.md, and one line in algo/algo.go.
package lexical

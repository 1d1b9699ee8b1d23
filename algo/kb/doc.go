// Package kb is the page of a family: kinds that learn from knowledge bases, and from rules about them, and complete
// them.
//
// What they share: triples has facts as numbers, allowed types, the relations complete and score and the protocols of
// EVALUATE; logic is the language of rules, with forward chaining. Decompositions of tensors stand in algo/numeric.
//
// Each other folder is a kind: a type with the contract of algo/kind, its RESULTS.md, and one line in algo/algo.go.
package kb

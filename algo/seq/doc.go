// Package seq is the page of a family: kinds that label the tokens of a sentence from left to right, or mark spans in
// it (parts of speech, chunks, entities, words of unsegmented text).
//
// What they share: bio turns spans into labels of tokens and back; tagger holds what every such kind needs (data,
// training loop, weights, results, explanations); labelhistory scores a label by the labels before it and searches
// greedily, with a beam or exactly; expectation trains without labels, by constraints. Sums and searches over chains,
// lattices and segmentations are engines and stand in algo/engine, as does sampling, by which samplerank learns.
// segmenter and tokenizer cut text into the tokens that the others read; lemmatizer edits forms into lemmas, token by
// token.
//
// Each other folder is a kind: a type with the contract of algo/kind, its RESULTS.md, and one line in algo/algo.go.
package seq

// Package answer is the page of a family: kinds that make sentences of retrieved text into answers, definitions and
// paraphrases.
//
// sentences reads what the first two have in common. definition finds sentences that define a term, paraphrase finds
// phrases of the same meaning in definitions of one term.
//
// whyqa answers questions by passages of a corpus: it retrieves them, ranks them by the distances between the terms of
// the question, and ranks the best of them anew by what was learned from judged passages.
//
// Each other folder is a kind: a type with the contract of algo/kind, its RESULTS.md, and one line in algo/algo.go.
package answer

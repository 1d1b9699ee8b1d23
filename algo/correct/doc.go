// Package correct is the page of a family, kinds that correct errors of writers and know how words go together, and
// holds what a model of n-grams offers to other models: a kind asserts this interface on what kind.Resources.Model
// gives it.
//
// Each folder is a kind: a type with the contract of algo/kind, its RESULTS.md, and one line in algo/algo.go. ngrams
// counts n-grams, and has a language model on them.
package correct

// Ngrams is counts of n-grams with a language model on them. It is safe for use by several goroutines.
type Ngrams interface {
	// Order is the number of words of the longest n-grams.
	Order() int
	// Count is how often words follow each other in a sentence, 0 for more than Order. <s> and </s> are its ends.
	Count(words ...string) uint64
	// LogProb is the log10 of the probability of a sentence with its end, and the number of its unknown words.
	LogProb(sentence []string) (log float64, unknown int)
}

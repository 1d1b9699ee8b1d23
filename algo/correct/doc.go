// Package correct is the page of a family, kinds that correct errors of writers and know how words go together, and
// holds what models of it offer to others: a kind asserts these interfaces on what kind.Resources.Model gives it.
//
// Each folder is a kind: a type with the contract of algo/kind, its RESULTS.md, and one line in algo/algo.go. ngrams
// counts n-grams, and has a language model on them; gecmodule corrects one kind of error, gec puts modules together.
// They share confusion, the places where a writer may have erred with what else could stand there; inflect, the forms
// of English words; window, scores of a language model around an edit; evidence, the regression that makes
// probabilities of scores.
package correct

// Ngrams is counts of n-grams with a language model on them. It is safe for use by several goroutines.
type Ngrams interface {
	// Order is the number of words of the longest n-grams.
	Order() int
	// Count is how often words follow each other in a sentence, 0 for more than Order. <s> and </s> are its ends.
	Count(words ...string) uint64
	// LogProb is the log10 of the probability of a sentence with its end, and the number of its unknown words.
	LogProb(sentence []string) (log float64, unknown int)
	// ID is the number of a word, that of <unk> for an unknown one.
	ID(word string) uint32
	// CountIDs is Count of words that are given by their numbers.
	CountIDs(ids []uint32) uint64
	// Start is the state at the beginning of a sentence.
	Start() State
	// Next is the log10 of the probability of a word after a state, which moves on.
	Next(s *State, word uint32) float64
}

// State is the words before, as a model of n-grams keeps them. Equal states have equal continuations.
type State struct {
	Nodes [8]int
	N     int
}

package tagger

import "parlance/algo/kind"

// TripleRows opens a relation of two texts and a number from what seq yields.
func TripleRows(seq func(yield func(first, second string, x float64) bool)) kind.Rows {
	return newRows(func(yield func(weight) bool) {
		seq(func(first, second string, x float64) bool { return yield(weight{first, second, x}) })
	})
}

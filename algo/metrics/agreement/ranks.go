// Package agreement tells how far two lists of judgements agree: correlations of numbers, and
// kappas of labels.
package agreement

import (
	"cmp"
	"slices"
)

// Order returns the numbers 0 … n−1 of the values by rising value, equal ones in order; NaN comes first.
func Order(values []float64) []int32 {
	out := make([]int32, len(values))
	for i := range out {
		out[i] = int32(i)
	}
	slices.SortStableFunc(out, func(a, b int32) int { return cmp.Compare(values[a], values[b]) })
	return out
}

// Ranks returns the rank of every value from 1, smallest first; equal values share the mean of
// their ranks. It costs O(n log n).
func Ranks(values []float64) []float64 {
	out := make([]float64, len(values))
	order := Order(values)
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && cmp.Compare(values[order[to]], values[order[from]]) == 0 {
			to++
		}
		for _, i := range order[from:to] {
			out[i] = float64(from+1+to) / 2
		}
		from = to
	}
	return out
}

// Package ranking scores ranked answers: average precision, precision at a length, reciprocal ranks
// and hits, and the metrics over many queries whose intervals and tests EVALUATE computes.
package ranking

import (
	"cmp"
	"slices"
)

// AveragePrecision is that of a list that may be cut off, best first, of a query with the given
// number of right answers, whether they are in the list or not:
//
//	AP = (1/R) Σ_i hit_i · P@i
//
// (Kazama et al. 2010, section 5). It is 0 without answers.
func AveragePrecision(hits []bool, answers int) float64 {
	if answers <= 0 {
		return 0
	}
	found, sum := 0, 0.0
	for i, hit := range hits {
		if hit {
			found++
			sum += float64(found) / float64(i+1)
		}
	}
	return sum / float64(answers)
}

// PrecisionAt is the share of right ones among the first t of a list, P@T = (1/T) Σ_{i≤T} hit_i;
// what a shorter list lacks is wrong.
func PrecisionAt(hits []bool, t int) float64 {
	found := 0
	for _, hit := range hits[:max(0, min(t, len(hits)))] {
		if hit {
			found++
		}
	}
	if t <= 0 {
		return 0
	}
	return float64(found) / float64(t)
}

// First returns the rank of the first right one of a list, from 1, 0 where there is none.
func First(hits []bool) int { return slices.Index(hits, true) + 1 }

// Hits lists candidates by falling score, each true where it is right. Of equal scores wrong ones
// come first, so that scoring all alike gains nothing; NaN comes last.
func Hits(scores []float64, right []bool) []bool {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if c := cmp.Compare(scores[b], scores[a]); c != 0 {
			return c
		}
		switch {
		case right[a] == right[b]:
			return cmp.Compare(a, b)
		case right[b]:
			return -1
		}
		return 1
	})
	out := make([]bool, len(scores))
	for i, k := range order {
		out[i] = right[k]
	}
	return out
}

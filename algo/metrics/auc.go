package metrics

import (
	"cmp"
	"fmt"
	"slices"
)

// AUC is the area under the curve of right items found against wrong ones taken, by falling score: how probable it is
// that a right item has a higher score than a wrong one, a half where they are equal. In a resample it is computed
// anew, at a cost of O(items). Without both right and wrong items there is none.
func AUC(label string, right []bool, scores []float64) (Metric, error) {
	n := 0
	for _, r := range right {
		if r {
			n++
		}
	}
	if n == 0 || n == len(right) {
		return Metric{}, fmt.Errorf("%d of %d items are right; some right and some wrong ones are wanted", n,
			len(right))
	}
	a := &area{right: right, scores: scores, order: make([]int32, len(right))}
	for i := range a.order {
		a.order[i] = int32(i)
	}
	slices.SortStableFunc(a.order, func(i, j int32) int { return cmp.Compare(scores[i], scores[j]) })
	return Metric{Name: "auc", Label: label, Main: true, Combine: Resample, Sample: a, Support: float64(len(right))},
		nil
}

// area is the items of an AUC in rising order of score.
type area struct {
	right  []bool
	scores []float64
	order  []int32
}

func (a *area) Len() int { return len(a.right) }

// Weighted counts, for each right item, the wrong ones below it and half of those beside it.
func (a *area) Weighted() func(times []float64) float64 {
	return func(times []float64) float64 {
		below, pairs, rights := 0.0, 0.0, 0.0
		for from := 0; from < len(a.order); {
			r, w, to := 0.0, 0.0, from
			for ; to < len(a.order) && a.scores[a.order[to]] == a.scores[a.order[from]]; to++ {
				if i := a.order[to]; a.right[i] {
					r += times[i]
				} else {
					w += times[i]
				}
			}
			pairs += r * (below + w/2)
			below, rights, from = below+w, rights+r, to
		}
		return ratio(pairs, below*rights)
	}
}

// Swapped has no meaning: scores of two models are on two scales.
func (a *area) Swapped(Sample) func([]bool) (float64, float64) { return nil }

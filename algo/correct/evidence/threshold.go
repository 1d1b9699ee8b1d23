package evidence

import (
	"cmp"
	"math"
	"slices"
)

var inf = math.Inf(1)

// Scored is an edit with its score.
type Scored struct {
	Score float64
	Right bool
}

// Threshold is the score from which on edits are made so that F_β is greatest, given the number of gold edits; F at it;
// and how many are made. Ties go to the higher score. Without right edits it is +Inf.
//
//	F_β = (1 + β²)·right / (made + β²·gold)
func Threshold(list []Scored, gold int, beta float64) (threshold, f float64, made int) {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b Scored) int { return cmp.Compare(b.Score, a.Score) })
	threshold, right := inf, 0
	for i, s := range list {
		if s.Right {
			right++
		}
		if i+1 < len(list) && list[i+1].Score == s.Score {
			continue
		}
		if x := F(right, i+1, gold, beta); x > f {
			threshold, f, made = s.Score, x, i+1
		}
	}
	return threshold, f, made
}

// F is F_β of counts, 0 where nothing is right.
func F(right, made, gold int, beta float64) float64 {
	if right == 0 {
		return 0
	}
	b := beta * beta
	return (1 + b) * float64(right) / (float64(made) + b*float64(gold))
}

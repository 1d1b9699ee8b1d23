package online

import "math"

// Rule says when and how far an output moves the weights.
type Rule uint8

const (
	Perceptron Rule = iota
	Margin
	LossAugmented
	PassiveAggressive
)

// Step returns the factor α of an update, 0 for none; square is |Δ|². Where the features are the same there is none.
func (r Rule) Step(gap, square, loss, c float64) float64 {
	if square == 0 {
		return 0
	}
	wanted := false
	switch r {
	case Perceptron:
		wanted = gap <= 0
	case Margin:
		wanted = gap <= c
	case LossAugmented:
		wanted = gap < loss
	case PassiveAggressive:
		return min(c, max(0, loss-gap)/square)
	}
	if wanted {
		return 1
	}
	return 0
}

// Update takes a step by the features of the gold output, or of the best derivation that has it, and of another output,
// with its loss. It returns the factor α.
func (w *Weights) Update(r Rule, gold, other Vector, loss, c float64) (float64, error) {
	delta := Difference(gold, other)
	gap, square := w.Dot(delta), delta.Dot(delta)
	factor := r.Step(gap, square, loss, c)
	if !finite(gap) || !finite(square) || !finite(factor) {
		return 0, ErrNotFinite
	}
	w.Move(delta, factor)
	w.Next()
	return factor, nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

package logicembedding

import (
	"math"
	"testing"

	"parlance/algo/kb/logic"
)

// TestWithin: truth is a number from 0 to 1, and that of no number is 0.
func TestWithin(t *testing.T) {
	for x, want := range map[float64]float64{-3: 0, 0: 0, 0.25: 0.25, 1: 1, 1.5: 1, math.Inf(1): 1, math.Inf(-1): 0} {
		if got := within(x); got != want {
			t.Errorf("%v is %v, want %v", x, got, want)
		}
	}
	if got := within(math.NaN()); got != 0 {
		t.Errorf("NaN is %v", got)
	}
}

// TestHeavyFact: the weight of a fact multiplies its loss and gradient, up to the reciprocal of the learning rate.
func TestHeavyFact(t *testing.T) {
	s := &stepper{eta: 0.1}
	for weight, want := range map[float64]float64{0.5: 0.5, 4: 4, 10: 10, 25: 10, 1e9: 10} {
		loss, g, ok := s.residual(logic.Vec{3, 4}, logic.Vec{0, 0}, weight)
		if !ok || math.Abs(loss-5*want) > 1e-9 || math.Abs(g[0]-0.6*want) > 1e-9 || math.Abs(g[1]-0.8*want) > 1e-9 {
			t.Errorf("weight %v: loss %v, gradient %v, want %v times 5 and (0.6, 0.8)", weight, loss, g, want)
		}
	}
}

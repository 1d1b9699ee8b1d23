package metrics

import "testing"

// TestShort: the value of figures of single precision has no digits that they have not, and counts stay exact.
func TestShort(t *testing.T) {
	var u Units
	u.Add(.2)
	sum := &Combine{width: 1, of: func(x []float64) float64 { return x[0] }}
	if got := (Metric{Combine: sum, Units: u}).Value(); got != .2 {
		t.Errorf("one figure of .2 is %v", got)
	}
	u.Add(.4)
	if got := (Metric{Combine: sum, Units: u}).Value(); got != .6 {
		t.Errorf(".2 and .4 are %v", got)
	}
	if got := short(1<<40 + 1); got != 1<<40+1 {
		t.Errorf("a count becomes %v", got)
	}
}

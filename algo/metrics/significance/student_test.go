package significance

import (
	"math"
	"testing"
)

// TestStudentT compares probabilities with closed forms: with one degree of freedom 1 − 2·atan(t)/π, with two
// 1 − t/√(2 + t²), with four 1 − (s + s·(1−s²)/2) with s = t/√(4 + t²); and at the ends.
func TestStudentT(t *testing.T) {
	for _, x := range []float64{0, 1e-9, 0.1, 0.5, 1, 2, 5, 40, 1e9} {
		s := x / math.Sqrt(4+x*x)
		for df, want := range map[float64]float64{1: 1 - 2*math.Atan(x)/math.Pi, 2: 1 - x/math.Sqrt(2+x*x),
			4: 1 - (s + s*(1-s*s)/2)} {
			for _, signed := range []float64{x, -x} {
				if got := StudentT(signed, df); math.Abs(got-want) > 1e-9 {
					t.Errorf("t = %v with %v degrees of freedom: %v, not %v", signed, df, got, want)
				}
			}
		}
	}
	for _, c := range [][4]float64{{2, 3, 0, 0}, {2, 3, 1, 1}, {2, 3, 1.5, 1}, {2, 3, -0.5, 0}} {
		if got := incompleteBeta(c[0], c[1], c[2], 1-c[2]); got != c[3] {
			t.Errorf("the function at %v is %v, not %v", c[2], got, c[3])
		}
	}
	if got := StudentT(math.Inf(-1), 3); got != 0 {
		t.Errorf("at infinity %v", got)
	}
}

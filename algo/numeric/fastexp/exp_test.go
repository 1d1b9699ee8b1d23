package fastexp

import (
	"math"
	"testing"
)

func TestExp(t *testing.T) {
	for x := -700.0; x <= 700; x += 0.0137 {
		if want := math.Exp(x); math.Abs(Exp(x)/want-1) > 3e-13 {
			t.Fatalf("e^%g = %v, want %v", x, Exp(x), want)
		}
	}
}

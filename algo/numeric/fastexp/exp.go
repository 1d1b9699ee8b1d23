// Package fastexp has an exponential function for inner loops.
package fastexp

import "math"

const (
	steps = 256 / math.Ln2
	width = math.Ln2 / 256
	magic = 3 << 51 // adding it rounds to an integer in the low bits
)

// table holds the bits of 2^(i/256).
var table = func() (t [256]uint64) {
	for i := range t {
		t[i] = math.Float64bits(math.Exp2(float64(i) / 256))
	}
	return t
}()

// Exp returns e^x for −700 ≤ x ≤ 700 with a relative error below 2e-13:
// 2^(k/256) from a table times the cubic of the rest.
func Exp(x float64) float64 {
	t := x*steps + magic
	k := math.Float64bits(t)
	r := x - (t-magic)*width
	return math.Float64frombits(table[k&255]+k>>8<<52) * (1 + r*(1+r*(0.5+r*(1.0/6))))
}

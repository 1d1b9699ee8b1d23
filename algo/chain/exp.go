package chain

import "math"

const (
	expSteps = 256 / math.Ln2
	expWidth = math.Ln2 / 256
	expMagic = 3 << 51 // adding it rounds to an integer in the low bits
)

// expTable holds the bits of 2^(i/256).
var expTable = func() (t [256]uint64) {
	for i := range t {
		t[i] = math.Float64bits(math.Exp2(float64(i) / 256))
	}
	return t
}()

// fastExp returns e^x for −700 ≤ x ≤ 700 with a relative error below 2e-13:
// 2^(k/256) from a table times the cubic of the rest.
func fastExp(x float64) float64 {
	t := x*expSteps + expMagic
	k := math.Float64bits(t)
	r := x - (t-expMagic)*expWidth
	return math.Float64frombits(expTable[k&255]+k>>8<<52) * (1 + r*(1+r*(0.5+r*(1.0/6))))
}

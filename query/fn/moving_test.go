package fn

import (
	"math"
	"math/big"
	"testing"

	"parlance/storage/value"

	"pgregory.net/rapid"
)

// TestExactSum compares with numbers of 4,000 bits, rounded once.
func TestExactSum(t *testing.T) {
	number := rapid.Custom(func(rt *rapid.T) float64 {
		switch rapid.IntRange(0, 5).Draw(rt, "sort") {
		case 0:
			return math.Float64frombits(rapid.Uint64().Draw(rt, "bits"))
		case 1:
			return rapid.SampledFrom([]float64{0, math.Copysign(0, -1), math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, 0x1p-1022, 0x1p-1022 - 0x1p-1074, 1, 0x1p-53, -0x1p-53, 0x1p-54, 1 + 0x1p-52}).Draw(rt, "edge")
		}
		return rapid.Float64Range(-1000, 1000).Draw(rt, "plain")
	}).Filter(func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) })
	rapid.Check(t, func(rt *rapid.T) {
		keep, lose := rapid.SliceOf(number).Draw(rt, "keep"), rapid.SliceOf(number).Draw(rt, "lose")
		var got exactSum
		want := new(big.Float).SetPrec(4000)
		for _, x := range lose {
			got.add(x, 1)
		}
		for _, x := range keep {
			got.add(x, 1)
			want.Add(want, big.NewFloat(x))
		}
		for _, x := range lose {
			got.add(x, -1)
		}
		w, _ := want.Float64()
		if v := got.value(); v != w || math.Signbit(v) != math.Signbit(w) && v != 0 {
			rt.Fatalf("%v without %v: %v, want %v", keep, lose, v, w)
		}
	})
}

// TestExactSumCarries adds more than fits into a digit without carrying.
func TestExactSumCarries(t *testing.T) {
	s := exactSum{late: exactLate - 1}
	s.digits[40] = 1<<61 - 1
	want := s
	want.late = 0
	s.add(math.Ldexp(1, 32*40-1074), 1)
	want.digits[40]++
	if s.late != 0 || s.digits[40] > math.MaxUint32 || s.value() != want.value() {
		t.Fatalf("digits %v give %g, want %g", s.digits, s.value(), want.value())
	}
}

// TestMovingInfinity takes values back that no sum forgets.
func TestMovingInfinity(t *testing.T) {
	s := &movingSum{}
	change := func(x float64, sign int) float64 {
		s.change(value.Real(x), sign)
		v, err := s.Value()
		if err != nil {
			t.Fatal(err)
		}
		return v.Float()
	}
	for i, c := range []struct {
		x    float64
		sign int
		want float64
	}{{1, 1, 1}, {math.Inf(1), 1, math.Inf(1)}, {math.Inf(-1), 1, math.NaN()}, {math.Inf(1), -1, math.Inf(-1)},
		{math.NaN(), 1, math.NaN()}, {math.Inf(-1), -1, math.NaN()}, {math.NaN(), -1, 1}} {
		if got := change(c.x, c.sign); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("step %d: %g, want %g", i, got, c.want)
		}
	}
}

// TestMovingSpread compares with numbers of 9,000 bits, rounded once.
func TestMovingSpread(t *testing.T) {
	number := rapid.Custom(func(rt *rapid.T) float64 {
		if rapid.IntRange(0, 3).Draw(rt, "sort") == 0 {
			return rapid.SampledFrom([]float64{0, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, 0x1p-1022 - 0x1p-1074, 1e9, 1e9 + 1, 1 + 0x1p-52}).Draw(rt, "edge")
		}
		return rapid.Float64Range(-1e6, 1e6).Draw(rt, "plain")
	})
	rapid.Check(t, func(rt *rapid.T) {
		keep, lose := rapid.SliceOfN(number, 2, 9).Draw(rt, "keep"), rapid.SliceOf(number).Draw(rt, "lose")
		s := &movingSpread{sample: true}
		const digits = 9000
		sum, squares := new(big.Float).SetPrec(digits), new(big.Float).SetPrec(digits)
		for _, x := range append(lose, keep...) {
			s.change(x, 1)
		}
		for _, x := range lose {
			s.change(x, -1)
		}
		for _, x := range keep {
			b := new(big.Float).SetPrec(digits).SetFloat64(x)
			sum.Add(sum, b)
			squares.Add(squares, b.Mul(b, b))
		}
		n := big.NewFloat(float64(len(keep)))
		want := squares.Sub(squares.Mul(squares, n), sum.Mul(sum, sum))
		want.Quo(want, n.Mul(n, big.NewFloat(float64(len(keep)-1))))
		w, _ := want.Float64()
		v, err := s.Value()
		if err != nil || v.Float() != w {
			rt.Fatalf("%v without %v: %v, %v, want %v", keep, lose, v, err, w)
		}
	})
}

package fn

import (
	"math"
	"math/bits"
)

// exactSum is a sum of floats without rounding, as a fixed-point number that spans all of them, so that what was added
// can be taken back. Its digits are signed and carried late.
type exactSum struct {
	digits           [exactDigits]int64 // of base 2^32, the first of weight 2^-1074
	late             int                // additions since digits were carried
	nan, plus, minus int                // values that have no digits
}

const (
	exactDigits = 68      // 2098 bits of a float, and 64 for a sum of many
	exactLate   = 1 << 29 // additions until a digit could overflow
)

// add adds x, or takes it back with sign -1.
func (e *exactSum) add(x float64, sign int) {
	switch {
	case math.IsNaN(x):
		e.nan += sign
		return
	case math.IsInf(x, 1):
		e.plus += sign
		return
	case math.IsInf(x, -1):
		e.minus += sign
		return
	}
	mantissa, place := floatParts(x)
	high, low := bits.Mul64(mantissa, 1<<(place&31))
	if math.Signbit(x) != (sign < 0) {
		e.put(place>>5, -int64(low&math.MaxUint32), -int64(low>>32), -int64(high))
	} else {
		e.put(place>>5, int64(low&math.MaxUint32), int64(low>>32), int64(high))
	}
}

func (e *exactSum) put(at int, low, middle, high int64) {
	e.digits[at] += low
	e.digits[at+1] += middle
	e.digits[at+2] += high
	if e.late++; e.late == exactLate {
		e.digits, e.late = e.carried(), 0
	}
}

// carried returns the digits between 0 and 2^32, but for the last, which has the sign.
func (e *exactSum) carried() [exactDigits]int64 {
	d := e.digits
	carry(d[:])
	return d
}

// value is the sum, rounded once to the nearest float, to the even one of two.
func (e *exactSum) value() float64 {
	switch {
	case e.nan > 0 || e.plus > 0 && e.minus > 0:
		return math.NaN()
	case e.plus > 0:
		return math.Inf(1)
	case e.minus > 0:
		return math.Inf(-1)
	}
	d, sign := e.carried(), 1.0
	if d[exactDigits-1] < 0 {
		opposite := exactSum{}
		for i := range d {
			opposite.digits[i] = -d[i]
		}
		d, sign = opposite.carried(), -1
	}
	top := exactDigits - 1
	for top > 0 && d[top] == 0 {
		top--
	}
	digit := func(i int) uint64 {
		if i < 0 {
			return 0
		}
		return uint64(d[i])
	}
	// The first 64 bits that are not zero, the last of them set if anything is left: float64 rounds them.
	zeros := bits.LeadingZeros32(uint32(d[top]))
	first := digit(top)<<(32+zeros) | digit(top-1)<<zeros | digit(top-2)>>(32-zeros)
	rest := digit(top-2) << zeros & math.MaxUint32
	for i := top - 3; i >= 0 && rest == 0; i-- {
		rest = digit(i)
	}
	if rest != 0 {
		first |= 1
	}
	return sign * math.Ldexp(float64(first), 32*(top-1)-1074-zeros)
}

package fn

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"

	"parlance/storage/value"
)

// exactSquares is a sum of squares of floats without rounding: signed digits of base 2^32, the first of weight 2^-2148.
type exactSquares struct {
	digits [squareDigits]int64
	late   int
}

const squareDigits = 2*exactDigits + 2

// add adds x², or takes it back with sign -1; x is finite.
func (e *exactSquares) add(x float64, sign int64) {
	mantissa, place := floatParts(x)
	place *= 2
	high, low := bits.Mul64(mantissa, mantissa)
	shift := uint(place & 31)
	top := high >> (64 - shift) // 0 for a shift of 0
	high, low = high<<shift|low>>(64-shift), low<<shift
	at := place >> 5
	for i, d := range [...]uint64{low & math.MaxUint32, low >> 32, high & math.MaxUint32, high >> 32, top} {
		e.digits[at+i] += sign * int64(d)
	}
	if e.late++; e.late == exactLate {
		e.late = 0
		carry(e.digits[:])
	}
}

// floatParts are the bits of a finite float and their place above 2^-1074.
func floatParts(x float64) (mantissa uint64, place int) {
	b := math.Float64bits(x)
	mantissa, place = b&(1<<52-1), int(b>>52&0x7ff)
	if place > 0 {
		mantissa |= 1 << 52
		place--
	}
	return mantissa, place
}

// carry brings digits between 0 and 2^32, but for the last, which has the sign.
func carry(d []int64) {
	for i := range d[:len(d)-1] {
		d[i+1] += d[i] >> 32
		d[i] &= math.MaxUint32
	}
}

// bigOf is the number of digits that are carried.
func bigOf(d []int64) *big.Int {
	last := len(d) - 1
	b := make([]byte, 4*last)
	for i, x := range d[:last] {
		binary.BigEndian.PutUint32(b[4*(last-1-i):], uint32(x))
	}
	top := big.NewInt(d[last])
	return top.Add(top.Lsh(top, uint(32*last)), new(big.Int).SetBytes(b))
}

// movingSpread is the spread of values without rounding, by their exact sum and that of their squares.
type movingSpread struct {
	sample, root bool
	n            int64
	sum          exactSum
	squares      exactSquares
}

func (s *movingSpread) Add(a []value.Value) error    { s.change(a[0].Float(), 1); return nil }
func (s *movingSpread) Remove(a []value.Value) error { s.change(a[0].Float(), -1); return nil }

func (s *movingSpread) change(x float64, sign int) {
	s.n += int64(sign)
	s.sum.add(x, sign)
	if !math.IsNaN(x) && !math.IsInf(x, 0) {
		s.squares.add(x, int64(sign))
	}
}

// Value is (n·Σx² − (Σx)²) / n / n, or / n / (n − 1), or its root, rounded at the end.
func (s *movingSpread) Value() (value.Value, error) {
	divisor := s.n
	if s.sample {
		divisor--
	}
	if divisor <= 0 {
		return value.Value{}, nil
	}
	v := math.NaN()
	if s.sum.nan == 0 && s.sum.plus == 0 && s.sum.minus == 0 {
		v = s.variance(divisor)
	}
	if s.root {
		v = math.Sqrt(v)
	}
	return value.Real(v), nil
}

func (s *movingSpread) variance(divisor int64) float64 {
	x, xx := s.sum.carried(), s.squares.digits
	carry(xx[:])
	empty := 0 // the least digits, which most sums leave empty
	for empty < exactDigits-1 && x[empty] == 0 && xx[2*empty] == 0 && xx[2*empty+1] == 0 {
		empty++
	}
	total, d := bigOf(x[empty:]), bigOf(xx[2*empty:])
	d.Mul(d, big.NewInt(s.n))
	d.Sub(d, total.Mul(total, total))
	if d.Sign() <= 0 {
		return 0
	}
	n := new(big.Int).Mul(big.NewInt(s.n), big.NewInt(divisor))
	shift := uint(max(0, 66+n.BitLen()-d.BitLen())) // for more digits than a float has
	d, rest := d.Lsh(d, shift).QuoRem(d, n, new(big.Int))
	if rest.Sign() != 0 {
		d.SetBit(d, 0, 1) // so that what is cut off does not look like a tie
	}
	f := new(big.Float).SetInt(d)
	out, _ := f.SetMantExp(f, 64*empty-2148-int(shift)).Float64()
	return out
}

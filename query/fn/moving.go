package fn

import (
	"math/bits"

	"parlance/storage/value"
)

// Moving is an accumulator that rows can be taken back from, in any order, with the same result as without them.
type Moving interface {
	Add(args []value.Value) error
	Remove(args []value.Value) error
	Value() (value.Value, error)
}

// movingCount counts rows.
type movingCount struct{ n int64 }

func (c *movingCount) Add([]value.Value) error     { c.n++; return nil }
func (c *movingCount) Remove([]value.Value) error  { c.n--; return nil }
func (c *movingCount) Value() (value.Value, error) { return value.Int(c.n), nil }

// movingSum adds integers in 128 bits and floats without rounding.
type movingSum struct {
	n, floats int64
	high      int64
	low       uint64
	real      exactSum
}

func (s *movingSum) Add(a []value.Value) error    { s.change(a[0], 1); return nil }
func (s *movingSum) Remove(a []value.Value) error { s.change(a[0], -1); return nil }

func (s *movingSum) change(v value.Value, sign int) {
	s.n += int64(sign)
	if v.T != integer {
		s.floats += int64(sign)
		s.real.add(v.Float(), sign)
		return
	}
	x, carry := v.Int(), uint64(0)
	if sign > 0 {
		s.low, carry = bits.Add64(s.low, uint64(x), 0)
		s.high += x>>63 + int64(carry)
		return
	}
	s.low, carry = bits.Sub64(s.low, uint64(x), 0)
	s.high -= x>>63 + int64(carry)
}

func (s *movingSum) Value() (value.Value, error) {
	switch sum := int64(s.low); {
	case s.n == 0:
		return value.Value{}, nil
	case s.high != sum>>63:
		return value.Value{}, ErrSum
	case s.floats == 0:
		return value.Int(sum), nil
	default:
		return value.Real(s.real.value() + float64(sum)), nil
	}
}

// movingMean is the exact sum, rounded, by the number of values.
type movingMean struct {
	n   int64
	sum exactSum
}

func (m *movingMean) Add(a []value.Value) error    { m.n++; m.sum.add(a[0].Float(), 1); return nil }
func (m *movingMean) Remove(a []value.Value) error { m.n--; m.sum.add(a[0].Float(), -1); return nil }

func (m *movingMean) Value() (value.Value, error) {
	if m.n == 0 {
		return value.Value{}, nil
	}
	return value.Real(m.sum.value() / float64(m.n)), nil
}

// movingLogic counts what is true and what is not.
type movingLogic struct {
	all bool
	n   [2]int64
}

func (l *movingLogic) Add(a []value.Value) error    { l.n[truth(a[0])]++; return nil }
func (l *movingLogic) Remove(a []value.Value) error { l.n[truth(a[0])]--; return nil }

func truth(v value.Value) int {
	if v.Bool() {
		return 1
	}
	return 0
}

func (l *movingLogic) Value() (value.Value, error) {
	switch {
	case l.n[0]+l.n[1] == 0:
		return value.Value{}, nil
	case l.all:
		return value.Bool(l.n[0] == 0), nil
	}
	return value.Bool(l.n[1] > 0), nil
}

// movingBits counts how many values have each bit.
type movingBits struct {
	set func(have, n int64) bool
	n   int64
	has [64]int64
}

func (b *movingBits) Add(a []value.Value) error    { return b.change(a[0], 1) }
func (b *movingBits) Remove(a []value.Value) error { return b.change(a[0], -1) }

func (b *movingBits) change(v value.Value, sign int64) error {
	x, err := value.Cast(v, integer)
	if err != nil {
		return Refused(err)
	}
	b.n += sign
	for rest := uint64(x.Int()); rest != 0; rest &= rest - 1 {
		b.has[bits.TrailingZeros64(rest)] += sign
	}
	return nil
}

func (b *movingBits) Value() (value.Value, error) {
	if b.n == 0 {
		return value.Value{}, nil
	}
	out := uint64(0)
	for i, have := range b.has {
		if b.set(have, b.n) {
			out |= 1 << i
		}
	}
	return value.Int(int64(out)), nil
}

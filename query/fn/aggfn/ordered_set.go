package aggfn

import (
	"fmt"
	"math"
	"unsafe"

	"parlance/query/fn"
	"parlance/query/fn/jsonfn"
	"parlance/storage/value"
)

// orderedAggregates are the aggregates with WITHIN GROUP (ORDER BY x): they get the values of x, and their arguments
// are the same for all rows.
var orderedAggregates = []fn.Aggregate{
	{Name: "percentile_cont", Doc: "number below which a fraction from 0 to 1 of the ordered values lies, between " +
		"two of them by distance; NULL without values. An array of fractions gives an array", Args: 1, Ordered: true,
		Grows:   true,
		Result:  numberType(func(value.Type) value.Type { return float }, "percentile_cont"),
		New:     func() fn.Accumulator { return &percentile{of: interpolated} },
		Example: "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY n) AS median FROM vocab"},
	{Name: "percentile_disc", Doc: "first of the ordered values whose place is at least a fraction from 0 to 1 of " +
		"all; NULL without values. An array of fractions gives an array", Args: 1, Ordered: true, Grows: true,
		Result: argumentType, New: func() fn.Accumulator { return &percentile{of: atLeast} },
		Example: "SELECT percentile_disc(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY word) FROM vocab"},
	{Name: "mode", Doc: "most frequent value, of several the first in the order; NULL without values", Ordered: true,
		Result: argumentType, New: func() fn.Accumulator { return &mode{} },
		Example: "SELECT mode() WITHIN GROUP (ORDER BY pos) FROM vocab"},
}

// percentile keeps the values of a group in their order.
type percentile struct {
	of        func(sorted []value.Value, fraction float64) value.Value
	texts     int // bytes
	sorted    []value.Value
	fractions []value.Value
	list      bool // an array of fractions was given
}

func (p *percentile) Add(a []value.Value) error {
	if p.sorted == nil {
		if err := p.ask(a[1]); err != nil {
			return err
		}
	}
	p.sorted = append(p.sorted, a[0])
	p.texts += len(a[0].S)
	return nil
}

// Bytes counts the values.
func (p *percentile) Bytes() int {
	return fn.Grown(cap(p.sorted)*int(unsafe.Sizeof(value.Value{}))) + p.texts
}

// ask reads the fractions.
func (p *percentile) ask(v value.Value) (err error) {
	p.fractions = []value.Value{v}
	if p.list = v.T == value.JSON; p.list {
		if p.fractions, err = jsonfn.Items(v); err != nil {
			return fn.ArgumentError(err)
		}
	}
	for i, f := range p.fractions {
		if f, err = value.Cast(f, float); err != nil {
			return fn.ArgumentError(err)
		}
		if x := f.Float(); !f.IsNull() && !(x >= 0 && x <= 1) {
			return fn.ArgumentError(&fn.Fault{Code: "22003", Msg: fmt.Sprintf("%v is no fraction from 0 to 1", x)})
		}
		p.fractions[i] = f
	}
	return nil
}

func (p *percentile) Value() value.Value {
	if p.sorted == nil {
		return value.Value{}
	}
	out := make([]value.Value, len(p.fractions))
	for i, f := range p.fractions {
		if !f.IsNull() {
			out[i] = p.of(p.sorted, f.Float())
		}
	}
	if !p.list {
		return out[0]
	}
	v, err := jsonfn.Array(out)
	if err != nil {
		return value.Value{}
	}
	return v
}

func interpolated(sorted []value.Value, fraction float64) value.Value {
	at := fraction * float64(len(sorted)-1)
	low, high := sorted[int(math.Floor(at))].Float(), sorted[int(math.Ceil(at))].Float()
	if low == high {
		return value.Real(low)
	}
	return value.Real(low + (at-math.Floor(at))*(high-low))
}

func atLeast(sorted []value.Value, fraction float64) value.Value {
	return sorted[max(int(math.Ceil(fraction*float64(len(sorted)))), 1)-1]
}

// mode counts runs of equal values.
type mode struct {
	best, run value.Value
	most, n   int
}

func (m *mode) Add(a []value.Value) error {
	if m.n == 0 || value.Compare(m.run, a[0]) != 0 {
		m.run, m.n = a[0], 0
	}
	if m.n++; m.n > m.most {
		m.best, m.most = m.run, m.n
	}
	return nil
}

func (m *mode) Value() value.Value { return m.best }

package aggfn

import (
	"fmt"
	"math"

	"parlance/query/fn"
	"parlance/query/fn/jsonfn"
	"parlance/storage/value"
)

// orderedAggregates take the values by which WITHIN GROUP orders the rows; what stands in their parentheses holds for
// all rows.
var orderedAggregates = []fn.Aggregate{
	{Name: "percentile_cont", Doc: "number below which a fraction from 0 to 1 of the ordered values lies, between two of them by distance; NULL without values. An array of fractions gives an array", Args: 1, Ordered: true, Grows: true,
		Result: number(func(value.Type) value.Type { return float }, "percentile_cont"), New: func() fn.Accumulator { return &percentile{of: interpolated} }, Example: "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY n) AS median FROM vocab"},
	{Name: "percentile_disc", Doc: "first of the ordered values whose place is at least a fraction from 0 to 1 of all; NULL without values. An array of fractions gives an array", Args: 1, Ordered: true, Grows: true,
		Result: same, New: func() fn.Accumulator { return &percentile{of: atLeast} }, Example: "SELECT percentile_disc(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY word) FROM vocab"},
	{Name: "mode", Doc: "most frequent value, of several the first in the order; NULL without values", Ordered: true,
		Result: same, New: func() fn.Accumulator { return &modal{} }, Example: "SELECT mode() WITHIN GROUP (ORDER BY pos) FROM vocab"},
}

// percentile keeps the values of a group in their order.
type percentile struct {
	of        func(sorted []value.Value, fraction float64) value.Value
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
	return nil
}

// ask reads the fractions.
func (p *percentile) ask(v value.Value) (err error) {
	p.fractions = []value.Value{v}
	if p.list = v.T == value.JSON; p.list {
		if p.fractions, err = jsonfn.Items(v); err != nil {
			return fn.Refused(err)
		}
	}
	for i, f := range p.fractions {
		if f, err = value.Cast(f, float); err != nil {
			return fn.Refused(err)
		}
		if x := f.Float(); !f.IsNull() && !(x >= 0 && x <= 1) {
			return fn.Refused(&fn.Fault{Code: "22003", Msg: fmt.Sprintf("%v is no fraction from 0 to 1", x)})
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

// modal counts runs of equal values.
type modal struct {
	best, run value.Value
	most, n   int
}

func (m *modal) Add(a []value.Value) error {
	if m.n == 0 || value.Compare(m.run, a[0]) != 0 {
		m.run, m.n = a[0], 0
	}
	if m.n++; m.n > m.most {
		m.best, m.most = m.run, m.n
	}
	return nil
}

func (m *modal) Value() value.Value { return m.best }

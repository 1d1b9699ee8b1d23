package aggfn

import (
	"math"

	"parlance/query/fn"
	"parlance/storage/value"
)

var pairAggregates = []fn.Aggregate{
	{Name: "corr", Doc: "correlation of y and x, from -1 to 1; NULL where one of them is constant; pairs with a NULL do not count", Args: 2,
		Result: number(func(value.Type) value.Type { return float }, "corr"), New: func() fn.Accumulator { return &pairSums{} },
		Example: "SELECT round(corr(n, ascii(word)), 3) FROM vocab"},
}

// pairSums are sums over pairs y, x by the method of Youngs and Cramer: xx, yy and xy are those of distances from the means.
type pairSums struct{ n, x, y, xx, yy, xy float64 }

// Add takes a pair, unless it has a NULL.
func (p *pairSums) Add(a []value.Value) error {
	if a[0].IsNull() || a[1].IsNull() {
		return nil
	}
	first, err := value.Cast(a[0], float)
	if err != nil {
		return fn.Refused(err)
	}
	second, err := value.Cast(a[1], float)
	if err != nil {
		return fn.Refused(err)
	}
	y, x := first.Float(), second.Float()
	p.n++
	p.x += x
	p.y += y
	if p.n == 1 {
		p.xx, p.yy = 0*x, 0*y // NaN of what is infinite or none
		p.xy = p.xx * p.yy
		return nil
	}
	dx, dy, scale := float64(x*p.n)-p.x, float64(y*p.n)-p.y, 1/(p.n*(p.n-1))
	p.xx += float64(float64(dx*dx) * scale)
	p.yy += float64(float64(dy*dy) * scale)
	p.xy += float64(float64(dx*dy) * scale)
	return nil
}

func (p *pairSums) Value() value.Value {
	if p.n == 0 || p.xx == 0 || p.yy == 0 {
		return value.Value{}
	}
	return value.Real(p.xy / math.Sqrt(p.xx*p.yy))
}

package fn

import (
	"math"

	"parlance/storage/value"
)

// pairAggregate declares an aggregate of pairs y, x of numbers.
func pairAggregate(name, doc string, of func(*pairSums) (v float64, ok bool)) Aggregate {
	return Aggregate{Name: name, Doc: doc + "; pairs with a NULL do not count", Args: 2, Result: number(func(value.Type) value.Type { return float }, name),
		New: func() Accumulator { return &pairSum{of: of} }, Example: "SELECT round(" + name + "(n, ascii(word)), 3) FROM vocab"}
}

var pairAggregates = []Aggregate{
	pairAggregate("corr", "correlation of y and x, from -1 to 1; NULL where one of them is constant", func(p *pairSums) (float64, bool) {
		return p.xy / math.Sqrt(p.xx*p.yy), p.xx != 0 && p.yy != 0
	}),
	pairAggregate("covar_pop", "covariance of all there is (divisor n)", func(p *pairSums) (float64, bool) { return p.xy / p.n, true }),
	pairAggregate("covar_samp", "covariance of a sample (divisor n - 1); NULL for fewer than two pairs", func(p *pairSums) (float64, bool) {
		return p.xy / (p.n - 1), p.n > 1
	}),
	pairAggregate("regr_avgx", "mean of x, the second argument", func(p *pairSums) (float64, bool) { return p.x / p.n, true }),
	pairAggregate("regr_avgy", "mean of y, the first argument", func(p *pairSums) (float64, bool) { return p.y / p.n, true }),
	pairAggregate("regr_sxx", "sum of the squares of x less its mean", func(p *pairSums) (float64, bool) { return p.xx, true }),
	pairAggregate("regr_syy", "sum of the squares of y less its mean", func(p *pairSums) (float64, bool) { return p.yy, true }),
	pairAggregate("regr_sxy", "sum of the products of x and y, each less its mean", func(p *pairSums) (float64, bool) { return p.xy, true }),
	pairAggregate("regr_slope", "slope of the line of least squares; NULL where x is constant", func(p *pairSums) (float64, bool) {
		return p.xy / p.xx, p.xx != 0
	}),
	pairAggregate("regr_intercept", "y of the line of least squares at x = 0; NULL where x is constant", func(p *pairSums) (float64, bool) {
		return (p.y - float64(p.x*p.xy)/p.xx) / p.n, p.xx != 0
	}),
	pairAggregate("regr_r2", "square of corr; 1 where y alone is constant, NULL where x is", func(p *pairSums) (float64, bool) {
		if p.yy == 0 {
			return 1, p.xx != 0
		}
		return p.xy * p.xy / (p.xx * p.yy), p.xx != 0
	}),
	{Name: "regr_count", Doc: "number of pairs y, x without a NULL", Args: 2, Result: number(func(value.Type) value.Type { return integer }, "regr_count"),
		New: func() Accumulator { return &pairCount{} }, Example: "SELECT regr_count(n, ascii(word)) FROM vocab"},
}

// pairSums are sums over pairs y, x by the method of Youngs and Cramer: xx, yy and xy are those of distances from the means.
type pairSums struct{ n, x, y, xx, yy, xy float64 }

// add takes a pair, unless it has a NULL.
func (p *pairSums) add(a []value.Value) error {
	if a[0].IsNull() || a[1].IsNull() {
		return nil
	}
	first, err := value.Cast(a[0], float)
	if err != nil {
		return Refused(err)
	}
	second, err := value.Cast(a[1], float)
	if err != nil {
		return Refused(err)
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

// pairSum is what a function makes of the sums.
type pairSum struct {
	pairSums
	of func(*pairSums) (float64, bool)
}

func (p *pairSum) Add(a []value.Value) error { return p.add(a) }

func (p *pairSum) Value() value.Value {
	if p.n == 0 {
		return value.Value{}
	}
	v, ok := p.of(&p.pairSums)
	if !ok {
		return value.Value{}
	}
	return value.Real(v)
}

// pairCount is the number of pairs.
type pairCount struct{ pairSums }

func (p *pairCount) Add(a []value.Value) error { return p.add(a) }

func (p *pairCount) Value() value.Value { return value.Int(int64(p.n)) }

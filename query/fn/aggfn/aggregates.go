package aggfn

import (
	"fmt"
	"math"
	"strings"

	"parlance/query/fn"
	"parlance/storage/value"
)

func fixedType(t value.Type) func(value.Type) (value.Type, error) {
	return func(value.Type) (value.Type, error) { return t, nil }
}

func argumentType(t value.Type) (value.Type, error) { return t, nil }

func numberType(result func(value.Type) value.Type, name string) func(value.Type) (value.Type, error) {
	return func(t value.Type) (value.Type, error) {
		if t != value.Integer && t != value.Float && t != value.Null {
			return 0, fmt.Errorf("%s takes a number, not %s", name, t)
		}
		return result(t), nil
	}
}

// sumType takes intervals besides numbers.
func sumType(result func(value.Type) value.Type, name string) func(value.Type) (value.Type, error) {
	numbers := numberType(result, name)
	return func(t value.Type) (value.Type, error) {
		if t == value.Interval {
			return t, nil
		}
		return numbers(t)
	}
}

func integerOnly(name string) func(value.Type) (value.Type, error) {
	return func(t value.Type) (value.Type, error) {
		if t != value.Integer && t != value.Null {
			return 0, fmt.Errorf("%s takes whole numbers, not %s", name, t)
		}
		return value.Integer, nil
	}
}

var aggregates = []fn.Aggregate{
	{Name: "count", Doc: "number of rows, or of values that are not NULL", Args: 1, Result: fixedType(integer),
		New: func() fn.Accumulator { return &counter{} }, Fold: fn.Count,
		Example: "SELECT count(*), count(pos), count(DISTINCT pos) FROM vocab"},
	{Name: "sum", Doc: "sum, also of intervals; NULL without values", Args: 1,
		Result: sumType(func(t value.Type) value.Type { return t }, "sum"),
		New:    func() fn.Accumulator { return &summer{} }, Fold: fn.Sum,
		Example: "SELECT pos, sum(n) FROM vocab GROUP BY pos ORDER BY pos"},
	{Name: "avg", Doc: "mean, also of intervals; NULL without values", Args: 1,
		Result: sumType(func(value.Type) value.Type { return float }, "avg"),
		New:    func() fn.Accumulator { return &averager{} }, Fold: fn.Mean,
		Example: "SELECT avg(n), avg(n) FILTER (WHERE pos = 'noun') AS nouns FROM vocab"},
	{Name: "min", Doc: "smallest value", Args: 1, Result: argumentType,
		New: func() fn.Accumulator { return &extremum{sign: -1} }, Fold: fn.Least,
		Example: "SELECT min(n), min(word) FROM vocab"},
	{Name: "max", Doc: "largest value", Args: 1, Result: argumentType,
		New:  func() fn.Accumulator { return &extremum{sign: 1} },
		Fold: fn.Greatest, Example: "SELECT pos, max(n) FROM vocab GROUP BY pos ORDER BY pos"},
	{Name: "string_agg", Doc: "texts joined by the second argument, in row order or ORDER BY", Args: 2,
		Result: fixedType(text), New: func() fn.Accumulator { return &stringAggregate{} }, Grows: true,
		Example: "SELECT pos, string_agg(word, ' ' ORDER BY word) AS list FROM vocab GROUP BY pos ORDER BY pos"},
	{Name: "bool_and", Doc: "whether all are true", Args: 1, Result: fixedType(boolean),
		New:     func() fn.Accumulator { return &boolAggregate{all: true} },
		Example: "SELECT pos, bool_and(n > 3) FROM vocab GROUP BY pos ORDER BY pos"},
	{Name: "bool_or", Doc: "whether one is true", Args: 1, Result: fixedType(boolean),
		New:     func() fn.Accumulator { return &boolAggregate{} },
		Example: "SELECT pos, bool_or(n > 3) FROM vocab GROUP BY pos ORDER BY pos"},
	{Name: "every", Doc: "the same as bool_and", Args: 1, Result: fixedType(boolean),
		New:     func() fn.Accumulator { return &boolAggregate{all: true} },
		Example: "SELECT pos, every(n > 3) FROM vocab GROUP BY pos ORDER BY pos"},
	{Name: "bit_and", Doc: "bits that all have; NULL without values", Args: 1, Result: integerOnly("bit_and"),
		New:     func() fn.Accumulator { return &bitAggregate{join: func(x, y int64) int64 { return x & y }} },
		Example: "SELECT bit_and(n) FROM vocab WHERE n > 3"},
	{Name: "bit_or", Doc: "bits that one has; NULL without values", Args: 1, Result: integerOnly("bit_or"),
		New:     func() fn.Accumulator { return &bitAggregate{join: func(x, y int64) int64 { return x | y }} },
		Example: "SELECT bit_or(n) FROM vocab"},
	{Name: "bit_xor", Doc: "bits that an odd number of values have; NULL without values", Args: 1,
		Result:  integerOnly("bit_xor"),
		New:     func() fn.Accumulator { return &bitAggregate{join: func(x, y int64) int64 { return x ^ y }} },
		Example: "SELECT bit_xor(n) FROM vocab"},
	{Name: "stddev", Doc: "standard deviation of a sample (divisor n - 1); NULL for fewer than two values", Args: 1,
		Result:  numberType(func(value.Type) value.Type { return float }, "stddev"),
		New:     func() fn.Accumulator { return &variance{sample: true, root: true} },
		Example: "SELECT round(stddev(n), 3) FROM vocab"},
	{Name: "stddev_samp", Doc: "the same as stddev", Args: 1,
		Result:  numberType(func(value.Type) value.Type { return float }, "stddev_samp"),
		New:     func() fn.Accumulator { return &variance{sample: true, root: true} },
		Example: "SELECT round(stddev_samp(n), 3) FROM vocab"},
	{Name: "stddev_pop", Doc: "standard deviation of all there is (divisor n); NULL without values", Args: 1,
		Result:  numberType(func(value.Type) value.Type { return float }, "stddev_pop"),
		New:     func() fn.Accumulator { return &variance{root: true} },
		Example: "SELECT round(stddev_pop(n), 3) FROM vocab"},
	{Name: "variance", Doc: "square of stddev", Args: 1,
		Result: numberType(func(value.Type) value.Type { return float },
			"variance"), New: func() fn.Accumulator { return &variance{sample: true} },
		Example: "SELECT round(variance(n), 3) FROM vocab"},
	{Name: "var_samp", Doc: "the same as variance", Args: 1,
		Result:  numberType(func(value.Type) value.Type { return float }, "var_samp"),
		New:     func() fn.Accumulator { return &variance{sample: true} },
		Example: "SELECT round(var_samp(n), 3) FROM vocab"},
	{Name: "var_pop", Doc: "square of stddev_pop", Args: 1,
		Result: numberType(func(value.Type) value.Type { return float },
			"var_pop"), New: func() fn.Accumulator { return &variance{} },
		Example: "SELECT round(var_pop(n), 3) FROM vocab"},
}

// bitAggregate joins the bits of whole numbers.
type bitAggregate struct {
	join func(x, y int64) int64
	out  value.Value
}

func (b *bitAggregate) Add(a []value.Value) error {
	x, err := value.Cast(a[0], integer)
	if err != nil {
		return fn.ArgumentError(err)
	}
	if b.out.IsNull() {
		b.out = x
	} else {
		b.out = value.Int(b.join(b.out.Int(), x.Int()))
	}
	return nil
}

func (b *bitAggregate) Value() value.Value { return b.out }

// ErrSum is returned for a sum of integers that is none.
var ErrSum = fmt.Errorf("sum %w of integer", value.ErrRange)

type counter struct{ n int64 }

func (c *counter) Add([]value.Value) error { c.n++; return nil }

func (c *counter) Value() value.Value { return value.Int(c.n) }

type summer struct {
	any   bool
	ints  int64
	real  float64
	comp  float64
	float bool
	times intervalSum
}

func (s *summer) Add(a []value.Value) error {
	s.any = true
	if a[0].T == value.Interval {
		return s.times.add(a[0])
	}
	if a[0].T == integer && !s.float {
		n := s.ints + a[0].Int()
		if (n > s.ints) != (a[0].Int() > 0) && a[0].Int() != 0 {
			return ErrSum
		}
		s.ints = n
		return nil
	}
	s.float = true
	s.real, s.comp = AddCompensated(s.real, s.comp, a[0].Float())
	return nil
}

// AddCompensated adds x to the compensated sum (Neumaier 1974), so that the order of rows
// hardly matters.
func AddCompensated(sum, comp, x float64) (float64, float64) {
	t := sum + x
	if max(sum, -sum) >= max(x, -x) {
		comp += (sum - t) + x
	} else {
		comp += (x - t) + sum
	}
	return t, comp
}

// Compensated is the value of a compensated sum.
func Compensated(sum, comp float64) float64 {
	if math.IsInf(sum, 0) {
		return sum // its compensation is no number
	}
	return sum + comp
}

func (s *summer) Value() value.Value {
	switch {
	case !s.any:
		return value.Value{}
	case s.times.n > 0:
		return s.times.sum.Value()
	case s.float:
		return value.Real(Compensated(s.real, s.comp) + float64(s.ints))
	}
	return value.Int(s.ints)
}

type averager struct {
	n         int64
	sum, comp float64
	times     intervalSum
}

func (s *averager) Add(a []value.Value) error {
	s.n++
	if a[0].T == value.Interval {
		return s.times.add(a[0])
	}
	s.sum, s.comp = AddCompensated(s.sum, s.comp, a[0].Float())
	return nil
}

func (s *averager) Value() value.Value {
	switch {
	case s.n == 0:
		return value.Value{}
	case s.times.n > 0:
		mean, _ := s.times.sum.Over(float64(s.times.n)) // no longer than the sum
		return mean.Value()
	}
	return value.Real(Compensated(s.sum, s.comp) / float64(s.n))
}

type extremum struct {
	sign int
	best value.Value
}

func (e *extremum) Add(a []value.Value) error {
	if e.best.IsNull() || e.sign*value.Compare(a[0], e.best) > 0 {
		e.best = a[0]
	}
	return nil
}

func (e *extremum) Value() value.Value { return e.best }

type stringAggregate struct {
	b   strings.Builder
	any bool
}

func (j *stringAggregate) Add(a []value.Value) error {
	if j.any && len(a) > 1 {
		j.b.WriteString(a[1].String())
	}
	j.any = true
	if j.b.Len() > fn.MaxTextBytes {
		return fn.ErrTooLong
	}
	j.b.WriteString(a[0].String())
	return nil
}

// Bytes counts the text, which is the value as well.
func (j *stringAggregate) Bytes() int { return fn.Grown(j.b.Cap()) }

func (j *stringAggregate) Value() value.Value {
	if !j.any {
		return value.Value{}
	}
	return value.Str(j.b.String())
}

type boolAggregate struct{ all, any, result bool }

func (l *boolAggregate) Add(a []value.Value) error {
	if !l.any {
		l.result = a[0].Bool()
	} else if l.all {
		l.result = l.result && a[0].Bool()
	} else {
		l.result = l.result || a[0].Bool()
	}
	l.any = true
	return nil
}

func (l *boolAggregate) Value() value.Value {
	if !l.any {
		return value.Value{}
	}
	return value.Bool(l.result)
}

// intervalSum adds intervals.
type intervalSum struct {
	n   int64
	sum value.Period
}

func (s *intervalSum) add(v value.Value) error {
	p, err := value.ParseInterval(v.S)
	if err != nil {
		return fn.ArgumentError(err)
	}
	s.n++
	sum, ok := s.sum.Plus(p, 1)
	if !ok {
		return fn.ArgumentError(fn.ErrInterval)
	}
	s.sum = sum
	return nil
}

package fn

import (
	"errors"
	"fmt"
	"strings"

	"parlance/storage/value"
)

// Aggregate is a function over the rows of a group.
type Aggregate struct {
	Name   string
	Doc    string
	Args   int                                  // number of arguments; count also takes *
	Result func(value.Type) (value.Type, error) // by the type of the first argument
	New    func() Accumulator
	Fold   Fold // for the engine: how to compute it a column at a time
	// Example is a SELECT over the table vocab (word, pos, n) that shows the aggregate.
	Example string
}

// Fold names the aggregates that are computed a column at a time.
type Fold uint8

// The folds. NoFold stands for a row at a time, by an Accumulator.
const (
	NoFold Fold = iota
	Count
	Sum
	Mean
	Least
	Greatest
)

// Accumulator takes the rows of one group; rows whose first argument is NULL are not given.
type Accumulator interface {
	Add(args []value.Value) error
	Value() value.Value
}

func always(t value.Type) func(value.Type) (value.Type, error) {
	return func(value.Type) (value.Type, error) { return t, nil }
}

func same(t value.Type) (value.Type, error) { return t, nil }

func number(result func(value.Type) value.Type, name string) func(value.Type) (value.Type, error) {
	return func(t value.Type) (value.Type, error) {
		if t != value.Integer && t != value.Float && t != value.Null {
			return 0, fmt.Errorf("%s takes a number, not %s", name, t)
		}
		return result(t), nil
	}
}

var aggregates = []Aggregate{
	{"count", "number of rows, or of values that are not NULL", 1, always(integer), func() Accumulator { return &counter{} }, Count, "SELECT count(*), count(pos), count(DISTINCT pos) FROM vocab"},
	{"sum", "sum; NULL without values", 1, number(func(t value.Type) value.Type { return t }, "sum"), func() Accumulator { return &summer{} }, Sum, "SELECT pos, sum(n) FROM vocab GROUP BY pos ORDER BY pos"},
	{"avg", "mean; NULL without values", 1, number(func(value.Type) value.Type { return float }, "avg"), func() Accumulator { return &averager{} }, Mean, "SELECT avg(n), avg(n) FILTER (WHERE pos = 'noun') AS nouns FROM vocab"},
	{"min", "smallest value", 1, same, func() Accumulator { return &extremum{sign: -1} }, Least, "SELECT min(n), min(word) FROM vocab"},
	{"max", "largest value", 1, same, func() Accumulator { return &extremum{sign: 1} }, Greatest, "SELECT pos, max(n) FROM vocab GROUP BY pos ORDER BY pos"},
	{"string_agg", "texts joined by the second argument, in row order or ORDER BY", 2, always(text), func() Accumulator { return &joiner{} }, NoFold, "SELECT pos, string_agg(word, ' ' ORDER BY word) AS list FROM vocab GROUP BY pos ORDER BY pos"},
	{"array_agg", "array of the values that are not NULL, in row order or ORDER BY", 1, always(value.JSON), func() Accumulator { return &collector{} }, NoFold, "SELECT pos, array_agg(word ORDER BY word) AS list FROM vocab GROUP BY pos ORDER BY pos"},
	{"bool_and", "whether all are true", 1, always(boolean), func() Accumulator { return &logic{all: true} }, NoFold, "SELECT pos, bool_and(n > 3) FROM vocab GROUP BY pos ORDER BY pos"},
	{"bool_or", "whether one is true", 1, always(boolean), func() Accumulator { return &logic{} }, NoFold, "SELECT pos, bool_or(n > 3) FROM vocab GROUP BY pos ORDER BY pos"},
}

type counter struct{ n int64 }

func (c *counter) Add([]value.Value) error { c.n++; return nil }

func (c *counter) Value() value.Value { return value.Int(c.n) }

type summer struct {
	any   bool
	ints  int64
	real  float64
	comp  float64
	float bool
}

func (s *summer) Add(a []value.Value) error {
	s.any = true
	if a[0].T == integer && !s.float {
		n := s.ints + a[0].Int()
		if (n > s.ints) != (a[0].Int() > 0) && a[0].Int() != 0 {
			return errors.New("sum out of range of integer")
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

func (s *summer) Value() value.Value {
	switch {
	case !s.any:
		return value.Value{}
	case s.float:
		return value.Real(s.real + s.comp + float64(s.ints))
	}
	return value.Int(s.ints)
}

type averager struct {
	n         int64
	sum, comp float64
}

func (s *averager) Add(a []value.Value) error {
	s.n++
	s.sum, s.comp = AddCompensated(s.sum, s.comp, a[0].Float())
	return nil
}

func (s *averager) Value() value.Value {
	if s.n == 0 {
		return value.Value{}
	}
	return value.Real((s.sum + s.comp) / float64(s.n))
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

type joiner struct {
	b   strings.Builder
	any bool
}

func (j *joiner) Add(a []value.Value) error {
	if j.any && len(a) > 1 {
		j.b.WriteString(a[1].String())
	}
	j.any = true
	if j.b.Len() > maxText {
		return errTooLong
	}
	j.b.WriteString(a[0].String())
	return nil
}

func (j *joiner) Value() value.Value {
	if !j.any {
		return value.Value{}
	}
	return value.Str(j.b.String())
}

type logic struct{ all, any, result bool }

func (l *logic) Add(a []value.Value) error {
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

func (l *logic) Value() value.Value {
	if !l.any {
		return value.Value{}
	}
	return value.Bool(l.result)
}

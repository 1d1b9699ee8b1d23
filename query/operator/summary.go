package operator

import (
	"context"
	"math"
	"strings"
	"unicode/utf8"

	"parlance/query/plan"
	"parlance/storage/value"
)

// summary describes a column by its different values and how many rows have each. It sorts them, which may go to
// files, and reads them once in order: all of its figures are exact, and it holds one value and a few numbers.
type summary struct {
	n      *plan.Summary
	counts *counted
	sorted Operator
	done   bool

	seen     int64 // rows before the present value
	distinct int64
	least    value.Value
	greatest value.Value
	top      value.Value
	topCount int64
	sum      float64
	marks    [3]mark
}

// mark is a quantile: it lies between the rows lower and lower+1 of the column in order, 0-based.
type mark struct {
	lower    int64
	fraction float64 // of the way to the next row
	value    float64
}

// NewSummary returns the operator over values and their counts.
func NewSummary(in Operator, n *plan.Summary, memory *Budget) Operator {
	counts := &counted{Operator: in}
	sort := &plan.Sort{Input: n.Input, Keys: []plan.SortKey{{Col: 0}}, Keep: 2}
	return &summary{n: n, counts: counts, sorted: NewSorter(counts, sort, memory)}
}

func (s *summary) Next(ctx context.Context) (*value.Batch, error) {
	if s.done {
		return nil, nil
	}
	for {
		b, err := s.sorted.Next(ctx)
		if err != nil {
			return nil, err
		}
		if b == nil {
			break
		}
		if s.distinct == 0 {
			s.place()
		}
		for i := range b.N {
			if v := b.Cols[0].At(i); !v.IsNull() {
				s.add(v, b.Cols[1].At(i).Int())
			}
		}
	}
	s.done = true
	return value.FromRows(TypesOf(s.n.Cols), [][]value.Value{s.row()}), nil
}

// place computes where the quantiles are, once all rows are counted.
func (s *summary) place() {
	for i, q := range []float64{0.25, 0.5, 0.75} {
		at := q * float64(s.counts.values-1)
		s.marks[i] = mark{lower: int64(at), fraction: at - math.Floor(at)}
	}
}

// add takes the next value in order, which has n rows.
func (s *summary) add(v value.Value, n int64) {
	if s.distinct == 0 {
		s.least = v
	}
	s.distinct++
	s.greatest = v
	if n > s.topCount {
		s.top, s.topCount = v, n
	}
	if s.numeric() {
		s.addNumber(v.Float(), n)
	}
	s.seen += n
}

func (s *summary) addNumber(x float64, n int64) {
	s.sum += x * float64(n)
	for i := range s.marks {
		m := &s.marks[i]
		if m.lower >= s.seen && m.lower < s.seen+n {
			m.value = x
		}
		if next := m.lower + 1; m.fraction > 0 && next >= s.seen && next < s.seen+n && x != m.value {
			m.value = m.value*(1-m.fraction) + x*m.fraction
		}
	}
}

func (s *summary) numeric() bool {
	return s.n.Column.Type == value.Integer || s.n.Column.Type == value.Float
}

// row is the result.
func (s *summary) row() []value.Value {
	row := make([]value.Value, len(s.n.Cols))
	copy(row, []value.Value{value.Str(s.n.Column.Name), value.Str(s.n.Column.Type.String()),
		value.Int(s.counts.values), value.Int(s.counts.nulls), value.Int(s.distinct)})
	if s.distinct == 0 {
		return row
	}
	row[5], row[6] = summaryText(s.least), summaryText(s.greatest)
	if s.numeric() {
		row[7] = value.Real(s.sum / float64(s.seen))
		for i, m := range s.marks {
			row[8+i] = value.Real(m.value)
		}
	}
	row[11], row[12] = summaryText(s.top), value.Int(s.topCount)
	return row
}

// summaryLength is how many characters of a value a summary shows.
const summaryLength = 60

// summaryText is a value as a summary shows it: its text in one line, cut where it is long.
func summaryText(v value.Value) value.Value {
	text := v.String()
	if utf8.RuneCountInString(text) > summaryLength {
		text = string([]rune(text[:min(len(text), 4*summaryLength)])[:summaryLength-1]) + "…"
	}
	return value.Str(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " "))
}

func (s *summary) Close() error { return s.sorted.Close() }

// counted passes values with their counts on and adds the counts up.
type counted struct {
	Operator
	values, nulls int64 // rows with a value, and without
}

func (c *counted) Next(ctx context.Context) (*value.Batch, error) {
	b, err := c.Operator.Next(ctx)
	if b == nil || err != nil {
		return b, err
	}
	for i := range b.N {
		n := b.Cols[1].At(i).Int()
		if b.Cols[0].IsNull(i) {
			c.nulls += n
		} else {
			c.values += n
		}
	}
	return b, nil
}

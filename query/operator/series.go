package operator

import (
	"context"

	"parlance/query/fault"
	"parlance/query/fn/timefn"
	"parlance/storage/value"
)

const (
	SeriesName = "generate_series"
	mostSeries = 10_000_000 // rows that it gives
)

// seriesOperator yields whole numbers at equal distances.
type seriesOperator struct {
	next, step int64
	left       int // numbers
}

// NewSeries reads the arguments of generate_series: start, stop, step; a NULL bound gives no rows.
func NewSeries(args []value.Value) (*seriesOperator, error) {
	bounds := [3]int64{2: 1}
	for i, v := range args {
		if v.IsNull() && i < 2 {
			return &seriesOperator{}, nil
		}
		if v.IsNull() {
			continue
		}
		n, err := value.Cast(v, value.Integer)
		if err != nil {
			return nil, fault.Invalid("%v", err)
		}
		bounds[i] = n.Int()
	}
	from, to, step := bounds[0], bounds[1], bounds[2]
	var steps uint64
	switch {
	case step == 0:
		return nil, fault.Invalid("the step of generate_series is not 0")
	case step > 0 && from <= to:
		steps = (uint64(to) - uint64(from)) / uint64(step)
	case step < 0 && from >= to:
		steps = (uint64(from) - uint64(to)) / uint64(-step)
	default:
		return &seriesOperator{}, nil
	}
	if steps >= mostSeries {
		return nil, fault.New("54000", "generate_series gives at most %d {row|rows}", mostSeries)
	}
	return &seriesOperator{from, step, int(steps) + 1}, nil
}

func (o *seriesOperator) Next(ctx context.Context) (*value.Batch, error) {
	n := min(o.left, value.BatchSize)
	if n == 0 || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	v := value.Vec{Type: value.Integer, Ints: make([]int64, n)}
	for i := range v.Ints {
		v.Ints[i] = o.next
		o.next += o.step
	}
	o.left -= n
	return &value.Batch{N: n, Cols: []value.Vec{v}}, nil
}

func (o *seriesOperator) Close() error { return nil }

// timeSeries yields times at equal intervals.
type timeSeries struct {
	at, stop, step value.Value
	sign           int // of the step
	n              int // rows so far
	done           bool
}

// NewTimeSeries reads the arguments of generate_series of times.
func NewTimeSeries(args []value.Value) (*timeSeries, error) {
	s := &timeSeries{at: args[0], stop: args[1], step: args[2]}
	for _, v := range args {
		s.done = s.done || v.IsNull()
	}
	if s.done {
		return s, nil
	}
	zero := value.Value{T: value.Timestamp}
	moved, err := timefn.TimePlus.Eval([]value.Value{zero, s.step})
	if err != nil {
		return nil, fault.Invalid("%v", err)
	}
	if s.sign = value.Compare(moved, zero); s.sign == 0 {
		return nil, fault.Invalid("the step of generate_series is not 0")
	}
	return s, nil
}

func (s *timeSeries) Next(ctx context.Context) (*value.Batch, error) {
	var out []value.Value
	for !s.done && len(out) < value.BatchSize && value.Compare(s.at, s.stop)*s.sign <= 0 {
		if s.n++; s.n > mostSeries {
			return nil, fault.New("54000", "generate_series gives at most %d {row|rows}", mostSeries)
		}
		out = append(out, s.at)
		next, err := timefn.TimePlus.Eval([]value.Value{s.at, s.step})
		if err != nil {
			return nil, err
		}
		s.done = value.Compare(next, s.at)*s.sign <= 0 // months and days may cancel out
		s.at = next
	}
	if len(out) == 0 || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return &value.Batch{N: len(out), Cols: []value.Vec{value.FromValues(value.Timestamp, out)}}, nil
}

func (s *timeSeries) Close() error { return nil }

// Rows is the whole series.
func (o *seriesOperator) Rows() [][]value.Value {
	out := make([][]value.Value, o.left)
	for i := range out {
		out[i] = []value.Value{value.Int(o.next + int64(i)*o.step)}
	}
	return out
}

package exec

import (
	"context"

	"parlance/storage/value"
)

const (
	seriesName = "generate_series"
	mostSeries = 10_000_000 // rows that it gives
)

// seriesOperator yields whole numbers at equal distances.
type seriesOperator struct {
	next, step int64
	left       int // numbers
}

// series reads the arguments of generate_series: start, stop, step; a NULL bound gives no rows.
func series(args []value.Value) (*seriesOperator, error) {
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
			return nil, invalid("%v", err)
		}
		bounds[i] = n.Int()
	}
	from, to, step := bounds[0], bounds[1], bounds[2]
	var steps uint64
	switch {
	case step == 0:
		return nil, invalid("the step of generate_series is not 0")
	case step > 0 && from <= to:
		steps = (uint64(to) - uint64(from)) / uint64(step)
	case step < 0 && from >= to:
		steps = (uint64(from) - uint64(to)) / uint64(-step)
	default:
		return &seriesOperator{}, nil
	}
	if steps >= mostSeries {
		return nil, fault("54000", "generate_series gives at most %d rows", mostSeries)
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

// rows is the whole series.
func (o *seriesOperator) rows() [][]value.Value {
	out := make([][]value.Value, o.left)
	for i := range out {
		out[i] = []value.Value{value.Int(o.next + int64(i)*o.step)}
	}
	return out
}

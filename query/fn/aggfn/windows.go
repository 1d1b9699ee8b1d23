package aggfn

import (
	"parlance/query/fn"
	"parlance/storage/value"
)

var windows = []fn.Window{
	{Name: "row_number", Doc: "number of the row in its partition, from 1", Args: nil, Optional: 0, Result: integer, Value: func(f *fn.Frame) (value.Value, error) { return value.Int(int64(f.Row + 1)), nil }, Example: "SELECT word, n, row_number() OVER (ORDER BY n DESC, word) FROM vocab"},
	{Name: "rank", Doc: "number of the first peer of the row", Args: nil, Optional: 0, Result: integer, Value: func(f *fn.Frame) (value.Value, error) { return value.Int(int64(f.First + 1)), nil }, Example: "SELECT word, n, rank() OVER (ORDER BY n DESC) FROM vocab ORDER BY n DESC, word"},
	{Name: "dense_rank", Doc: "number of the row's group of peers", Args: nil, Optional: 0, Result: integer, Value: func(f *fn.Frame) (value.Value, error) { return value.Int(int64(f.Groups + 1)), nil }, Example: "SELECT word, n, dense_rank() OVER (ORDER BY n DESC) FROM vocab ORDER BY n DESC, word"},
	{Name: "percent_rank", Doc: "(rank - 1) / (rows - 1)", Args: nil, Optional: 0, Result: float, Value: percentRank, Example: "SELECT word, n, percent_rank() OVER (ORDER BY n) FROM vocab ORDER BY n, word"},
	{Name: "cume_dist", Doc: "share of rows up to the last peer", Args: nil, Optional: 0, Result: float, Value: func(f *fn.Frame) (value.Value, error) { return value.Real(float64(f.Last) / float64(f.N)), nil }, Example: "SELECT word, n, cume_dist() OVER (ORDER BY n) FROM vocab ORDER BY n, word"},
	{Name: "ntile", Doc: "number of the row's bucket, of as many as the argument says", Args: []value.Type{integer}, Optional: 0, Result: integer, Value: ntile, Example: "SELECT word, n, ntile(2) OVER (ORDER BY n, word) FROM vocab"},
	{Name: "lag", Doc: "first argument of the row that lies the second argument (1) before; the third, or NULL, where there is none", Args: []value.Type{fn.Any, integer, fn.Any}, Optional: 2, Result: fn.Any, Value: func(f *fn.Frame) (value.Value, error) { return shifted(f, -1) }, Example: "SELECT word, lag(word) OVER (ORDER BY word), lag(word, 2, 'none') OVER (ORDER BY word) AS two FROM vocab"},
	{Name: "lead", Doc: "as lag, behind the row", Args: []value.Type{fn.Any, integer, fn.Any}, Optional: 2, Result: fn.Any, Value: func(f *fn.Frame) (value.Value, error) { return shifted(f, 1) }, Example: "SELECT word, lead(word) OVER (ORDER BY word) FROM vocab"},
	{Name: "first_value", Doc: "argument of the first row of the frame", Args: []value.Type{fn.Any}, Optional: 0, Result: fn.Any, Value: func(f *fn.Frame) (value.Value, error) { return f.Value(0), nil }, Example: "SELECT word, pos, first_value(word) OVER (PARTITION BY pos ORDER BY n DESC, word) FROM vocab ORDER BY pos, word"},
	{Name: "last_value", Doc: "argument of the last row of the frame", Args: []value.Type{fn.Any}, Optional: 0, Result: fn.Any, Value: func(f *fn.Frame) (value.Value, error) { return f.Value(f.Size() - 1), nil }, Example: "SELECT word, pos, last_value(word) OVER (PARTITION BY pos ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM vocab ORDER BY pos, word"},
	{Name: "nth_value", Doc: "first argument of the row of the frame that the second names, from 1", Args: []value.Type{fn.Any, integer}, Optional: 0, Result: fn.Any, Value: nth, Example: "SELECT word, nth_value(word, 2) OVER (ORDER BY word) FROM vocab"},
}

func percentRank(f *fn.Frame) (value.Value, error) {
	if f.N == 1 {
		return value.Real(0), nil
	}
	return value.Real(float64(f.First) / float64(f.N-1)), nil
}

// ntile gives the first N mod n buckets one row more.
func ntile(f *fn.Frame) (value.Value, error) {
	v, _ := f.Arg(f.Row, 0)
	if v.IsNull() {
		return v, nil
	}
	n := v.Int()
	if n < 1 {
		return value.Value{}, fn.Refused(&fn.Fault{Code: "22014", Msg: "ntile takes a number of buckets from 1"})
	}
	size, more := int64(f.N)/n, int64(f.N)%n
	row := int64(f.Row)
	if row < more*(size+1) {
		return value.Int(row/(size+1) + 1), nil
	}
	return value.Int(more + (row-more*(size+1))/size + 1), nil
}

func shifted(f *fn.Frame, sign int64) (value.Value, error) {
	by := int64(1)
	if v, ok := f.Arg(f.Row, 1); ok {
		if v.IsNull() {
			return v, nil
		}
		by = v.Int()
	}
	if by > int64(f.N) || by < -int64(f.N) {
		by = int64(f.N)
	}
	if row := int64(f.Row) + sign*by; row >= 0 && row < int64(f.N) {
		v, _ := f.Arg(int(row), 0)
		return v, nil
	}
	v, _ := f.Arg(f.Row, 2)
	return v, nil
}

func nth(f *fn.Frame) (value.Value, error) {
	v, _ := f.Arg(f.Row, 1)
	if v.IsNull() {
		return v, nil
	}
	if v.Int() < 1 {
		return value.Value{}, fn.Refused(&fn.Fault{Code: "22016", Msg: "nth_value counts rows from 1"})
	}
	return f.Value(int(min(v.Int(), int64(f.N)+1)) - 1), nil
}

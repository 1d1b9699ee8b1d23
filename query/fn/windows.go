package fn

import (
	"parlance/storage/value"
)

// Window is a function over the rows of a window, each row getting a value.
type Window struct {
	Name     string
	Doc      string
	Args     []value.Type
	Optional int        // how many of the last arguments may be left out
	Result   value.Type // Any for the type of the first argument
	// Value computes the value of the row that the frame is for.
	Value func(f *Frame) (value.Value, error)
	// Example is a SELECT over the table vocab (word, pos, n) that shows the function.
	Example string
}

// Frame is what a window function sees of a row: its place in the ordered partition of N rows,
// 0-based, the rows [First, Last) that are its peers in the order, the peer groups before it,
// and the rows [From, To) of its frame, but for those of Hole.
type Frame struct {
	Row, N      int
	First, Last int
	Groups      int
	From, To    int
	Hole        [2]int // rows of the frame that EXCLUDE leaves out, from first to behind the last
	Kept        int    // the row of the hole that stays in the frame, -1 for none
	// Arg returns argument k of a row of the partition; ok is false if it was left out.
	Arg func(row, k int) (v value.Value, ok bool)
}

var windows = []Window{
	{"row_number", "number of the row in its partition, from 1", nil, 0, integer, func(f *Frame) (value.Value, error) { return value.Int(int64(f.Row + 1)), nil }, "SELECT word, n, row_number() OVER (ORDER BY n DESC, word) FROM vocab"},
	{"rank", "number of the first peer of the row", nil, 0, integer, func(f *Frame) (value.Value, error) { return value.Int(int64(f.First + 1)), nil }, "SELECT word, n, rank() OVER (ORDER BY n DESC) FROM vocab ORDER BY n DESC, word"},
	{"dense_rank", "number of the row's group of peers", nil, 0, integer, func(f *Frame) (value.Value, error) { return value.Int(int64(f.Groups + 1)), nil }, "SELECT word, n, dense_rank() OVER (ORDER BY n DESC) FROM vocab ORDER BY n DESC, word"},
	{"percent_rank", "(rank - 1) / (rows - 1)", nil, 0, float, percentRank, "SELECT word, n, percent_rank() OVER (ORDER BY n) FROM vocab ORDER BY n, word"},
	{"cume_dist", "share of rows up to the last peer", nil, 0, float, func(f *Frame) (value.Value, error) { return value.Real(float64(f.Last) / float64(f.N)), nil }, "SELECT word, n, cume_dist() OVER (ORDER BY n) FROM vocab ORDER BY n, word"},
	{"ntile", "number of the row's bucket, of as many as the argument says", []value.Type{integer}, 0, integer, ntile, "SELECT word, n, ntile(2) OVER (ORDER BY n, word) FROM vocab"},
	{"lag", "first argument of the row that lies the second argument (1) before; the third, or NULL, where there is none", []value.Type{Any, integer, Any}, 2, Any, func(f *Frame) (value.Value, error) { return shifted(f, -1) }, "SELECT word, lag(word) OVER (ORDER BY word), lag(word, 2, 'none') OVER (ORDER BY word) AS two FROM vocab"},
	{"lead", "as lag, behind the row", []value.Type{Any, integer, Any}, 2, Any, func(f *Frame) (value.Value, error) { return shifted(f, 1) }, "SELECT word, lead(word) OVER (ORDER BY word) FROM vocab"},
	{"first_value", "argument of the first row of the frame", []value.Type{Any}, 0, Any, func(f *Frame) (value.Value, error) { return f.value(0), nil }, "SELECT word, pos, first_value(word) OVER (PARTITION BY pos ORDER BY n DESC, word) FROM vocab ORDER BY pos, word"},
	{"last_value", "argument of the last row of the frame", []value.Type{Any}, 0, Any, func(f *Frame) (value.Value, error) { return f.value(f.size() - 1), nil }, "SELECT word, pos, last_value(word) OVER (PARTITION BY pos ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM vocab ORDER BY pos, word"},
	{"nth_value", "first argument of the row of the frame that the second names, from 1", []value.Type{Any, integer}, 0, Any, nth, "SELECT word, nth_value(word, 2) OVER (ORDER BY word) FROM vocab"},
}

// Windows returns the window functions.
func Windows() []Window { return windows }

// Signature prints name, arguments and result.
func (w *Window) Signature() string {
	f := Func{Name: w.Name, Args: w.Args, Optional: w.Optional, Result: w.Result}
	return f.Signature()
}

// parts are the rows of the frame: before the hole, the row that stays in it, and behind it.
func (f *Frame) parts() [3][2]int {
	h, g := f.Hole[0], f.Hole[1]
	if h >= g {
		return [3][2]int{{f.From, f.To}}
	}
	out := [3][2]int{{f.From, max(f.From, min(h, f.To))}, {}, {min(max(g, f.From), f.To), f.To}}
	if f.Kept >= max(h, f.From) && f.Kept < min(g, f.To) {
		out[1] = [2]int{f.Kept, f.Kept + 1}
	}
	return out
}

// size is the number of rows of the frame.
func (f *Frame) size() int {
	n := 0
	for _, p := range f.parts() {
		n += p[1] - p[0]
	}
	return n
}

// value is the first argument in a row of the frame, from 0; NULL where there is none.
func (f *Frame) value(k int) value.Value {
	for _, p := range f.parts() {
		if n := p[1] - p[0]; k >= n {
			k -= n
			continue
		}
		if k < 0 {
			break
		}
		v, _ := f.Arg(p[0]+k, 0)
		return v
	}
	return value.Value{}
}

func percentRank(f *Frame) (value.Value, error) {
	if f.N == 1 {
		return value.Real(0), nil
	}
	return value.Real(float64(f.First) / float64(f.N-1)), nil
}

// ntile gives the first N mod n buckets one row more.
func ntile(f *Frame) (value.Value, error) {
	v, _ := f.Arg(f.Row, 0)
	if v.IsNull() {
		return v, nil
	}
	n := v.Int()
	if n < 1 {
		return value.Value{}, Refused(&Fault{Code: "22014", Msg: "ntile takes a number of buckets from 1"})
	}
	size, more := int64(f.N)/n, int64(f.N)%n
	row := int64(f.Row)
	if row < more*(size+1) {
		return value.Int(row/(size+1) + 1), nil
	}
	return value.Int(more + (row-more*(size+1))/size + 1), nil
}

func shifted(f *Frame, sign int64) (value.Value, error) {
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

func nth(f *Frame) (value.Value, error) {
	v, _ := f.Arg(f.Row, 1)
	if v.IsNull() {
		return v, nil
	}
	if v.Int() < 1 {
		return value.Value{}, Refused(&Fault{Code: "22016", Msg: "nth_value counts rows from 1"})
	}
	return f.value(int(min(v.Int(), int64(f.N)+1)) - 1), nil
}

package fn

import "parlance/storage/value"

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

// Size is the number of rows of the frame.
func (f *Frame) Size() int {
	n := 0
	for _, p := range f.parts() {
		n += p[1] - p[0]
	}
	return n
}

// Value is the first argument in a row of the frame, from 0; NULL where there is none.
func (f *Frame) Value(k int) value.Value {
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

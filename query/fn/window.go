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

// Frame is what a window function knows about a row: its place Row among the N rows of its partition, counted from 0;
// its peers in the order, the rows [First, Last); the number of groups of peers before it; and the rows of its frame,
// [From, To) without those of Hole.
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

// parts returns the ranges of rows of the frame: before the hole, the row that stays in the hole, and behind it.
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

// Size returns the number of rows of the frame.
func (f *Frame) Size() int {
	n := 0
	for _, p := range f.parts() {
		n += p[1] - p[0]
	}
	return n
}

// Value returns the first argument in row k of the frame, counted from 0; NULL if there is no such row.
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

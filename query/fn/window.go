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
// [From, To).
type Frame struct {
	Row, N      int
	First, Last int
	Groups      int
	From, To    int
	// Arg returns argument k of a row of the partition; ok is false if it was left out.
	Arg func(row, k int) (v value.Value, ok bool)
}

// Signature prints name, arguments and result.
func (w *Window) Signature() string {
	f := Func{Name: w.Name, Args: w.Args, Optional: w.Optional, Result: w.Result}
	return f.Signature()
}

// Size returns the number of rows of the frame.
func (f *Frame) Size() int { return f.To - f.From }

// Value returns the first argument in row k of the frame, counted from 0; NULL if there is no such row.
func (f *Frame) Value(k int) value.Value {
	if k < 0 || k >= f.Size() {
		return value.Value{}
	}
	v, _ := f.Arg(f.From+k, 0)
	return v
}

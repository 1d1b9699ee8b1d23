package fn

import "parlance/storage/value"

var fourInts = []value.Type{integer, integer, integer, integer}

func onSpans(f func(a, b, c, d int64) bool) func([]value.Value) (value.Value, error) {
	return func(v []value.Value) (value.Value, error) {
		return value.Bool(f(v[0].Int(), v[1].Int(), v[2].Int(), v[3].Int())), nil
	}
}

// Spans are half-open: [start, end).
var spanFuncs = []Func{
	{Name: "contains", Doc: "whether span (start, end) contains span (start, end); half-open offsets", Args: fourInts, Result: boolean,
		Eval: onSpans(func(a, b, c, d int64) bool { return a <= c && d <= b })},
	{Name: "within", Doc: "whether the first span lies within the second", Args: fourInts, Result: boolean,
		Eval: onSpans(func(a, b, c, d int64) bool { return c <= a && b <= d })},
	{Name: "overlaps", Doc: "whether two spans (start, end, start, end) share a position; half-open offsets", Args: fourInts, Result: boolean,
		Eval: onSpans(func(a, b, c, d int64) bool { return a < d && c < b })},
	{Name: "precedes", Doc: "whether the first span ends at or before the start of the second", Args: fourInts, Result: boolean,
		Eval: onSpans(func(_, b, c, _ int64) bool { return b <= c })},
	{Name: "follows", Doc: "whether the first span starts at or after the end of the second", Args: fourInts, Result: boolean,
		Eval: onSpans(func(a, _, _, d int64) bool { return a >= d })},
}

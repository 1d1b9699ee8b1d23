package numfn

import (
	"fmt"
	"math"

	"parlance/query/fn"
	"parlance/storage/value"
)

var fourInts = []value.Type{integer, integer, integer, integer}

func onSpans(f func(a, b, c, d int64) bool) func([]value.Value) (value.Value, error) {
	return func(v []value.Value) (value.Value, error) {
		return value.Bool(f(v[0].Int(), v[1].Int(), v[2].Int(), v[3].Int())), nil
	}
}

// Spans are half-open: [start, end).
var spanFuncs = []fn.Func{
	{Name: "contains", Doc: "whether span (start, end) contains span (start, end); half-open offsets",
		Example: "contains(0, 8, 4, 8)", Args: fourInts, Result: boolean,
		Eval: onSpans(func(a, b, c, d int64) bool { return a <= c && d <= b })},
	{Name: "within", Doc: "whether the first span lies within the second", Example: "within(4, 8, 0, 8)",
		Args: fourInts, Result: boolean,
		Eval: onSpans(func(a, b, c, d int64) bool { return c <= a && b <= d })},
	{Name: "overlaps", Doc: "whether two spans (start, end, start, end) share a position; half-open offsets",
		Example: "overlaps(0, 4, 4, 8)", Args: fourInts, Result: boolean,
		Eval: onSpans(func(a, b, c, d int64) bool { return a < d && c < b })},
	{Name: "precedes", Doc: "whether the first span ends at or before the start of the second, with at most k " +
		"positions between if k is given", Example: "precedes(0, 4, 4, 8)", Args: spansWithin, Optional: 1,
		Result: boolean,
		Eval:   withinDistance(func(_, b, c, _ int64) (from, to int64) { return b, c })},
	{Name: "follows", Doc: "whether the first span starts at or after the end of the second, with at most k " +
		"positions between if k is given", Example: "follows(4, 8, 0, 4)", Args: spansWithin, Optional: 1,
		Result: boolean,
		Eval:   withinDistance(func(a, _, _, d int64) (from, to int64) { return d, a })},
	{Name: "adjacent", Doc: "whether one span starts where the other ends; half-open offsets",
		Example: "adjacent(0, 4, 4, 8)", Args: fourInts, Result: boolean,
		Eval: onSpans(func(a, b, c, d int64) bool { return b == c || d == a })},
	{Name: "span_distance", Doc: "positions between two spans, NULL where they overlap; half-open offsets",
		Example: "span_distance(0, 4, 6, 8)", Args: fourInts, Result: integer,
		Eval: func(v []value.Value) (value.Value, error) {
			return gap(v, 0)
		}},
	{Name: "token_distance", Doc: "tokens between two spans of one sentence (tok_start, tok_end, tok_start, " +
		"tok_end), 0 for neighbours, NULL where they overlap", Example: "token_distance(1, 2, 5, 6)", Args: fourInts,
		Result: integer,
		Eval: func(v []value.Value) (value.Value, error) {
			return gap(v, 1)
		}},
	{Name: "overlap_length", Doc: "positions that two spans share; half-open offsets",
		Example: "overlap_length(0, 5, 3, 8)", Args: fourInts, Result: integer,
		Eval: func(v []value.Value) (value.Value, error) { return count(overlap(v)) }},
	{Name: "span_jaccard", Doc: "positions that two spans share over all that they cover, from 0 to 1; " +
		"half-open offsets", Example: "span_jaccard(0, 4, 2, 6)", Args: fourInts, Result: float,
		Eval: func(v []value.Value) (value.Value, error) {
			n := float64(overlap(v))
			all := float64(length(v[0].Int(), v[1].Int())) + float64(length(v[2].Int(), v[3].Int())) - n
			if all == 0 {
				return value.Real(0), nil
			}
			return value.Real(n / all), nil
		}},
	{Name: "span_union", Doc: "the smallest span around two spans, as the JSON array [start, end]",
		Example: "span_union(0, 4, 6, 8)", Args: fourInts, Result: value.JSON,
		Eval: func(v []value.Value) (value.Value, error) {
			return jsonSpan(min(v[0].Int(), v[2].Int()), max(v[1].Int(), v[3].Int())), nil
		}},
	{Name: "span_intersection", Doc: "the span that two spans share, as the JSON array [start, end]; NULL where " +
		"they do not overlap", Example: "span_intersection(0, 5, 3, 8)", Args: fourInts, Result: value.JSON,
		Eval: func(v []value.Value) (value.Value, error) {
			start, end := max(v[0].Int(), v[2].Int()), min(v[1].Int(), v[3].Int())
			if start >= end {
				return value.Value{}, nil
			}
			return jsonSpan(start, end), nil
		}},
	{Name: SameSentence, Doc: "whether two rows lie in one sentence: doc, sent, doc, sent; the same as a.doc = " +
		"b.doc AND a.sent = b.sent", Example: "same_sentence('d1', 2, 'd1', 3)",
		Args: []value.Type{text, integer, text, integer}, Result: boolean,
		Eval: func(v []value.Value) (value.Value, error) {
			return value.Bool(v[0].S == v[2].S && v[1].Int() == v[3].Int()), nil
		}},
}

// SameSentence is the function that binding turns into equalities, so that it can join.
const SameSentence = "same_sentence"

var spansWithin = []value.Type{integer, integer, integer, integer, integer}

// withinDistance asks for a gap that is not negative, and no more than a fifth argument.
func withinDistance(gap func(a, b, c, d int64) (from, to int64)) func([]value.Value) (value.Value, error) {
	return func(v []value.Value) (value.Value, error) {
		from, to := gap(v[0].Int(), v[1].Int(), v[2].Int(), v[3].Int())
		return value.Bool(from <= to &&
			(len(v) < 5 || v[4].Int() >= 0 && length(from, to) <= uint64(v[4].Int()))), nil
	}
}

// length is how many positions are from a to b, 0 where b is not after a. The ends may be any integers.
func length(a, b int64) uint64 {
	if b <= a {
		return 0
	}
	return uint64(b) - uint64(a)
}

// count is a number of positions, an error if it is no integer of the language.
func count(n uint64) (value.Value, error) {
	if n > math.MaxInt64 {
		return value.Value{}, fmt.Errorf("integer %w", value.ErrRange)
	}
	return value.Int(int64(n)), nil
}

// gap is the gap between two spans, whose ends are the last position (last 1) or the one after it (0). NULL for none.
func gap(v []value.Value, last uint64) (value.Value, error) {
	a, b, c, d := v[0].Int(), v[1].Int(), v[2].Int(), v[3].Int()
	switch {
	case b <= c && length(b, c) >= last:
		return count(length(b, c) - last)
	case d <= a && length(d, a) >= last:
		return count(length(d, a) - last)
	}
	return value.Value{}, nil
}

func overlap(v []value.Value) uint64 {
	return length(max(v[0].Int(), v[2].Int()), min(v[1].Int(), v[3].Int()))
}

func jsonSpan(start, end int64) value.Value {
	return value.Value{T: value.JSON, S: fmt.Sprintf("[%d, %d]", start, end)}
}

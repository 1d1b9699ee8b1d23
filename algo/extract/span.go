// Package extract finds spans of tokens by rules: regular expressions, dictionaries, patterns
// over tokens and layers, and the key words of a concordance.
package extract

import (
	"cmp"
	"slices"
)

// Range is rows of the layer tokens of a document, 0-based and half-open.
type Range struct{ From, To int32 }

// Span is a match: a range with the labels of what matched there, and what the groups of a
// pattern cover. The range of a group that took no part is empty.
type Span struct {
	Range
	Labels []string
	Groups []Range
}

// Policy says what becomes of spans that overlap.
type Policy string

// The policies.
const (
	// Longest keeps the longest span (of equally long ones the leftmost) and drops what
	// overlaps it, until none is left.
	Longest Policy = "longest"
	// Leftmost keeps the span that starts first (of these the longest) and drops what overlaps
	// it, until none is left.
	Leftmost Policy = "leftmost"
	// Exact keeps one span for each range, with its first label.
	Exact Policy = "exact"
	// All keeps every span.
	All Policy = "none"
)

// Policies lists the names of the policies.
var Policies = []string{string(Longest), string(Leftmost), string(Exact), string(All)}

// Consolidate applies a policy to non-empty spans, no two of one range. It returns them by
// start, then end.
func Consolidate(spans []Span, p Policy) []Span {
	slices.SortStableFunc(spans, func(a, b Span) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	switch p {
	case Exact:
		for i := range spans {
			if len(spans[i].Labels) > 1 {
				spans[i].Labels = spans[i].Labels[:1]
			}
		}
	case Leftmost:
		return leftmost(spans)
	case Longest:
		return longest(spans)
	}
	return spans
}

func leftmost(spans []Span) []Span {
	var out []Span
	end := int32(0)
	for i, s := range spans {
		last := i+1 == len(spans) || spans[i+1].From != s.From // the longest that starts there
		if last && s.From >= end {
			out = append(out, s)
			end = s.To
		}
	}
	return out
}

// longest goes from the longest down: what overlaps a span that is at least as long covers
// its first or its last token.
func longest(spans []Span) []Span {
	order := make([]int, len(spans))
	size := int32(0)
	for i, s := range spans {
		order[i] = i
		size = max(size, s.To)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(spans[b].To-spans[b].From, spans[a].To-spans[a].From)
	})
	taken := make([]bool, size)
	keep := make([]bool, len(spans))
	for _, i := range order {
		s := spans[i]
		if taken[s.From] || taken[s.To-1] {
			continue
		}
		keep[i] = true
		for k := s.From; k < s.To; k++ {
			taken[k] = true
		}
	}
	out := spans[:0]
	for i, s := range spans {
		if keep[i] {
			out = append(out, s)
		}
	}
	return out
}

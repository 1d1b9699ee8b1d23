package layers

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
)

// TestSortSpans: many spans are sorted as few are, and equal ones stay in their order.
func TestSortSpans(t *testing.T) {
	spans := make([]Span, 5*fewSpans)
	for i := range spans {
		spans[i] = Span{Start: i * 7 % 10, End: 10 + i*11%3, Label: fmt.Sprint(i)}
	}
	want := slices.Clone(spans)
	slices.SortStableFunc(want, func(x, y Span) int {
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(y.End, x.End))
	})
	if err := sortSpans(spans, nil); err != nil || !slices.Equal(spans, want) {
		t.Errorf("%v %v", spans[:5], err)
	}
}

package format

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
)

// TestSortSpans: many spans are sorted as few are, and equal ones stay in their order.
func TestSortSpans(t *testing.T) {
	spans := make([]charSpan, 5*fewSpans)
	for i := range spans {
		spans[i] = charSpan{start: i * 7 % 10, end: 10 + i*11%3, label: fmt.Sprint(i)}
	}
	want := slices.Clone(spans)
	slices.SortStableFunc(want, func(x, y charSpan) int {
		return cmp.Or(cmp.Compare(x.start, y.start), cmp.Compare(y.end, x.end))
	})
	if err := sortSpans(spans, nil); err != nil || !slices.Equal(spans, want) {
		t.Errorf("%v %v", spans[:5], err)
	}
}

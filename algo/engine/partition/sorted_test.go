package partition

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSortedInRuns compares lists of several runs, and of parts of them, with the sort of the library.
func TestSortedInRuns(t *testing.T) {
	for _, n := range []int{0, 1, 1000, sortedRun, sortedRun + 1, 2*sortedRun + 7, 5 * sortedRun} {
		list := make([]int32, n)
		for i := range list {
			list[i] = rand.Int32N(int32(n))
		}
		want := slices.Clone(list)
		slices.Sort(want)
		got, err := sorted(context.Background(), list, cmp.Compare[int32])
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d items: %v", n, err)
		}
	}
}

// TestSortingEnds ends the context before and in the middle of the merges.
func TestSortingEnds(t *testing.T) {
	for _, after := range []int{0, 3, 7} {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		calls := 0
		list := make([]int32, 5*sortedRun)
		if after == 0 {
			cancel()
		}
		_, err := sorted(ctx, list, func(a, b int32) int {
			if calls++; calls == after*sortedRun {
				cancel()
			}
			return cmp.Compare(a, b)
		})
		if err == nil || calls > (after+2)*sortedRun {
			t.Errorf("cancelled after %d runs: %v after %d comparisons", after, err, calls)
		}
	}
}

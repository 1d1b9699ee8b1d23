package topk

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestSelection compares what is kept with a sort.
func TestSelection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []Item
		var kept Best
		kept.Reset(rapid.IntRange(0, 300).Draw(t, "n"))
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		values, order := 1+rng.IntN(2000), rng.IntN(3)
		for i := range rng.IntN(2000) {
			x := Item{uint32(i), float64(rng.IntN(values))}
			if order > 0 { // rising or falling
				x.Score = float64(i) * float64(2*order-3)
			}
			all = append(all, x)
			kept.Add(x.ID, x.Score)
		}
		slices.SortFunc(all, Compare)
		if n := min(kept.n, len(all)); !slices.Equal(kept.Sorted(), all[:n]) {
			t.Fatalf("the best %d are %v, want %v", n, kept.list, all[:n])
		}
	})
}

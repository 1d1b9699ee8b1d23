package nonlocal

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/algo/testutil/testtime"

	"pgregory.net/rapid"
)

// all lists every labelling that is not forbidden, the best first, equal ones by their labels.
func all(b *table) (out [][]uint16) {
	y := make([]uint16, b.n)
	for {
		if !math.IsInf(b.score(y), -1) {
			out = append(out, slices.Clone(y))
		}
		t := b.n - 1
		for ; t >= 0 && int(y[t]) == b.labels-1; t-- {
			y[t] = 0
		}
		if t < 0 {
			break
		}
		y[t]++
	}
	slices.SortStableFunc(out, func(p, q []uint16) int {
		return cmp.Or(cmp.Compare(b.score(q), b.score(p)), slices.Compare(p, q))
	})
	return out
}

// randomTable has whole scores, so that sums are exact and many are equal.
func randomTable(rng *rand.Rand, labels, n, spread int, shared bool) *table {
	b := &table{}
	b.resize(labels, n, shared)
	for i := range b.node {
		b.node[i] = float64(rng.IntN(spread))
	}
	for i := range b.edge {
		if b.edge[i] = float64(rng.IntN(spread)); rng.IntN(8) == 0 {
			b.edge[i] = blocked
		}
	}
	return b
}

func TestNBestAgainstEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		labels, n := rapid.IntRange(1, 4).Draw(t, "labels"), rapid.IntRange(1, 6).Draw(t, "tokens")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		b := randomTable(rng, labels, n, rapid.SampledFrom([]int{1, 3, 1000}).Draw(t, "spread"),
			rapid.Bool().Draw(t, "shared"))
		want := all(b)
		k := rapid.SampledFrom([]int{1, 2, 5, 20, 10000}).Draw(t, "n")
		var s search
		if got := s.find(context.Background(), b, k); got != min(k, len(want)) {
			t.Fatalf("%d labellings, want %d", got, min(k, len(want)))
		}
		for i := range s.Len() {
			if got := s.Labels(i, nil); !slices.Equal(got, want[i]) || s.Score(i) != b.score(want[i]) {
				t.Fatalf("labelling %d is %v with %v, want %v with %v", i, got, s.Score(i), want[i], b.score(want[i]))
			}
		}
	})
}

func TestNBestOfLongTexts(t *testing.T) {
	testtime.Alone(t)
	b := randomTable(rand.New(rand.NewPCG(1, 1)), 9, 3000, 1<<20, false)
	var s search
	n := s.find(context.Background(), b, 2000)
	if n != 2000 {
		t.Fatal(n)
	}
	seen := map[string]bool{}
	for i := range s.Len() {
		y := s.Labels(i, nil)
		if s.Score(i) != b.score(y) || i > 0 && s.Score(i) > s.Score(i-1) {
			t.Fatalf("labelling %d: %v, is %v", i, s.Score(i), b.score(y))
		}
		key := make([]byte, len(y))
		for t, k := range y {
			key[t] = byte(k)
		}
		if seen[string(key)] {
			t.Fatalf("labelling %d is there twice", i)
		}
		seen[string(key)] = true
	}
}

func BenchmarkNBest(b *testing.B) {
	tab := randomTable(rand.New(rand.NewPCG(1, 1)), 9, 500, 1<<20, false)
	var s search
	for b.Loop() {
		s.find(b.Context(), tab, 20)
	}
}

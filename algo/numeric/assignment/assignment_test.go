package assignment

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// best tries all matchings.
func best(left int, used []bool, w map[[2]int]float64, i int) float64 {
	if i == left {
		return 0
	}
	top := best(left, used, w, i+1)
	for j := range used {
		if x, ok := w[[2]int{i, j}]; ok && !used[j] {
			used[j] = true
			top = max(top, x+best(left, used, w, i+1))
			used[j] = false
		}
	}
	return top
}

// TestMaxBruteForce compares the total with that of the best of all matchings, ties, negative and missing pairs
// among them.
func TestMaxBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		left, right := rapid.IntRange(0, 6).Draw(t, "left"), rapid.IntRange(0, 6).Draw(t, "right")
		scale := rapid.SampledFrom([]float64{1, 1. / 3, 800, 1e-9}).Draw(t, "scale")
		w := map[[2]int]float64{}
		var pairs []Pair
		for i := range left {
			for j := range right {
				for range rapid.IntRange(0, 2).Draw(t, "times") {
					x := scale * float64(rapid.IntRange(-2, 5).Draw(t, "weight"))
					pairs = append(pairs, Pair{i, j, x})
					if old, ok := w[[2]int{i, j}]; !ok || x > old {
						w[[2]int{i, j}] = x
					}
				}
			}
		}
		match, total, err := Max(context.Background(), left, right, pairs)
		if err != nil {
			t.Fatal(err)
		}
		sum, used := 0.0, map[int]bool{}
		for i, j := range match {
			if j < 0 {
				continue
			}
			x, ok := w[[2]int{i, j}]
			if !ok || used[j] {
				t.Fatalf("%d is matched with %d in %v", i, j, match)
			}
			used[j] = true
			sum += x
		}
		want := best(left, make([]bool, right), w, 0)
		if math.Abs(total-want) > 1e-9*scale || sum != total {
			t.Fatalf("%v makes %v (sum %v), the best matching %v", match, total, sum, want)
		}
	})
}

func TestFaults(t *testing.T) {
	for _, p := range []Pair{{2, 0, 1}, {0, -1, 1}, {0, 0, math.NaN()}, {0, 0, math.Inf(1)}} {
		if _, _, err := Max(context.Background(), 1, 1, []Pair{p}); err == nil {
			t.Errorf("%v is matched", p)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := Max(ctx, 1, 1, nil); err != context.Canceled {
		t.Errorf("after the end of the context: %v", err)
	}
}

// BenchmarkDense matches n sides with all others, BenchmarkSparse with four each.
func BenchmarkDense(b *testing.B)  { bench(b, 300, 300) }
func BenchmarkSparse(b *testing.B) { bench(b, 10000, 4) }

func bench(b *testing.B, n, each int) {
	rng := rand.New(rand.NewPCG(1, 2))
	var pairs []Pair
	for i := range n {
		for k := range each {
			j := k
			if each < n {
				j = rng.IntN(n)
			}
			pairs = append(pairs, Pair{i, j, rng.Float64()})
		}
	}
	for b.Loop() {
		if _, _, err := Max(context.Background(), n, n, pairs); err != nil {
			b.Fatal(err)
		}
	}
}

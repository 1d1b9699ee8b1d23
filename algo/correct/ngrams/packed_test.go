package ngrams

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestPacked(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, largest := range []uint64{0, 1, 2, 255, 1<<25 - 1, 1<<33 + 5, math.MaxUint64} {
		want := make([]uint64, 201)
		for i := range want {
			if want[i] = rng.Uint64(); largest != math.MaxUint64 {
				want[i] %= largest + 1
			}
		}
		p := newPacked(len(want), largest)
		for i, v := range want {
			p.set(i, v)
		}
		for i, v := range want {
			if got := p.get(i); got != v {
				t.Fatalf("largest %d: number %d is %d, want %d", largest, i, got, v)
			}
		}
	}
}

func TestRising(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for _, step := range []int{1, 2, 3, 40, 5000} {
		for _, n := range []int{2, 3, 33, 64, 1000} {
			v := make([]uint32, n)
			for i := 1; i < n; i++ {
				v[i] = v[i-1] + uint32(rng.IntN(step)*rng.IntN(2))
				if rng.IntN(50) == 0 {
					v[i] += uint32(300 * step)
				}
			}
			r := newRising(v)
			for i := range n - 1 {
				if a, b := r.pair(i); a != int(v[i]) || b != int(v[i+1]) {
					t.Fatalf("step %d: pair %d of %d is %d, %d, want %d, %d", step, i, n, a, b, v[i], v[i+1])
				}
			}
		}
	}
}

func TestStoredCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for _, n := range []int{1, 64, 1000} {
		v := make([]uint64, n)
		for i := range v {
			if v[i] = 2; rng.IntN(3) == 0 {
				v[i] += rng.Uint64() >> (20 + rng.IntN(44))
			}
		}
		c := newCounts(len(v), slices.Values(v))
		for i := range v {
			if got := c.get(i); got != v[i] {
				t.Fatalf("count %d of %d is %d, want %d", i, n, got, v[i])
			}
		}
	}
}

func TestGallop(t *testing.T) {
	list := []uint32{2, 3, 7, 8, 9, 20, 21, 40}
	for n := range len(list) + 1 {
		for w := range uint32(45) {
			want, _ := slices.BinarySearch(list[:n], w)
			if got := gallop(list[:n], w); got != want {
				t.Errorf("place of %d among %v is %d, want %d", w, list[:n], got, want)
			}
		}
	}
}

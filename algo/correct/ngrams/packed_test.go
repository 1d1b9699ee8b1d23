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

// TestPackedFind: every number of a part is found at its place, and no other, however they rise.
func TestPackedFind(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 3, 4, 7, 50, 1000} {
		for name, step := range map[string]func(i int) uint64{
			"evenly":    func(int) uint64 { return 3 },
			"closely":   func(int) uint64 { return 1 },
			"randomly":  func(int) uint64 { return 1 + rng.Uint64N(9) },
			"with jump": func(i int) uint64 { return 1 + 5000*uint64(i&-i>>6) },
			"steeply":   func(i int) uint64 { return uint64(1 + i*i) },
		} {
			list := []uint64{900, 2} // of other parts
			for i := range n {
				list = append(list, list[len(list)-1]+step(i))
			}
			from, to := 2, len(list)
			top := list[to-1]
			list = append(list, 1)
			p := newPacked(len(list), max(top, 900))
			for i, v := range list {
				p.set(i, v)
			}
			wanted := slices.Concat([]uint64{0, 1, 2, top + 1}, list)
			for _, v := range list {
				wanted = append(wanted, v+1, v-1)
			}
			for _, v := range wanted {
				want := -1
				if i := slices.Index(list[from:to], v); i >= 0 {
					want = from + i
				}
				if got := p.find(from, to, v); got != want {
					t.Fatalf("%d numbers that rise %s: %d is at %d, want %d", n, name, v, got, want)
				}
			}
		}
	}
}

// TestExceeds: one number above the limit is noticed at every place, and none at the limit.
func TestExceeds(t *testing.T) {
	for _, limit := range []uint64{0, 1, 2, 5, 1<<25 - 2, 1<<25 - 1} {
		for at := range 67 {
			p := newPacked(67, limit+1)
			for i := range 67 {
				p.set(i, limit)
			}
			if p.exceeds(limit) {
				t.Fatalf("limit %d is exceeded", limit)
			}
			p = newPacked(67, limit+1)
			p.set(at, limit+1)
			if !p.exceeds(limit) {
				t.Fatalf("%d at %d does not exceed %d", limit+1, at, limit)
			}
		}
	}
	if p := newPacked(3, 7); p.exceeds(7) || p.exceeds(8) {
		t.Error("a limit that no number of this width is above")
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
			seen := 0
			for i, x := range r.all() {
				if i != seen || x != int(v[i]) {
					t.Fatalf("step %d: number %d of %d is %d at %d, want %d", step, seen, n, x, i, v[seen])
				}
				seen++
			}
			if seen != n {
				t.Fatalf("step %d: %d of %d numbers", step, seen, n)
			}
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

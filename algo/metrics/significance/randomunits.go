package significance

import (
	"context"
	"math"
)

// Swapped computes a score of two systems after the units that are set were swapped between them.
type Swapped func(swap []bool) (a, b float64)

// RandomisationUnits is Randomisation of one score that is no function of sums: room returns what
// computes it, with memory of its own, for each worker.
func RandomisationUnits(ctx context.Context, units int, room func() Swapped, d Draws) (float64, error) {
	exact := units < 31 && 1<<units <= d.N
	shuffles := d.N
	if exact {
		shuffles = 1 << units
	}
	a, b := room()(make([]bool, units))
	observed := math.Abs(a - b)
	type memory struct {
		swap   []bool
		f      Swapped
		beyond int
	}
	rooms := make([]memory, max(1, d.Workers))
	err := each(ctx, shuffles, d.Workers, func(w, k int) {
		r := &rooms[w]
		if r.swap == nil {
			r.swap, r.f = make([]bool, units), room()
		}
		rng, bits := source(d.Seed, 2, k), uint64(k)
		for i := range r.swap {
			if !exact && i%64 == 0 {
				bits = rng.Uint64()
			}
			r.swap[i] = bits>>(i%64)&1 == 1
		}
		if a, b := r.f(r.swap); math.Abs(a-b) >= observed-tie {
			r.beyond++
		}
	})
	n := 0
	for w := range rooms {
		n += rooms[w].beyond
	}
	if exact {
		return float64(n) / float64(shuffles), err
	}
	return float64(n+1) / float64(shuffles+1), err
}

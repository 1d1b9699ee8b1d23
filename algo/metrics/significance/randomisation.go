package significance

import (
	"context"
	"math"
)

// tie is the difference below which two differences of scores count as equal, for sums of
// other counts may give the same ratio with other rounding.
const tie = 1e-12

// Randomisation returns for each of n scores the two-sided p of their difference between two
// systems on the same units, by paired approximate randomisation (Noreen 1989, Yeh 2000): each
// shuffle swaps the counts of both systems in each unit with probability ½, and
//
//	p = (1 + #{|s(A′) − s(B′)| ≥ |s(A) − s(B)|}) / (1 + shuffles).
//
// Where the systems differ in so few units that all ways to swap them are at most as many as
// the shuffles, all are counted instead and p is exact. It costs O(shuffles · counts that differ).
func Randomisation(ctx context.Context, a, b *Counts, n int, f Scores, d Draws) ([]float64, error) {
	t := newSwaps(a, b, n, f, max(1, d.Workers))
	units := t.diff.Units()
	exact := units < 31 && 1<<units <= d.N
	shuffles := d.N
	if exact {
		shuffles = 1 << units
	}
	err := each(ctx, shuffles, d.Workers, func(w, k int) {
		s := &t.rooms[w]
		clear(s.shift)
		if exact {
			t.swap(s, 0, min(units, 64), uint64(k))
		} else {
			rng := source(d.Seed, 2, k)
			for from := 0; from < units; from += 64 {
				t.swap(s, from, min(units, from+64), rng.Uint64())
			}
		}
		t.count(s)
	})
	if err != nil {
		return nil, err
	}
	return t.p(shuffles, exact), nil
}

// swaps is what the shuffles of two systems share.
type swaps struct {
	diff     *Counts // of the units in which the systems differ
	a, b     []float64
	observed []float64
	scores   Scores
	rooms    []swapRoom
}

// swapRoom is the memory of one worker.
type swapRoom struct {
	shift, a, b []float64
	sa, sb      []float64
	beyond      []int
}

func newSwaps(a, b *Counts, n int, f Scores, workers int) *swaps {
	t := &swaps{diff: a.minus(b), a: a.Sums(), b: b.Sums(), scores: f, rooms: make([]swapRoom, workers),
		observed: make([]float64, n)}
	for w := range t.rooms {
		c := a.columns
		t.rooms[w] = swapRoom{make([]float64, c), make([]float64, c), make([]float64, c), make([]float64, n),
			make([]float64, n), make([]int, n)}
	}
	r := &t.rooms[0]
	f(t.a, r.sa)
	f(t.b, r.sb)
	for i := range t.observed {
		t.observed[i] = math.Abs(r.sa[i] - r.sb[i])
	}
	return t
}

// swap adds up the differences of the units from … to−1 whose bit is set.
func (t *swaps) swap(s *swapRoom, from, to int, bits uint64) {
	at := 0
	if from > 0 {
		at = t.diff.ends[from-1]
	}
	for i := from; i < to; i++ {
		end := t.diff.ends[i]
		if bits>>(i-from)&1 == 1 {
			for k := at; k < end; k++ {
				s.shift[t.diff.cols[k]] += t.diff.vals[k]
			}
		}
		at = end
	}
}

// count compares the scores after the swaps with the observed ones.
func (t *swaps) count(s *swapRoom) {
	for j, x := range s.shift {
		s.a[j], s.b[j] = t.a[j]-x, t.b[j]+x
	}
	t.scores(s.a, s.sa)
	t.scores(s.b, s.sb)
	for i, o := range t.observed {
		if math.Abs(s.sa[i]-s.sb[i]) >= o-tie {
			s.beyond[i]++
		}
	}
}

func (t *swaps) p(shuffles int, exact bool) []float64 {
	out := make([]float64, len(t.observed))
	for i := range out {
		n := 0
		for w := range t.rooms {
			n += t.rooms[w].beyond[i]
		}
		if exact {
			out[i] = float64(n) / float64(shuffles)
		} else {
			out[i] = float64(n+1) / float64(shuffles+1)
		}
	}
	return out
}

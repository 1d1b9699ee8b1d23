package significance

import (
	"context"
	"math/rand/v2"
	"slices"
)

// Interval is where a score lies with the asked confidence.
type Interval struct{ Low, High float64 }

// blockCells bounds the resampled scores that are held at once.
const blockCells = 1 << 22

// Bootstrap returns the percentile interval of each of n scores over the units (Efron and
// Tibshirani 1993, chapter 13): of B resamples, drawn with replacement, the k-th smallest and
// the k-th largest score, k = ⌊(B+1)(1−confidence)/2⌋, at least 1. Without units or resamples
// both ends are the score. It costs O(B · counts) and at most 32 MB or B scores.
func Bootstrap(ctx context.Context, c *Counts, n int, f Scores, confidence float64, d Draws) ([]Interval, error) {
	out := make([]Interval, n)
	if c.Units() == 0 || d.N <= 0 {
		scores := make([]float64, n)
		f(c.Sums(), scores)
		for i, v := range scores {
			out[i] = Interval{v, v}
		}
		return out, ctx.Err()
	}
	block := max(1, blockCells/d.N)
	for from := 0; from < n; from += block {
		if err := c.block(ctx, out[from:min(n, from+block)], from, n, f, confidence, d); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// block computes the intervals of the scores from a number on.
func (c *Counts) block(ctx context.Context, out []Interval, from, n int, f Scores, confidence float64, d Draws) error {
	found := make([][]float64, len(out))
	for i := range found {
		found[i] = make([]float64, d.N)
	}
	type room struct {
		times, sums, scores []float64
	}
	columns := c.byColumn()
	rooms := make([]room, max(1, d.Workers))
	err := each(ctx, d.N, d.Workers, func(w, k int) {
		r := &rooms[w]
		if r.times == nil {
			*r = room{make([]float64, c.Units()), make([]float64, c.columns), make([]float64, n)}
		}
		clear(r.times)
		rng := rand.New(source(d.Seed, 1, k))
		for range r.times {
			r.times[rng.IntN(len(r.times))]++
		}
		columns.weighted(r.times, r.sums)
		f(r.sums, r.scores)
		for i := range out {
			found[i][k] = r.scores[from+i]
		}
	})
	if err != nil {
		return err
	}
	k := max(1, int(float64(d.N+1)*(1-confidence)/2))
	for i, v := range found {
		slices.Sort(v)
		out[i] = Interval{v[k-1], v[d.N-k]}
	}
	return nil
}

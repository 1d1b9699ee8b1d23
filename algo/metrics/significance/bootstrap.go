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
	columns := c.byColumn()
	return BootstrapUnits(ctx, c.Units(), n, func() Weighted {
		sums := make([]float64, c.columns)
		return func(times, scores []float64) {
			columns.weighted(times, sums)
			f(sums, scores)
		}
	}, confidence, d)
}

// Weighted computes scores of a resample in which each unit stands as often as times says.
type Weighted func(times, scores []float64)

// BootstrapUnits is Bootstrap of n scores that are no function of sums: room returns what computes
// them, with memory of its own, for each worker. There must be units and resamples.
func BootstrapUnits(ctx context.Context, units, n int, room func() Weighted, confidence float64,
	d Draws) ([]Interval, error) {
	out := make([]Interval, n)
	block := max(1, blockCells/d.N)
	for from := 0; from < n; from += block {
		if err := resample(ctx, out[from:min(n, from+block)], from, units, n, room, confidence, d); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// resample computes the intervals of the scores from a number on.
func resample(ctx context.Context, out []Interval, from, units, n int, room func() Weighted, confidence float64,
	d Draws) error {
	found := make([][]float64, len(out))
	for i := range found {
		found[i] = make([]float64, d.N)
	}
	type memory struct {
		times, scores []float64
		f             Weighted
	}
	rooms := make([]memory, max(1, d.Workers))
	err := each(ctx, d.N, d.Workers, func(w, k int) {
		r := &rooms[w]
		if r.times == nil {
			*r = memory{make([]float64, units), make([]float64, n), room()}
		}
		clear(r.times)
		rng := rand.New(source(d.Seed, 1, k))
		for range r.times {
			r.times[rng.IntN(len(r.times))]++
		}
		r.f(r.times, r.scores)
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

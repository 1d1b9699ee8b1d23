package triples

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"parlance/algo/numeric/parallel"
)

// profiles are different sets of sides that entities stand in, as vectors of length 1 (Σ x² = 1).
type profiles struct {
	sides   int
	start   []int32   // of each profile in side and value, and the end
	side    []int32   // in order
	value   []float64 // above 0
	count   []float64 // entities that have the profile
	members [][]int32
}

func (p *profiles) len() int { return len(p.count) }

// each calls f for the sides of a profile.
func (p *profiles) each(i int, f func(side int32, x float64)) {
	for k := p.start[i]; k < p.start[i+1]; k++ {
		f(p.side[k], p.value[k])
	}
}

// kmeans is a clustering of profiles by the cosine: with centres c of length 1 it raises
//
//	Σ_i count_i x_i' c_(cluster of i)
//
// by turns (Dhillon and Modha 2001). Each profile is assigned alone and sums are taken in the order of
// profiles, so that any number of workers gives the same clusters.
type kmeans struct {
	*profiles
	k       int
	centres []float64 // row a side, column a cluster
	cluster []int32   // of each profile
	workers int
}

// rounds bounds the turns.
const rounds = 50

// clustered assigns each profile to one of k clusters; where profiles are no more, each to its own.
func (p *profiles) clustered(ctx context.Context, k int, seed uint64, workers int) (*kmeans, error) {
	m := &kmeans{profiles: p, k: min(k, p.len()), cluster: make([]int32, p.len()), workers: workers}
	if m.k == p.len() {
		for i := range m.cluster {
			m.cluster[i] = int32(i)
		}
		return m, nil
	}
	m.centres = make([]float64, p.sides*m.k)
	if err := m.begin(ctx, rand.New(rand.NewPCG(seed, 0))); err != nil {
		return nil, err
	}
	for range rounds {
		changed, err := m.assign(ctx)
		if err != nil || !changed {
			return m, err
		}
		m.average()
	}
	return m, nil
}

// begin draws profiles as first centres, each with a chance that grows with its count and its distance
// 1 − cos to the nearest one before (Arthur and Vassilvitskii 2007).
func (m *kmeans) begin(ctx context.Context, r *rand.Rand) error {
	near, sums := make([]float64, m.len()), make([]float64, m.len())
	for i := range near {
		near[i] = 1
	}
	centre := make([]float64, m.sides)
	for j := range m.k {
		if err := ctx.Err(); err != nil {
			return err
		}
		sum := 0.0
		for i, d := range near {
			sum += m.count[i] * d
			sums[i] = sum
		}
		at := min(sort.SearchFloat64s(sums, sum*(1-r.Float64())), m.len()-1)
		clear(centre)
		m.each(at, func(s int32, x float64) { centre[s], m.centres[int(s)*m.k+j] = x, x })
		for i := range near {
			cos := 0.0
			m.each(i, func(s int32, x float64) { cos += x * centre[s] })
			near[i] = max(0, min(near[i], 1-cos))
		}
		near[at] = 0
	}
	return nil
}

// assignChunk is how many profiles a worker assigns at a time.
const assignChunk = 256

// assign moves each profile to the centre with the greatest cosine, the first of equal ones.
func (m *kmeans) assign(ctx context.Context) (changed bool, err error) {
	chunks := (m.len() + assignChunk - 1) / assignChunk
	moved := make([]bool, chunks)
	err = parallel.For(ctx, m.workers, chunks, func(_, c int) error {
		cos := make([]float64, m.k)
		for i := c * assignChunk; i < min((c+1)*assignChunk, m.len()); i++ {
			m.cosines(i, cos)
			best := int32(slices.Index(cos, slices.Max(cos)))
			moved[c] = moved[c] || best != m.cluster[i]
			m.cluster[i] = best
		}
		return nil
	})
	return slices.Contains(moved, true), err
}

// cosines sets cos to those of a profile with all centres.
func (m *kmeans) cosines(i int, cos []float64) {
	clear(cos)
	m.each(i, func(s int32, x float64) {
		for j, y := range m.centre(s) {
			cos[j] += x * y
		}
	})
}

// centre is the part of all centres at a side.
func (m *kmeans) centre(side int32) []float64 { return m.centres[int(side)*m.k : (int(side)+1)*m.k] }

// average makes each centre the mean of its profiles, of length 1. One without profiles becomes 0, and none are
// assigned to it again.
func (m *kmeans) average() {
	clear(m.centres)
	for i, j := range m.cluster {
		m.each(i, func(s int32, x float64) { m.centres[int(s)*m.k+int(j)] += m.count[i] * x })
	}
	square := make([]float64, m.k)
	for i, y := range m.centres {
		square[i%m.k] += y * y
	}
	for i := range m.centres {
		if s := square[i%m.k]; s > 0 {
			m.centres[i] /= math.Sqrt(s)
		}
	}
}

package excitation

import (
	"cmp"
	"context"
	"math"
	"slices"

	"parlance/algo/acquire/template"
	"parlance/algo/kind"
	"parlance/algo/numeric/parallel"
	"parlance/algo/numeric/topk"
)

// similar is the network to compare with: templates are linked by the similarity of their nouns, all with the same
// sign, and the seeds spread once.
func (m *model) similar(ctx context.Context, t *kind.Training, e *events, c *template.Counts) (*network, error) {
	n := newNetwork(e)
	if err := n.plant(&m.opt, t.Notice); err != nil {
		return nil, err
	}
	w, row := c.Weigh(), rowsOf(e.templates, c)
	found := make([][]topk.Item, len(e.templates))
	err := parallel.For(ctx, t.Workers, len(e.templates), func(_, i int) error {
		if row[i] < 0 {
			return nil
		}
		var best topk.Best
		size := m.opt.neighbours
		if size == 0 {
			size = len(e.templates)
		}
		best.Reset(size)
		for j := range e.templates {
			if j != i && row[j] >= 0 {
				if s := w.Lin(row[i], row[j]); s > 0 {
					best.Add(uint32(j), s)
				}
			}
		}
		found[i] = slices.Clone(best.Sorted())
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	strength := map[uint64]float64{}
	for i, list := range found {
		for _, x := range list {
			strength[pairOf(min(uint32(i), x.ID), max(uint32(i), x.ID))] = x.Score
		}
	}
	for k, s := range strength {
		n.links = append(n.links, edge{uint32(k >> 32), uint32(k), s})
	}
	slices.SortFunc(n.links, func(a, b edge) int { return cmp.Or(cmp.Compare(a.i, b.i), cmp.Compare(a.j, b.j)) })
	it := iteration{same: len(n.links), seeds: count(n.seed)}
	for _, l := range n.links {
		n.votes = append(n.votes, l.w)
	}
	g, fixed := newGraph(len(n.templates), n.links), make([]float64, len(n.templates))
	for i := range fixed {
		fixed[i] = float64(n.seed[i])
		if g.degree(i) > 0 {
			it.linked++
		}
	}
	if it.sweeps, err = m.spread(ctx, g, fixed, n.value); err != nil {
		return nil, err
	}
	n.iterations = append(n.iterations, it)
	t.Report(kind.Progress{Step: 1, Of: 1, Objective: math.NaN(), HeldOut: math.NaN()})
	return n, nil
}

// rowsOf is the row of each template in the counts, −1 where it has none.
func rowsOf(list []template.Template, c *template.Counts) []int {
	out := make([]int, len(list))
	for i, t := range list {
		out[i] = -1
		if k, ok := c.Find(t); ok {
			out[i] = k
		}
	}
	return out
}

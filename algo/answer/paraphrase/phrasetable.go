package paraphrase

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/bitext"
	"parlance/algo/kind"
)

// longestAligned is the length of phrases of the table (Koehn, Och and Marcu 2003).
const longestAligned = 7

// align makes a phrase table of pairs of definitions, each read in both directions. A pair of phrases is scored by
//
//	p(p | q)·p(q | p),  p(p | q) = count(p, q) / count(q)
//
// over all pairs of phrases that no link leaves.
func (m *model) align(ctx context.Context, g *gatherer, pairs []pair, res kind.Resources) (*table, error) {
	found, err := res.Model(m.opt.aligner)
	if err != nil {
		return nil, fmt.Errorf("option aligner: %w", err)
	}
	a, ok := found.Model.(bitext.Aligner)
	if !ok {
		return nil, fmt.Errorf("option aligner: %s aligns no words; a model of the kind aligner does", found.Label)
	}
	t := &table{m: m, g: g, place: map[uint64]int32{}}
	single := map[uint32]float64{}
	for i, x := range pairs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		first, second := g.forms(x.a), g.forms(x.b)
		bitext.Phrases(len(first), len(second), longestAligned, a.Align(ctx, first, second), func(b bitext.Box) {
			p, q := g.words.id(joined(first[b.I1:b.I2])), g.words.id(joined(second[b.J1:b.J2]))
			single[p]++
			single[q]++
			if p != q {
				t.note(int32(i), p, q)
			}
		})
	}
	for i := range t.list {
		c := &t.list[i]
		n := float64(c.count)
		c.local = n / single[c.p] * (n / single[c.q])
		c.score = c.local
	}
	return t, nil
}

// note counts a pair of phrases; its evidence is its first pair of definitions.
func (t *table) note(at int32, p, q uint32) {
	low, high := min(p, q), max(p, q)
	key := uint64(low)<<32 | uint64(high)
	k, ok := t.place[key]
	if !ok {
		k = int32(len(t.list))
		t.place[key] = k
		t.list = append(t.list, candidate{p: low, q: high, at: at, turned: p > q, local: math.Inf(-1),
			diff: t.difference(low, high)})
	}
	t.list[k].count++
}

// forms are the words of a definition.
func (g *gatherer) forms(d *definition) []string {
	out := make([]string, len(d.ids[surface]))
	for i, id := range d.ids[surface] {
		out[i] = g.words.list[id]
	}
	return out
}

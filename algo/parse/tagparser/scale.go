package tagparser

import (
	"context"
	"math"
	"slices"
)

// The scale of scores is chosen on scaleSentences sentences of at most scaleLength tokens, among scales that fall by a
// factor.
const (
	scaleSentences = 100
	scaleLength    = 40
	scaleSteps     = 24
	scaleFactor    = 0.7
)

// fitScale sets the scale by which scores become logarithms of weights of derivations: that under which the derivations
// of the treebank are likeliest, Π exp(scale·score(y)) / Z(scale). The sentences are those that the weights were
// learned from, so that the probabilities are still too sure.
func (m *trained) fitScale(ctx context.Context, list []*example, beam float64) error {
	p := newParser(m)
	p.chart.ended = func() bool { return ctx.Err() != nil }
	loss := make([]float64, scaleSteps) // −ln of the probabilities
	for i := 0; i < len(list); i += max(1, len(list)/scaleSentences) {
		x := list[i]
		if len(x.words) > scaleLength {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		p.load(x.words, x.tags, x.arcs, beam, false)
		if p.decode() == none || !p.holds(x) {
			continue
		}
		m.scale = 1
		p.derivations()
		gold := p.scoreOf(x)
		for k := range loss {
			scale := math.Pow(scaleFactor, float64(k))
			loss[k] += p.forest.g.Sum() - scale*gold
			for e := range p.forest.g.Edges {
				p.forest.g.Edges[e].Weight *= scaleFactor
			}
		}
	}
	best := 0
	for k, x := range loss {
		if x < loss[best] {
			best = k
		}
	}
	m.scale = math.Pow(scaleFactor, float64(best))
	return ctx.Err()
}

// holds tells whether the derivation of an example is in the chart.
func (p *parser) holds(x *example) bool {
	c := &p.chart
	for m := 1; m <= c.n; m++ {
		if !slices.Contains(c.tokens[m].spines, x.spine[m]) {
			return false
		}
		var a *arc
		for k := range c.root {
			if x.heads[m] == 0 && int(c.root[k].mod) == m {
				a = &c.root[k]
			}
		}
		if k := c.find[int(x.heads[m])*(c.n+1)+m]; x.heads[m] > 0 && k > 0 {
			a = &c.arcs[k-1]
		}
		if a == nil {
			return false
		}
		kept := false
		for i, l := range a.labels {
			kept = kept || l == x.triple[m] && a.score[2*i] > none
		}
		if !kept {
			return false
		}
	}
	return true
}

// scoreOf is the score of the derivation of an example.
func (p *parser) scoreOf(x *example) (sum float64) {
	add := func(l label) {
		sum += p.t.sum(p.keys, ofArc) + p.t.sum(p.keys, ofLabel(l.triple, l.regular))
	}
	p.gold = thirds(x.heads, p.gold)
	for m := 1; m < len(x.heads); m++ {
		l := label{x.heads[m], x.triple[m], x.regular[m]}
		p.keys = p.atoms.spineKeys(m, p.keys)
		sum += p.t.sum(p.keys, ofSpine(x.spine[m]))
		p.keys = p.atoms.arcKeys(int(l.head), m, p.keys)
		add(l)
		for what := range 3 {
			if p.order == 2 {
				p.keys = p.atoms.thirdKeys(what, int(l.head), m, int(p.gold[m][what]), p.keys)
				add(l)
			}
		}
	}
	return sum
}

package pcfg

import (
	"context"
	"math"

	"parlance/algo/engine/hypergraph"
	"parlance/algo/kind"
	"parlance/algo/parse/constituent"
	"parlance/algo/text"
)

// Explain compares the tree of each sentence with the likeliest other one, by the rules that differ; weights are
// logarithms of probabilities. Sentences that are parsed in pieces have none.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At, run *kind.Run) (kind.Explanation,
	error) {
	p := m.parser()
	defer m.parsers.Put(p)
	var out kind.Explanation
	for _, d := range docs {
		for s := range constituent.Sentences(d, m.column()) {
			if len(s.Rows) == 0 || len(s.Rows) > m.opt.maxLength || at.Sent != 0 && at.Sent != s.Number {
				continue
			}
			forms, tags := p.words(d, s)
			p.parse(ctx, forms, tags, 1, true)
			if err := ctx.Err(); err != nil {
				return out, err
			}
			x := p.decision(forms)
			if err := ctx.Err(); err != nil { // the search for the other tree ends with the context too
				return out, err
			}
			x.Doc, x.Sent = d.ID, s.Number
			out.Decisions = append(out.Decisions, x)
		}
	}
	return out, nil
}

// decision tells the tree that was found from the likeliest other one.
func (p *parser) decision(forms []string) kind.Decision {
	best := p.list[0]
	out := kind.Decision{Outcome: best.tree.Text(forms), Prob: math.NaN()}
	if math.IsNaN(best.score) { // a flat one
		return out
	}
	out.Prob = best.prob
	sums := map[string]float64{}
	g := &p.chart.graph
	var choose chooser
	choose = func(v int32) (*hypergraph.Edge, chooser, chooser) { return g.Chosen(v), choose, choose }
	p.rules(p.root, choose, forms, func(name string, x float64) { sums[name] += x })
	l, mine := hypergraph.NewLister(g), untagged(best.tree)
	for i := int32(0); i < 64 && l.Find(p.root, i); i++ {
		if x := p.chart.tree(p.root, listed(l, i)); untagged(x) != mine {
			out.RunnerUp = x.Text(forms)
			p.rules(p.root, listed(l, i), forms, func(name string, x float64) { sums[name] -= x })
			break
		}
	}
	out.Gather(sums, 1e-9)
	return out
}

// rules visits the rules of a derivation, and the words of its tags, with the logarithms of their probabilities.
func (p *parser) rules(v int32, choose chooser, forms []string, visit func(name string, weight float64)) {
	c := &p.chart
	e, left, right := choose(v)
	name := c.g.Symbols[c.places[v].symbol].String()
	switch {
	case e.Label != noChain:
		x := &c.g.Chains[e.Label]
		for _, s := range x.Between {
			name += " => " + c.g.Symbols[s].String()
		}
		if x.Top == x.Bottom && len(x.Between) == 0 {
			name += " alone"
		} else {
			name += " => " + c.g.Symbols[x.Bottom].String()
		}
		p.rules(e.Tail[0], left, forms, visit)
	case e.Tail[0] == hypergraph.Empty:
		name += " -> " + forms[c.places[v].j-1]
	default:
		name += " -> " + c.g.Symbols[c.places[e.Tail[0]].symbol].String() + " " +
			c.g.Symbols[c.places[e.Tail[1]].symbol].String()
		p.rules(e.Tail[0], left, forms, visit)
		p.rules(e.Tail[1], right, forms, visit)
	}
	visit(name, e.Weight)
}

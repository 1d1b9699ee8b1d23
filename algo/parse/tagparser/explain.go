package tagparser

import (
	"context"
	"math"
	"strconv"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// Explain compares the best tree of each sentence with the next one, by spines, arcs and third tokens that differ.
// Sentences that are parsed in pieces have none.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At, run *kind.Run) (kind.Explanation,
	error) {
	p, _ := m.pool.Get().(*parser)
	defer m.pool.Put(p)
	var out kind.Explanation
	for _, d := range docs {
		sentences, words, tags := m.sentences(d)
		k := 0
		for _, s := range sentences {
			first := k
			k += (len(s.Rows) + m.opt.maxLength - 1) / m.opt.maxLength
			if at.Sent != 0 && at.Sent != s.Number || k > first+1 {
				continue
			}
			arcs, err := m.pruner.arcs(ctx, m.g, words[first:k], tags[first:k])
			if err != nil {
				return out, err
			}
			p.parse(ctx, words[first], tags[first], arcs[0], request{beam: m.opt.beam, k: 2})
			if err := ctx.Err(); err != nil {
				return out, err
			}
			x := p.decision(words[first])
			x.Doc, x.Sent = d.ID, s.Number
			out.Decisions = append(out.Decisions, x)
		}
	}
	return out, nil
}

// decision tells the parsed trees apart.
func (p *parser) decision(words []string) kind.Decision {
	best := p.list[0]
	out := kind.Decision{Outcome: best.tree.Text(words), Prob: math.NaN()}
	if math.IsNaN(best.score) { // a flat one
		return out
	}
	out.Prob = best.prob
	sums := map[string]float64{}
	p.parts(best, words, func(name string, x float64) { sums[name] += x })
	if len(p.list) > 1 {
		out.RunnerUp = p.list[1].tree.Text(words)
		p.parts(p.list[1], words, func(name string, x float64) { sums[name] -= x })
	}
	out.Gather(sums, 1e-9)
	return out
}

// parts visits what the score of a derivation of the chart is the sum of.
func (p *parser) parts(x found, words []string, visit func(name string, score float64)) {
	c := &p.chart
	third := thirds(x.heads, nil)
	token := func(t int32) string {
		if t == 0 {
			return "none"
		}
		return words[t-1] + ":" + strconv.Itoa(int(t))
	}
	for _, a := range x.made {
		m := int(a.mod)
		spine := c.tokens[m].spines[a.spine]
		p.keys = p.atoms.spineKeys(m, p.keys)
		visit("spine "+strings.Join(p.g.spines[spine], "-")+" of "+token(a.mod), p.t.sum(p.keys, ofSpine(spine)))
		t, how, head := p.g.triples[a.triple], " sister ", token(a.head)
		if a.regular {
			how = " regular "
		}
		if a.head == 0 {
			head = "the root"
		}
		arc := t.Parent + "|" + t.Head + "|" + t.Modifier + how + token(a.mod) + " to " + head
		score := func() float64 { return p.t.sum(p.keys, ofArc) + p.t.sum(p.keys, ofLabel(a.triple, a.regular)) }
		p.keys = p.atoms.arcKeys(int(a.head), m, p.keys)
		visit("arc "+arc, score())
		if p.order == 1 {
			continue
		}
		for what, name := range []string{"sibling ", "inner grandchild ", "outer grandchild "} {
			p.keys = p.atoms.thirdKeys(what, int(a.head), m, int(third[m][what]), p.keys)
			visit(name+token(third[m][what])+" of "+arc, score())
		}
	}
}

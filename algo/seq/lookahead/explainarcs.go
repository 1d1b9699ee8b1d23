package lookahead

import (
	"context"
	"fmt"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// explainArcs compares, at every action of a parse, the best leaf below it with the best one below
// the runner-up.
func (m *model) explainArcs(ctx context.Context, docs []*text.Document, at kind.At) (kind.Explanation, error) {
	var out kind.Explanation
	p := m.arcs.workers.Get().(*parser)
	defer m.arcs.workers.Put(p)
	for _, d := range docs {
		toks := d.Layer(text.Tokens.Name)
		for s := range at.Sentences(d) {
			err := m.parse(ctx, p, toks, s.From, s.To, false, func(roots []root, chosen int) {
				x := m.actionDecision(p, roots, chosen)
				x.Doc, x.Sent, x.Form, x.Place = d.ID, s.Number, form(toks, s.From+x.Tok-1),
					fmt.Sprintf("action %d", p.state.Steps()+1)
				if at.Token(x.Tok) {
					out.Decisions = append(out.Decisions, x)
				}
			})
			if err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

// actionDecision explains an action before it is done.
func (m *model) actionDecision(p *parser, roots []root, chosen int) kind.Decision {
	own := roots[chosen]
	token := p.subject(own.action)
	if token == 0 {
		token = p.state.Buffer(0)
	}
	x := kind.Decision{Tok: int(token), Outcome: m.arcs.name(own.action),
		Prob: m.actionShare(p, roots, own.score+own.tail)}
	scores := p.byAction(p.scores())
	other, path := choice{action: -1}, []int(nil)
	if c := p.other(scores, own.action); c.action >= 0 {
		other, path = choice{c.action, c.score + own.tail}, own.path
	}
	for i, r := range roots {
		if i != chosen && (other.action < 0 || r.score+r.tail > other.score) {
			other, path = choice{r.action, r.score + r.tail}, r.path
		}
	}
	if other.action < 0 {
		return x
	}
	x.RunnerUp = m.arcs.name(other.action)
	sums := map[contribution]float64{}
	m.gather(p, append([]int{own.action}, own.path...), 1, sums)
	m.gather(p, append([]int{other.action}, path...), -1, sums)
	m.contributions(&x, sums)
	return x
}

// contribution is a feature of a step of a sequence of actions.
type contribution struct {
	step, action int
	attr         uint32
}

// gather adds the weights of the features of actions from the present state on, with a sign.
func (m *model) gather(p *parser, path []int, sign float64, sums map[contribution]float64) {
	row := make([]float64, p.size)
	for i, a := range path {
		g := p.set.Signature(&p.state)
		p.keys = p.extract.Keys(&g, p.keys[:0])
		for _, k := range p.keys {
			if attr, ok := p.alphabet.Find(k); ok {
				clear(row)
				m.arcs.score([]uint32{attr}, row)
				sums[contribution{i, a, attr}] += sign * row[a]
			}
		}
		p.do(a)
	}
	for range path {
		p.undo()
	}
}

// contributions puts sums into a decision, those of later actions with the distance before them.
func (m *model) contributions(x *kind.Decision, sums map[contribution]float64) {
	named := make(map[string]float64, len(sums))
	for c, w := range sums {
		name := m.arcs.alphabet.Name(c.attr) + " → " + m.arcs.name(c.action)
		if c.step > 0 {
			name = fmt.Sprintf("%+d: %s", c.step, name)
		}
		named[name] = w
	}
	x.Gather(named, 0)
}

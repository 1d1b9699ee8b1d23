package lookahead

import (
	"context"
	"math"

	"parlance/algo/kind"
	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/transition"
	"parlance/algo/text"
)

// parser analyses one sentence after the other.
type parser struct {
	*parsing
	search searcher
	prob   []float64 // of the action that attached a token
}

func newParser(m *arcs) *parser {
	p := &parser{parsing: newParsing(m.alphabet, transition.NewExtractor(m.alphabet, false), m, m.actions)}
	p.search.p = p.parsing
	return p
}

// annotateArcs parses every sentence of the documents.
func (m *model) annotateArcs(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	p := m.arcs.workers.Get().(*parser)
	defer m.arcs.workers.Put(p)
	for _, d := range docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := m.trees(ctx, p, d, run.Prob); err != nil {
			return err
		}
	}
	return nil
}

// trees parses a document.
func (m *model) trees(ctx context.Context, p *parser, d *text.Document, prob bool) error {
	out := text.NewLayer(text.Dependencies)
	toks := d.Layer(text.Tokens.Name)
	bounds := d.SentenceTokens()
	var sent, tok, head []int32
	var rel []string
	for s := 1; s < len(bounds); s++ {
		from, to := int(bounds[s-1]), int(bounds[s])
		if from == to {
			continue
		}
		if err := m.parse(ctx, p, toks, from, to, prob, nil); err != nil {
			return err
		}
		t := p.state.Tree(m.arcs.root)
		for i := 1; i <= to-from; i++ {
			sent, tok, head = append(sent, int32(s)), append(tok, int32(i)), append(head, t.Heads[i])
			rel = append(rel, m.arcs.labels[t.Labels[i]])
			if prob {
				out.Prob = append(out.Prob, p.prob[i])
			}
		}
	}
	out.N = len(sent)
	out.SetInts("sent", sent)
	out.SetInts("tok", tok)
	out.SetInts("head", head)
	if m.opt.labelled {
		out.SetStrs("deprel", rel)
	}
	d.SetLayer(out)
	return nil
}

// parse analyses the rows [from, to) of tokens, setting p.prob if asked; each, if not nil, sees every decision before
// it is done.
func (m *model) parse(ctx context.Context, p *parser, toks *text.Layer, from, to int, prob bool,
	each func(roots []root, chosen int)) error {
	if err := p.extract.Load(toks, from, to); err != nil {
		return err
	}
	p.prob = buffer.Resize(p.prob, to-from+1)
	for i := range p.prob {
		p.prob[i] = 1 // the root is what remains
	}
	for p.init(to - from); !p.sys.Terminal(&p.state); {
		if err := ctx.Err(); err != nil { // each step looks at many sequences of actions
			return err
		}
		p.trim()
		roots := p.search.search(m.opt.depth)
		best := 0
		for i, r := range roots {
			if r.score+r.tail > roots[best].score+roots[best].tail {
				best = i
			}
		}
		a := roots[best].action
		if each != nil {
			each(roots, best)
		}
		if prob {
			p.prob[p.subject(a)] = m.actionShare(p, roots, roots[best].score+roots[best].tail)
		}
		p.do(a)
	}
	return nil
}

// subject is the token that an action shifts or attaches.
func (p *parser) subject(a int) int32 {
	switch transition.Action(a).Move() {
	case transition.Shift:
		return 0
	case transition.Left:
		return p.state.Stack(1)
	}
	return p.state.Stack(0)
}

// actionShare is the probability of the best action among all, labels of arcs told apart, as
// model.share gives it.
func (m *model) actionShare(p *parser, roots []root, best float64) float64 {
	unit, sum := m.Unit(m.opt.margin), 0.0
	scores := p.byAction(p.scores())
	for _, r := range roots {
		for _, a := range p.possible[transition.Action(r.action).Move()] {
			sum += math.Exp((scores[a] + r.tail - best) / unit)
		}
	}
	return 1 / sum
}

package transitionparser

import (
	"context"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// Annotate parses every sentence of the documents. prob is that of the choice that attached a token
// times that of its label, each a softmax share; the root has that of its label.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	p := m.workers.Get().(*parser)
	defer m.workers.Put(p)
	for _, d := range docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.document(ctx, d, run.Prob); err != nil {
			return err
		}
	}
	return nil
}

// document parses a document.
func (p *parser) document(ctx context.Context, d *text.Document, prob bool) error {
	out := text.NewLayer(text.Dependencies)
	toks := d.Layer(text.Tokens.Name)
	bounds := d.SentenceTokens()
	n := int(bounds[len(bounds)-1])
	ints := make([]int32, 3*n)
	sent, tok, head := ints[:n:n], ints[n:2*n:2*n], ints[2*n:]
	var rel []string
	if p.m.label != nil {
		rel = make([]string, n)
	}
	for s := 1; s < len(bounds); s++ {
		from, to := int(bounds[s-1]), int(bounds[s])
		if from == to {
			continue
		}
		if err := p.parse(ctx, toks, from, to, prob, nil); err != nil {
			return err
		}
		for i := from; i < to; i++ {
			t := int32(i - from + 1)
			sent[i], tok[i], head[i] = int32(s), t, max(0, p.state.Head(t))
			if rel != nil {
				rel[i] = p.m.labels[p.state.Label(t)]
			}
		}
		if p.m.marked != nil {
			p.lower(head[from:to], rel[from:to])
		}
		if prob {
			out.Prob = append(out.Prob, p.prob[1:]...)
		}
	}
	out.N = n
	out.SetInts("sent", sent)
	out.SetInts("tok", tok)
	out.SetInts("head", head)
	if rel != nil {
		out.SetStrs("deprel", rel)
	}
	d.SetLayer(out)
	return nil
}

// lower gives modifiers back that labels tell to be lifted.
func (p *parser) lower(heads []int32, labels []string) {
	found := false
	for t := range heads {
		found = found || p.m.marked[p.state.Label(int32(t+1))]
	}
	if found {
		h, l := append([]int32{0}, heads...), append([]string{""}, labels...)
		p.m.lifting.Lower(h, l)
		copy(heads, h[1:])
		copy(labels, l[1:])
	}
}

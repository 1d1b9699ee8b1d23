package depparser

import (
	"context"
	"sync"

	"parlance/algo/text"
	"parlance/algo/tree"
)

// annotator parses documents. It belongs to one goroutine.
type annotator struct {
	w      *worker
	sent   sentence
	label  labelling
	labels []uint16
}

// pool keeps annotators.
type pool struct{ p sync.Pool }

func (p *pool) get(m *model) *annotator {
	if a, ok := p.p.Get().(*annotator); ok {
		return a
	}
	return &annotator{w: m.parser.worker(), label: labelling{l: m.labeler}}
}

func (p *pool) put(a *annotator) { p.p.Put(a) }

// document writes the dependencies of a document.
func (a *annotator) document(ctx context.Context, m *model, d *text.Document, prob bool) error {
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
		if err := ctx.Err(); err != nil {
			return err
		}
		a.sent.load(toks, m.columns(), from, to)
		a.parse(m)
		for i := 1; i <= to-from; i++ {
			sent, tok, head = append(sent, int32(s)), append(tok, int32(i)), append(head, a.w.heads[i])
			if m.labeler != nil {
				rel = append(rel, m.labeler.labels[a.labels[i]])
			}
		}
		if prob {
			out.Prob = a.probabilities(out.Prob)
		}
	}
	out.N = len(sent)
	out.SetInts("sent", sent)
	out.SetInts("tok", tok)
	out.SetInts("head", head)
	if m.labeler != nil {
		out.SetStrs("deprel", rel)
	}
	d.SetLayer(out)
	return nil
}

// parse sets the heads of the sentence, in the worker, and the labels.
func (a *annotator) parse(m *model) {
	w := a.w
	w.load(&a.sent, nil)
	w.heads = resize(w.heads, a.sent.n+1)
	w.decoder.Best(&w.parts, w.score, w.heads)
	if m.labeler != nil {
		a.labels = resize(a.labels, a.sent.n+1)
		a.label.label(&a.sent, w.heads, a.labels)
	}
}

// probabilities appends those of the arcs of the tree that was found: the share of the trees that
// have them, each weighing exp(score).
func (a *annotator) probabilities(dst []float64) []float64 {
	w := a.w
	w.mu = resize(w.mu, w.parts.Len())
	w.summer.Marginals(&w.parts, w.score, w.mu)
	for m := 1; m <= a.sent.n; m++ {
		dst = append(dst, w.mu[w.parts.Find(int(w.heads[m]), m)])
	}
	return dst
}

var _ = tree.None

package pcfg

import (
	"context"
	"math"

	"parlance/algo/kind"
	"parlance/algo/parse/constituent"
	"parlance/algo/text"
)

// Annotate parses every sentence. prob of a phrase is the share of the trees that have it, among those that the coarse
// grammar leaves; with n best trees, that of the tree.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	p := m.parser()
	defer m.parsers.Put(p)
	for _, d := range docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.document(ctx, d, run); err != nil {
			return err
		}
	}
	return nil
}

// parser is one that nobody uses.
func (m *model) parser() *parser {
	if p, ok := m.parsers.Get().(*parser); ok {
		return p
	}
	return &parser{m: m}
}

// words are the forms of the tokens of a sentence, and the tags that are given, until the next call.
func (p *parser) words(d *text.Document, s *constituent.Sentence) (forms, tags []string) {
	p.forms = p.forms[:0]
	column := d.Layer(text.Tokens.Name).Strs("form")
	for _, row := range s.Rows {
		f := ""
		if column != nil {
			f = column[row]
		}
		p.forms = append(p.forms, f)
	}
	if p.m.opt.tags == "own" {
		return p.forms, make([]string, len(s.Rows))
	}
	return p.forms, s.Tags
}

func (p *parser) document(ctx context.Context, d *text.Document, run *kind.Run) error {
	k := max(1, run.NBest)
	probs := run.Prob || k > 1
	w := constituent.NewWriter(d, probs, k > 1)
	for s := range constituent.Sentences(d, p.m.column()) {
		if len(s.Rows) == 0 {
			continue
		}
		forms, tags := p.words(d, s)
		p.parse(ctx, forms, tags, k, probs)
		if err := ctx.Err(); err != nil {
			return err
		}
		p.write(w, s, k)
	}
	w.Set(run.Wants)
	return nil
}

// write gives the trees of a sentence to the layers.
func (p *parser) write(w *constituent.Writer, s *constituent.Sentence, k int) {
	for i, x := range p.list {
		prob := func(n *constituent.Node, first, last int) float64 {
			switch {
			case k > 1 && !math.IsNaN(x.prob):
				return x.prob
			case n.Label == constituent.Root || constituent.IsRoot(n.Label):
				return 1
			}
			return min(1, p.brackets[bracket{n.Label, int16(first - 1), int16(last)}])
		}
		w.Tree(s, i+1, x.tree, p.m.RootLabel, prob)
		whole := x.prob
		if math.IsNaN(whole) {
			whole = 1
		}
		w.Parse(s, i+1, x.score, p.search, whole)
	}
}

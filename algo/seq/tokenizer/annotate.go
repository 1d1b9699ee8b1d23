package tokenizer

import (
	"context"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// Annotate writes the tokens of documents, and by their numbers of sentences the sentences.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	if !run.Wants(text.Tokens.Name) {
		return ctx.Err()
	}
	for _, d := range docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		l, err := m.cut(ctx, d, run)
		if err != nil {
			return err
		}
		d.SetLayer(l)
	}
	return ctx.Err()
}

// piece is a chunk on its way: as it is known, or the place of a chunk of characters.
type piece struct {
	span
	known known
}

// cut is the tokens of a document.
func (m *model) cut(ctx context.Context, d *text.Document, run *kind.Run) (*text.Layer, error) {
	var pieces []piece
	var c characters
	for chunk := range func(yield func(span) bool) { chunks(d.Text, yield) } {
		k := m.known[d.Text[chunk.from:chunk.to]]
		if k.count == 0 {
			c.add(d.Text, chunk, nil)
		}
		if pieces = append(pieces, piece{chunk, k}); len(pieces)&4095 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	labels, charProb, err := m.chunk.labels(ctx, c.document("", d.Text, false), run, run.Prob)
	if err != nil {
		return nil, err
	}
	found := make([][]span, len(c.chunks)) // of the unknown chunks
	scores := make([][]float64, len(c.chunks))
	c.tokens(labels, charProb, func(chunk int, token span, prob float64) {
		found[chunk], scores[chunk] = append(found[chunk], token), append(scores[chunk], prob)
	})
	p := paragraphs{lines: m.opt.lines == asLearnt}
	var prob []float64
	add := func(token span, score float64) {
		p.add(d.Text, token, d.Text[token.from:token.to], "")
		prob = append(prob, score)
	}
	next := 0
	for _, x := range pieces {
		if x.known.count > 0 {
			x.known.cuts.cut(x.from, func(token span) { add(token, x.known.prob()) })
			continue
		}
		for i, token := range found[next] {
			add(token, scores[next][i])
		}
		next++
	}
	starts, _, err := m.sentences.labels(ctx, p.document("", d.Text, false), run, false)
	if err != nil {
		return nil, err
	}
	l := p.layer(starts)
	if run.Prob {
		l.Prob = prob
	}
	return l, nil
}

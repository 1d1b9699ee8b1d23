package ngrams

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/text"
	"parlance/storage/value"
)

// lineTable is what a model of a table of counts is scored on.
var lineTable = kind.TableUse{Name: "sentences", Doc: "sentences", Columns: []kind.Column{
	{Name: "text", Type: value.Text, Doc: "words of a sentence, apart by spaces"}}}

// Of the sums of log10 p and of tokens.
var perplexity = metrics.Formula(2, func(s []float64) float64 {
	if s[1] == 0 {
		return 0
	}
	return math.Pow(10, -s[0]/s[1])
})

// Evaluate tells how well sentences are foreseen, ends of sentences counted among the tokens: log_prob, the mean of the
// log10 of their probabilities, and perplexity, 10^−log_prob, both with unknown words; known_perplexity leaves these
// out, unknown is their share. A unit is a document, or a sentence of a table.
func (m *model) Evaluate(ctx context.Context, in kind.Input, _ *kind.Run) ([]metrics.Metric, error) {
	list := []metrics.Metric{{Name: "log_prob", Label: metrics.All, Combine: metrics.Ratio},
		{Name: "perplexity", Label: metrics.All, Combine: perplexity},
		{Name: "known_perplexity", Label: metrics.All, Combine: perplexity},
		{Name: "unknown", Label: metrics.All, Combine: metrics.Ratio}}
	add := func(u unit) {
		if u.tokens == 0 {
			return
		}
		for i, x := range [][2]float64{{u.log, u.tokens}, {u.log, u.tokens}, {u.known, u.tokens - u.unknown},
			{u.unknown, u.tokens}} {
			list[i].Units.Add(float32(x[0]), float32(x[1]))
			list[i].Support += x[1]
		}
	}
	if err := m.units(ctx, in, add); err != nil {
		return nil, err
	}
	if list[0].Support == 0 {
		return nil, fmt.Errorf("%w: there is no sentence to score", kind.ErrNoData)
	}
	return list, ctx.Err()
}

// unit is what is scored at once.
type unit struct{ log, known, tokens, unknown float64 }

func (m *model) add(u *unit, words []string) {
	m.sentence(words, func(_ int, _ uint32, s scored) bool {
		u.log += s.log
		u.tokens++
		if s.unknown {
			u.unknown++
		} else {
			u.known += s.log
		}
		return true
	})
}

func (m *model) units(ctx context.Context, in kind.Input, add func(unit)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if t, ok := in.Table(lineTable.Name); ok {
		for r, err := range t.Rows(ctx) {
			if err != nil {
				return err
			}
			var u unit
			m.add(&u, text.Fields(r[0].S))
			add(u)
		}
		return ctx.Err()
	}
	for d, err := range in.Documents(ctx) {
		if err != nil {
			return err
		}
		var u unit
		n := 0
		for forms := range sentences(d) {
			if n++; n&63 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			m.add(&u, forms)
		}
		add(u)
	}
	return ctx.Err()
}

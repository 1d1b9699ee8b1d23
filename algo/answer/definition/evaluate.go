package definition

import (
	"context"
	"fmt"

	"parlance/algo/answer/sentences"
	"parlance/algo/kind"
	"parlance/algo/metrics"
)

// judged is a labelled document with its score.
type judged struct {
	positive bool
	score    float64
}

// scored scores labelled documents, each as one sentence: with its term where it has one, else with the noun phrase
// that scores best. One without a phrase is no definition.
func (m *model) scored(ctx context.Context, in kind.Input) (out []judged, err error) {
	r, s := &sentences.Reader{Tags: m.opt.tags}, m.scorer()
	for d, err := range in.Documents(ctx) {
		if err != nil {
			return nil, err
		}
		positive, ok, err := label(d)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		e, _, err := m.one(r, d)
		if err != nil {
			return nil, err
		}
		j := judged{positive: positive, score: lowest}
		if e.s != nil {
			_, j.score = s.best(e.s, e.terms)
		}
		out = append(out, j)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: no document has a label; labelled documents have a column label, and may have a "+
			"column term", kind.ErrNoData)
	}
	return out, ctx.Err()
}

// lowest is the score of a document without a term.
const lowest = -1e9

// Evaluate counts which labelled documents are found to be definitions. f1 is the main metric.
func (m *model) Evaluate(ctx context.Context, in kind.Input, _ *kind.Run) ([]metrics.Metric, error) {
	list, err := m.scored(ctx, in)
	if err != nil {
		return nil, err
	}
	out := []metrics.Metric{{Name: "f1", Main: true, Combine: metrics.F1}, {Name: "precision",
		Combine: metrics.Precision},
		{Name: "recall", Combine: metrics.Recall}, {Name: "accuracy", Combine: metrics.Ratio}}
	for _, j := range list {
		hit := j.score > m.opt.threshold
		both, wrong, missed, right := one(j.positive && hit), one(!j.positive && hit), one(j.positive && !hit),
			one(j.positive == hit)
		out[0].Units.Add(both, wrong, missed)
		out[1].Units.Add(both, wrong, missed)
		out[2].Units.Add(both, wrong, missed)
		out[3].Units.Add(right, 1)
		for k := range 3 {
			out[k].Support += float64(one(j.positive))
		}
		out[3].Support++
	}
	for k := range out {
		out[k].Label = metrics.All
	}
	return out, nil
}

func one(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

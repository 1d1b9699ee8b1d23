package treeclassifier

import (
	"context"
	"math"

	"parlance/algo/kind"
	"parlance/algo/parse/treekernel"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
)

// Annotate labels the documents. A document without trees gets the class of the largest bias.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	e := m.free.Get().(*treekernel.Evaluator)
	defer m.free.Put(e)
	order := make([]int, len(m.labels))
	for _, d := range docs {
		scores, err := m.scores(ctx, e, d)
		if err != nil {
			return err
		}
		tagger.ByScore(order, scores)
		tagger.LabelDocument(d, m.labels, order, logs(scores), run)
	}
	return nil
}

// scores are f(x) = Σ_i β_i·K(x_i, x) + b of a document by class.
func (m *model) scores(ctx context.Context, e *treekernel.Evaluator, d *text.Document) ([]float64, error) {
	k := len(m.labels)
	f := append([]float64(nil), m.vectors.Bias...)
	e.Within(ctx)
	s, _ := m.shape(ctx, d)
	t, err := s.TreeWithin(ctx, treekernel.NewOverlay(m.names))
	if err != nil {
		return nil, err
	}
	x := m.kernel.Prepare(t)
	scale, err := e.Scale(x, m.opt.normal)
	if err != nil { // a tree larger than all of training: only what is finite counts
		scale = 0
	}
	for i, t := range m.trees {
		if i&15 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v := e.Value(t, x) * m.scale[i] * scale
		if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		for y := range k {
			f[y] += m.vectors.Coef[i*k+y] * v
		}
	}
	return f, ctx.Err()
}

// logs are logarithms of numbers in proportion to e^score that sum to 1.
func logs(scores []float64) []float64 {
	top, sum := math.Inf(-1), 0.0
	for _, s := range scores {
		top = max(top, s)
	}
	for _, s := range scores {
		sum += math.Exp(s - top)
	}
	out := make([]float64, len(scores))
	for i, s := range scores {
		out[i] = s - top - math.Log(sum)
	}
	return out
}

package latentclasses

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/kind"
	"parlance/algo/lexical/cooccurrence"
	"parlance/algo/metrics"
)

// Evaluate tells how well held-out counts are foreseen: log_prob, the mean of ln p over their pairs, by
//
//	(1 − λ) p(w,f) + λ p(w) p(f),   p(w,f) = p(w) p(f) Σ_a p(a|w) p(a|f) / p(a)
//
// where λ is the option background; exp(−log_prob) is the perplexity. Pairs with words or contexts that the model does
// not know are left out; coverage is the share of the others. A unit is a word.
func (m *model) Evaluate(ctx context.Context, in kind.Input, _ *kind.Run) ([]metrics.Metric, error) {
	table, ok := in.Table(cooccurrence.Table.Name)
	if !ok {
		return nil, fmt.Errorf("%w: the input has no table %s", kind.ErrNoData, cooccurrence.Table.Name)
	}
	held, err := cooccurrence.Read(ctx, table)
	if err != nil {
		return nil, err
	}
	known := make(map[string]int, len(m.contexts.names))
	for f, name := range m.contexts.names {
		known[name] = f
	}
	mean := metrics.Metric{Name: "log_prob", Label: metrics.All, Combine: metrics.Ratio}
	covered := metrics.Metric{Name: "coverage", Label: metrics.All, Combine: metrics.Ratio}
	lift := make([]float64, len(m.prior)) // p(a|w) / p(a) of the word at hand
	for i, name := range held.Words {
		if i&63 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		total := held.Rows.Sum(i)
		covered.Support += total
		sum, pairs := 0.0, 0.0
		if w, ok := m.words.index[name]; ok {
			sum, pairs = m.foreseen(int(w), held, i, known, lift)
		}
		mean.Units.Add(float32(sum), float32(pairs))
		covered.Units.Add(float32(pairs), float32(total))
		mean.Support += pairs
	}
	if mean.Support == 0 {
		return nil, fmt.Errorf("the model knows no word together with one of its contexts")
	}
	return []metrics.Metric{mean, covered}, ctx.Err()
}

// foreseen is Σ n ln p over the known contexts of word i of the held-out counts, which is word w of the
// model, and Σ n. The memory lift is 0 before and after.
func (m *model) foreseen(w int, held *cooccurrence.Matrix, i int, known map[string]int,
	lift []float64) (sum, pairs float64) {
	classes, probs := m.words.row(w)
	for k, a := range classes {
		lift[a] = probs[k] / m.prior[a]
	}
	ids, counts := held.Rows.Row(i)
	for k, id := range ids {
		f, ok := known[held.Contexts[id]]
		if !ok || m.contexts.share[f] == 0 {
			continue
		}
		ratio := 0.0
		of, shares := m.contexts.row(f)
		for j, a := range of {
			ratio += lift[a] * shares[j]
		}
		p := m.words.share[w] * m.contexts.share[f] * ((1-m.opt.background)*ratio + m.opt.background)
		sum += counts[k] * math.Log(max(p, math.SmallestNonzeroFloat64))
		pairs += counts[k]
	}
	for _, a := range classes {
		lift[a] = 0
	}
	return sum, pairs
}

package translator

import (
	"context"
	"fmt"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/numeric/parallel"
)

// Evaluate translates the source sentences of pairs and compares with the target sentences: bleu and chrf. A unit is a
// pair.
func (m *model) Evaluate(ctx context.Context, in kind.Input, run *kind.Run) ([]metrics.Metric, error) {
	out := []metrics.Metric{{Name: "bleu", Label: metrics.All, Combine: metrics.BLEU, Main: true},
		{Name: "chrf", Label: metrics.All, Combine: metrics.CharF}}
	var list [][2][]string
	err := m.pairs(ctx, in, func(a, b []string) error {
		list = append(list, [2][]string{a, b})
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%w: there are no pairs of sentences to compare translations with", kind.ErrNoData)
	}
	said := make([][]string, len(list))
	err = parallel.For(ctx, run.Workers, len(list), func(_, i int) error {
		best, err := m.Translate(ctx, run.Resources, list[i][0], 1)
		if err == nil {
			said[i] = best[0].Words
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for i, p := range list {
		out[0].Units.Add(metrics.BLEUStatistics(said[i], p[1])...)
		out[1].Units.Add(metrics.CharFStatistics(said[i], p[1])...)
		for k := range out {
			out[k].Support++
		}
	}
	return out, ctx.Err()
}

package bench

import (
	"fmt"

	"parlance/algo/chain"
	"parlance/algo/logistic"
)

// regression fits a logistic regression by coordinate descent to a thousandth of the optimum or
// closer, and returns seconds of processor time.
func (b *bench) regression(train, test *items) (float64, error) {
	d := &chain.Data{Labels: train.classes, Attributes: train.rows.Width, AttrOffsets: train.rows.Offsets, Attrs: train.rows.Columns, Gold: train.class}
	for i := range train.rows.Offsets {
		d.Offsets = append(d.Offsets, uint32(i))
	}
	start := processor()
	m, err := logistic.NewMatrix(b.ctx, d)
	if err != nil {
		return 0, err
	}
	p, err := logistic.NewProblem(m, train.class, train.classes)
	if err != nil {
		return 0, err
	}
	end := 0.0
	w, _, err := logistic.Fit(b.ctx, p, logistic.Options{Method: logistic.CD, L2: 1, Sweeps: 25, Seed: 1}, func(s logistic.Sweep) bool {
		end = s.Objective
		return false
	})
	if err != nil {
		return 0, err
	}
	sec := processor() - start
	c, err := p.Model(w)
	if err != nil {
		return 0, err
	}
	b.add("maxent, optimizer = cd, 25 sweeps", fmt.Sprintf("%.1f s", sec), "≤ 20 s", fmt.Sprintf("objective %.1f, accuracy %.2f %%", end, 100*rightly(c, test)))
	return sec, nil
}

// rightly is the share of items whose best label is theirs.
func rightly(m *chain.Model, test *items) float64 {
	right := 0
	scores := make([]float64, m.Labels())
	for i, y := range test.class {
		clear(scores)
		for _, a := range test.rows.Columns[test.rows.Offsets[i]:test.rows.Offsets[i+1]] {
			labels, weights := m.Row(a)
			for k, l := range labels {
				scores[l] += weights[k]
			}
		}
		best := 0
		for l, s := range scores {
			if s > scores[best] {
				best = l
			}
		}
		if best == int(y) {
			right++
		}
	}
	return float64(right) / float64(max(1, len(test.class)))
}

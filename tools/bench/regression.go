package main

import (
	"fmt"

	"parlance/algo/classify/logistic"
	"parlance/algo/engine/chain"
)

// leastLogistic is the optimum that L-BFGS finds on CoNLL-2000 after 300 iterations.
const leastLogistic = 15992.507

// regression fits a logistic regression by coordinate descent to a thousandth above the optimum, and
// returns seconds of processor time.
func (b *bench) regression(train, test *items) (float64, error) {
	d := &chain.Data{Labels: train.classes, Attributes: train.rows.Width, AttrOffsets: train.rows.Offsets,
		Attrs: train.rows.Columns, Gold: train.class}
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
	var end logistic.Sweep
	w, _, err := logistic.Fit(b.ctx, p, logistic.Options{Method: logistic.CD, L2: 1, Sweeps: 60, Seed: 1},
		func(s logistic.Sweep) bool {
			end = s
			return s.Objective <= 1.001*leastLogistic
		})
	if err != nil {
		return 0, err
	}
	sec := processor() - start
	c, err := p.Model(w)
	if err != nil {
		return 0, err
	}
	b.add("maxent, optimizer = cd, to a gap of 1e-3", fmt.Sprintf("%.1f s", sec), "≤ 20 s",
		fmt.Sprintf("%d sweeps, objective %.1f, accuracy %.2f %%", end.Number, end.Objective, 100*rightly(c, test)))
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

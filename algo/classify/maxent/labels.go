package maxent

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/classify/logistic"
	"parlance/algo/engine/chain"
	"parlance/algo/kind"
)

// trainLabels fits a regression for each label, between the documents that have it and the others
// (Kazama and Tsujii 2003, sec. 2.1). Attributes have weights for both sides; what is kept is the
// difference, which alone matters.
func (m *model) trainLabels(ctx context.Context, t *kind.Training, data *corpus) (*chain.Model, error) {
	mx, err := logistic.NewMatrix(ctx, &data.Data.Data)
	if err != nil {
		return nil, err
	}
	rows := make([][]float64, data.Labels)
	gold := make([]uint16, len(data.sets))
	var last kind.Progress
	for y := range rows {
		for i, set := range data.sets {
			gold[i] = 0
			for _, l := range set {
				if int(l) == y {
					gold[i] = 1
				}
			}
		}
		p, w, err := m.fitLabel(ctx, t, data, mx, gold, &last)
		if err != nil {
			return nil, fmt.Errorf("label %s: %w", data.Names[y], err)
		}
		c, err := p.Model(w)
		if err != nil {
			return nil, err
		}
		rows[y] = differences(c)
		last.Step, last.Of, last.HeldOut, last.Note = y+1, data.Labels, math.NaN(), data.Names[y]
		t.Report(last)
	}
	c, err := together(rows, data.Attributes)
	if err != nil || t.Score == nil {
		return c, err
	}
	now, err := m.candidate(data, c)
	if err != nil {
		return nil, err
	}
	last.Note = "all labels"
	if last.HeldOut, last.Metric, err = t.Score(ctx, now); err == nil {
		t.Report(last)
	}
	return c, err
}

// fitLabel fits the regression of one label and adds up objective and active weights.
func (m *model) fitLabel(ctx context.Context, t *kind.Training, data *corpus, mx *logistic.Matrix, gold []uint16, sum *kind.Progress) (*logistic.Problem, []float64, error) {
	p, err := logistic.NewProblem(mx, gold, 2)
	if err != nil {
		return nil, nil, err
	}
	if a := p.Negative(); a >= 0 && m.opt.scales() {
		return nil, nil, fmt.Errorf("optimizer = %s needs values of at least 0, but %s has others; cd does not", m.opt.optimizer, m.name(data, uint32(a)))
	}
	if m.opt.optimizer == lbfgs && !m.opt.bounded() {
		return m.fitChain(ctx, t, data, p, gold, sum)
	}
	var end logistic.Sweep
	w, _, err := logistic.Fit(ctx, p, m.opt.fit(p, t.Seed, t.Workers), func(s logistic.Sweep) bool { end = s; return false })
	sum.Objective += end.Objective
	sum.Active += end.Active
	return p, w, err
}

// fitChain fits the regression of one label by L-BFGS.
func (m *model) fitChain(ctx context.Context, t *kind.Training, data *corpus, p *logistic.Problem, gold []uint16, sum *kind.Progress) (*logistic.Problem, []float64, error) {
	f := m.opt.Fit().Options
	f.L2, f.L1 = m.opt.penalties()
	f.Workers = t.Workers
	d := data.Data.Data
	d.Labels, d.Gold = 2, gold
	c, end, err := chain.Train(ctx, &d, f, nil)
	if err != nil {
		return nil, nil, err
	}
	w := p.Initial(c)
	for _, x := range w {
		if x != 0 {
			sum.Active++
		}
	}
	sum.Objective += end.Objective
	return p, w, nil
}

// differences is w[a, 1] − w[a, 0] by attribute.
func differences(c *chain.Model) []float64 {
	out := make([]float64, c.Attributes())
	for a := range out {
		labels, weights := c.Row(uint32(a))
		for i, y := range labels {
			if y == 1 {
				out[a] += weights[i]
			} else {
				out[a] -= weights[i]
			}
		}
	}
	return out
}

// together makes a model of the weights of each label by attribute.
func together(rows [][]float64, attributes int) (*chain.Model, error) {
	p := chain.Parts{Labels: len(rows), Attributes: attributes, AttrStart: make([]uint32, 1, attributes+1)}
	for a := range attributes {
		for y, row := range rows {
			if row[a] != 0 {
				p.PairLabel, p.Weights = append(p.PairLabel, uint16(y)), append(p.Weights, row[a])
			}
		}
		p.AttrStart = append(p.AttrStart, uint32(len(p.Weights)))
	}
	return chain.NewModel(p)
}

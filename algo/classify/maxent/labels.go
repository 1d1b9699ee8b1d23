package maxent

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/checkpoint"
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
	f := &labelwise{m: m, t: t, data: data, mx: mx, keep: checkpoint.NewKeeper(t)}
	if t.Resume != nil {
		if err := f.resume(); err != nil {
			return nil, err
		}
	}
	gold := make([]uint16, len(data.sets))
	for y := len(f.rows); y < data.Labels; y++ {
		for i, set := range data.sets {
			gold[i] = 0
			for _, l := range set {
				if int(l) == y {
					gold[i] = 1
				}
			}
		}
		if err := f.label(ctx, y, gold); err != nil {
			return nil, fmt.Errorf("label %s: %w", data.Names[y], err)
		}
	}
	c, err := together(f.rows, data.Attributes)
	if err != nil || t.Score == nil {
		return c, err
	}
	now, err := m.candidate(data, c)
	if err != nil {
		return nil, err
	}
	last := f.progress(data.Labels, "all labels")
	if last.HeldOut, last.Metric, err = t.Score(ctx, now); err == nil {
		t.Report(last)
	}
	return c, err
}

// labelwise fits label by label.
type labelwise struct {
	m    *model
	t    *kind.Training
	data *corpus
	mx   *logistic.Matrix
	keep *checkpoint.Keeper
	rows [][]float64    // differences, of the labels that are done
	sum  sums           // over them
	fit  logistic.State // of the label under way
}

// sums are those of the objectives and of the weights that are not 0.
type sums struct {
	Objective float64
	Active    int
}

// state is what a training goes on from: the labels that are done and the sweeps over the next one.
func (f *labelwise) state() checkpoint.State {
	return stateOf(&f.fit).With("rows", checkpoint.Lists(&f.rows)).With("sums", checkpoint.Value(&f.sum))
}

func (f *labelwise) resume() error {
	if err := f.state().Read(f.t.Resume); err != nil {
		return err
	}
	for _, row := range f.rows {
		if len(row) != f.data.Attributes {
			return kind.Corrupt("rows", fmt.Sprintf("is of another training: %d weights are wanted", f.data.Attributes))
		}
	}
	if len(f.rows) > f.data.Labels {
		return kind.Corrupt("rows", "has more labels than the training")
	}
	return nil
}

// progress reports that n labels are done.
func (f *labelwise) progress(done int, note string) kind.Progress {
	return kind.Progress{Step: done, Of: f.data.Labels, Objective: f.sum.Objective, Active: f.sum.Active,
		HeldOut: math.NaN(), Note: note}
}

// label fits the regression of a label, whose documents have gold 1.
func (f *labelwise) label(ctx context.Context, y int, gold []uint16) error {
	p, err := logistic.NewProblem(f.mx, gold, 2)
	if err != nil {
		return err
	}
	if a := p.Negative(); a >= 0 && f.m.opt.scales() {
		return fmt.Errorf("optimizer = %s needs values of at least 0, but %s has others; cd does not",
			f.m.opt.optimizer, f.m.name(f.data, uint32(a)))
	}
	fit := f.sweeps
	if f.m.opt.optimizer == lbfgs && !f.m.opt.bounded() {
		fit = f.chain
	}
	w, of, err := fit(ctx, p, gold)
	if err != nil {
		return err
	}
	c, err := p.Model(w)
	if err != nil {
		return err
	}
	f.rows, f.fit = append(f.rows, differences(c)), logistic.State{}
	f.sum.Objective += of.Objective
	f.sum.Active += of.Active
	f.t.Report(f.progress(y+1, f.data.Names[y]))
	return f.keep.Save(f.state().Write)
}

// sweeps fits a label by coordinate descent, iterative scaling or over bounded variables.
func (f *labelwise) sweeps(ctx context.Context, p *logistic.Problem, _ []uint16) ([]float64, sums, error) {
	o := f.m.opt.fit(p, f.t.Seed, f.t.Workers)
	o.Save = func(s *logistic.State) error {
		f.fit = *s
		return f.keep.Save(f.state().Write)
	}
	var end sums
	if f.fit.Sweep > 0 {
		from := f.fit
		o.From, end = &from, sums{from.Objective, from.Active}
	}
	w, _, err := logistic.Fit(ctx, p, o, func(s logistic.Sweep) bool { end = sums{s.Objective, s.Active}; return false })
	return w, end, err
}

// chain fits a label by L-BFGS.
func (f *labelwise) chain(ctx context.Context, p *logistic.Problem, gold []uint16) ([]float64, sums, error) {
	o := f.m.opt.Fit().Options
	o.L2, o.L1 = f.m.opt.penalties()
	o.Workers = f.t.Workers
	d := f.data.Data.Data
	d.Labels, d.Gold = 2, gold
	c, end, err := chain.Train(ctx, &d, o, nil)
	if err != nil {
		return nil, sums{}, err
	}
	w, out := p.Initial(c), sums{Objective: end.Objective}
	for _, x := range w {
		if x != 0 {
			out.Active++
		}
	}
	return w, out, nil
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

package maxent

import (
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/checkpoint"
	"parlance/algo/classify/logistic"
	"parlance/algo/engine/chain"
	"parlance/algo/kind"
	"parlance/algo/seq/labelhistory"
	"parlance/algo/seq/tagger"
)

// Train fits the weights.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	data, err := m.read(ctx, t)
	if err != nil {
		return err
	}
	var initial *chain.Model
	if t.Init != nil {
		old, ok := t.Init.(*model)
		if !ok {
			return fmt.Errorf("the model to start from is no maxent")
		}
		if initial, err = labelhistory.Transfer(&old.Trained, data.Names, data.Alphabet, data.joint); err != nil {
			return err
		}
	}
	var c *chain.Model
	switch {
	case m.opt.multilabel:
		c, err = m.trainLabels(ctx, t, data)
	case m.opt.optimizer == lbfgs && !m.opt.bounded():
		c, err = m.trainChain(ctx, t, data, initial)
	default:
		c, err = m.sweeps(ctx, t, data, initial)
	}
	if err != nil {
		return err
	}
	if m.Trained, err = labelhistory.NewTrained(ctx, data.Names, data.Alphabet, data.joint, c); err != nil {
		return err
	}
	return m.pool.prepare(m)
}

// candidate is a model of weights as they stand.
func (m *model) candidate(data *corpus, c *chain.Model) (kind.Model, error) {
	now := &model{opt: m.opt}
	now.Trained = labelhistory.Trained{Trained: tagger.Trained{Labels: data.Names, Alphabet: data.Alphabet, Chain: c},
		Joint: data.joint}
	return now, now.pool.prepare(now)
}

// trainChain fits by L-BFGS, or OWL-QN.
func (m *model) trainChain(ctx context.Context, t *kind.Training, data *corpus,
	initial *chain.Model) (*chain.Model, error) {
	f := m.opt.Fit()
	f.L2, f.L1 = m.opt.penalties()
	f.Initial = initial
	f.Candidate = func(c *chain.Model) (kind.Model, error) { return m.candidate(data, c) }
	return tagger.Train(ctx, t, data.Data, f)
}

// sweeps fits by coordinate descent or iterative scaling.
func (m *model) sweeps(ctx context.Context, t *kind.Training, data *corpus,
	initial *chain.Model) (*chain.Model, error) {
	mx, err := logistic.NewMatrix(ctx, &data.Data.Data)
	if err != nil {
		return nil, err
	}
	p, err := logistic.NewProblem(mx, data.Gold, data.Labels)
	if err != nil {
		return nil, err
	}
	if a := p.Negative(); a >= 0 && m.opt.scales() {
		return nil, fmt.Errorf("optimizer = %s needs values of at least 0, but %s has others; cd does not", m.opt.optimizer,
			m.name(data, uint32(a)))
	}
	o := m.opt.fit(p, t.Seed, t.Workers)
	if initial != nil {
		o.Initial = p.Initial(initial)
	}
	v := &validation{m: m, t: t, ctx: ctx, data: data, p: p}
	if err := v.checkpoints(&o); err != nil {
		return nil, err
	}
	w, status, err := logistic.Fit(ctx, p, o, v.sweep)
	if v.err != nil {
		err = v.err
	}
	if err != nil {
		return nil, err
	}
	v.last.Note = string(status)
	v.last.HeldOut, v.last.Metric = math.NaN(), ""
	t.Report(v.last)
	if status == logistic.Limit {
		t.Unconverged("iterations", o.Sweeps)
	}
	if v.best != nil {
		w = v.best
	}
	return p.Model(w)
}

func (m *model) name(data *corpus, attr uint32) string {
	if data.joint != nil {
		return data.joint.Name(attr, data.Names)
	}
	return data.Alphabet.Name(attr)
}

// validation reports sweeps and scores the model as it stands on held-out documents.
type validation struct {
	m    *model
	t    *kind.Training
	ctx  context.Context
	data *corpus
	p    *logistic.Problem
	last kind.Progress
	best []float64 // weights with the best score, nil before it or without patience
	held
	err error
}

// held is the scores so far.
type held struct {
	Score float64 // the best one
	Stale int     // scores without a better one
}

// checkpoints has the fit keep them, and go on from one.
func (v *validation) checkpoints(o *logistic.Options) error {
	best, keep := [][]float64{nil}, checkpoint.NewKeeper(v.t)
	state := func(s *logistic.State) checkpoint.State {
		return stateOf(s).With("held", checkpoint.Value(&v.held)).With("best", checkpoint.Rows(best))
	}
	o.Save = func(s *logistic.State) error {
		best[0] = v.best
		return keep.Save(state(s).Write)
	}
	if v.t.Resume == nil {
		return nil
	}
	o.From = &logistic.State{}
	if err := state(o.From).Read(v.t.Resume); err != nil {
		return err
	}
	if n := v.p.Features(); best[0] != nil && len(best[0]) != n {
		return kind.Corrupt("best", fmt.Sprintf("is of another training: %d weights are wanted", n))
	}
	v.best = best[0]
	v.last = v.progress(o.From.Sweep, o.From.Objective, o.From.Active)
	return nil
}

// stateOf is what a fit goes on from.
func stateOf(s *logistic.State) checkpoint.State {
	return checkpoint.State{}.With("sweep", checkpoint.Value(&s.Sweep)).With("objective", checkpoint.Value(&s.Objective)).
		With("active", checkpoint.Value(&s.Active)).With("vectors", checkpoint.Lists(&s.Vectors))
}

func (v *validation) progress(sweep int, objective float64, active int) kind.Progress {
	o := &v.m.opt
	return kind.Progress{Step: sweep, Of: o.Iterations, Objective: objective, HeldOut: math.NaN(), Active: active,
		Note: o.optimizer}
}

// sweep reports a sweep and tells whether patience is at its end.
func (v *validation) sweep(s logistic.Sweep) (stop bool) {
	o := &v.m.opt
	v.last = v.progress(s.Number, s.Objective, s.Active)
	v.last.Gap = s.Gap
	if v.t.Score != nil && s.Number%o.ValidateEvery == 0 {
		stop = v.scored(s)
	}
	v.t.Report(v.last)
	return stop || v.err != nil
}

// scored scores the weights as they stand and tells whether patience is at its end.
func (v *validation) scored(s logistic.Sweep) bool {
	c, err := v.p.Model(s.Weights)
	if err == nil {
		var m kind.Model
		if m, err = v.m.candidate(v.data, c); err == nil {
			v.last.HeldOut, v.last.Metric, err = v.t.Score(v.ctx, m)
		}
	}
	if v.err = err; err != nil || v.m.opt.Patience == 0 {
		return err != nil
	}
	if v.best == nil || v.last.HeldOut > v.Score {
		v.best, v.held = slices.Clone(s.Weights), held{Score: v.last.HeldOut}
		return false
	}
	v.Stale++
	return v.Stale >= v.m.opt.Patience
}

package crf

import (
	"context"

	"parlance/algo/engine/chain"
	"parlance/algo/kind"
	"parlance/algo/seq/tagger"
)

// Train fits the weights.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	if m.expect.Constrained() {
		return m.trainExpectation(ctx, t)
	}
	if err := m.expect.Check(t); err != nil {
		return err
	}
	data, err := m.opt.Read(ctx, t)
	if err != nil {
		return err
	}
	candidate := func(c *chain.Model) (kind.Model, error) {
		now := *m
		now.Trained = tagger.Trained{Labels: data.Names, Alphabet: data.Alphabet, Chain: c}
		return &now, now.ready()
	}
	initial, err := tagger.Initial[*model](t, "crf", data)
	if err != nil {
		return err
	}
	if m.opt.order == 2 {
		return m.trainSecond(ctx, t, data, initial)
	}
	var c *chain.Model
	if m.opt.optimizer == "lbfgs" {
		f := m.opt.Fit()
		f.WarmStart, f.AllStates, f.AllTransitions = m.opt.warmStart, m.opt.states == "all", m.opt.transitions == "all"
		f.Candidate, f.Initial = candidate, initial
		c, err = tagger.Train(ctx, t, data, f)
	} else {
		f := m.onlineFit(data)
		f.Candidate, f.Initial = candidate, initial
		c, err = tagger.TrainOnline(ctx, t, data, f)
	}
	if err != nil {
		return err
	}
	if err := m.Keep(ctx, data, c); err != nil {
		return err
	}
	return m.ready()
}

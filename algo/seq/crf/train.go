package crf

import (
	"context"
	"fmt"

	"parlance/algo/engine/chain"
	"parlance/algo/kind"
	"parlance/algo/seq/tagger"
)

// Train fits the weights.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	target, err := m.target()
	if err != nil {
		return err
	}
	set, err := m.features()
	if err != nil {
		return err
	}
	data, err := tagger.Read(ctx, t.On, set, target, t.Resources, m.opt.MinCount)
	if err != nil {
		return err
	}
	data.Notice(t, target)
	candidate := func(c *chain.Model) (kind.Model, error) {
		now := *m
		now.Labels, now.Alphabet, now.label = data.Names, data.Alphabet, nil
		return &now, now.ready(c)
	}
	var initial *chain.Model
	if t.Init != nil {
		old, ok := t.Init.(*model)
		if !ok {
			return fmt.Errorf("the model to start from is no crf")
		}
		if initial, err = tagger.Transfer(old.Chain, old.Alphabet, old.Labels, data.Alphabet, data.Names); err != nil {
			return err
		}
	}
	if m.opt.order == 2 {
		return m.trainSecond(ctx, t, data, target, initial)
	}
	var c *chain.Model
	if m.opt.optimizer == "lbfgs" {
		f := m.opt.Fit()
		f.WarmStart, f.AllStates, f.AllTransitions = m.opt.warmStart, m.opt.states == "all", m.opt.transitions == "all"
		f.Candidate, f.Initial = candidate, initial
		c, err = tagger.Train(ctx, t, data, f)
	} else {
		f := m.onlineFit(target, data)
		f.Candidate, f.Initial = candidate, initial
		c, err = tagger.TrainOnline(ctx, t, data, f)
	}
	if err != nil {
		return err
	}
	m.Labels = data.Names
	if c, m.Alphabet, err = tagger.Compact(ctx, c, data.Alphabet); err != nil {
		return err
	}
	return m.ready(c)
}

package crf

import (
	"context"
	"fmt"

	"parlance/algo/chain"
	"parlance/algo/kind"
	"parlance/algo/tagger"
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
	data, err := tagger.Read(ctx, t.On, set, target, t.Resources, m.opt.minCount)
	if err != nil {
		return err
	}
	data.Notice(t, target)
	o := &m.opt
	f := tagger.Fit{Patience: o.patience, ValidateEvery: o.validateEvery, Options: chain.Options{
		L1: o.l1, L2: o.l2, Iterations: o.iterations, Memory: o.memory, Epsilon: o.epsilon, Period: o.period, Delta: o.delta,
		WarmStart: o.warmStart, AllStates: o.states == "all", AllTransitions: o.transitions == "all",
	}}
	f.Candidate = func(c *chain.Model) (kind.Model, error) {
		now := *m
		now.labels, now.alphabet, now.pool = data.Names, data.Alphabet, pool{}
		return &now, now.ready(c)
	}
	if t.Init != nil {
		old, ok := t.Init.(*model)
		if !ok {
			return fmt.Errorf("the model to start from is no crf")
		}
		if f.Initial, err = tagger.Transfer(old.chain, old.alphabet, old.labels, data.Alphabet, data.Names); err != nil {
			return err
		}
	}
	c, err := tagger.Train(ctx, t, data, f)
	if err != nil {
		return err
	}
	m.labels = data.Names
	if c, m.alphabet, err = tagger.Compact(c, data.Alphabet); err != nil {
		return err
	}
	return m.ready(c)
}

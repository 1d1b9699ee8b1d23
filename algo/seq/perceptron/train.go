package perceptron

import (
	"context"
	"fmt"

	"parlance/algo/engine/chain"
	"parlance/algo/kind"
	"parlance/algo/seq/tagger"
)

// Train fits the weights.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	data, rules, err := m.read(ctx, t)
	if err != nil {
		return err
	}
	o := &m.opt
	f := tagger.OnlineFit{Patience: o.patience, ValidateEvery: o.validateEvery, Online: chain.Online{
		Averaged: o.variant == "averaged", Epochs: o.epochs, InOrder: !o.shuffle, Rules: rules,
		AllStates: o.states == "all", AllTransitions: o.transitions == "all"}}
	if o.variant == "margin" {
		f.Rule, f.C = chain.Margin, o.margin
	}
	f.Candidate = func(c *chain.Model) (kind.Model, error) {
		now := *m
		now.Labels, now.Alphabet = data.Names, data.Alphabet
		return &now, now.ready(c)
	}
	if t.Init != nil {
		old, ok := t.Init.(*model)
		if !ok {
			return fmt.Errorf("the model to start from is no perceptron")
		}
		if f.Initial, err = tagger.Transfer(old.Chain, old.Alphabet, old.Labels, data.Alphabet, data.Names); err != nil {
			return err
		}
	}
	c, err := tagger.TrainOnline(ctx, t, data, f)
	if err != nil {
		return err
	}
	m.Labels = data.Names
	if c, m.Alphabet, err = tagger.Compact(ctx, c, data.Alphabet); err != nil {
		return err
	}
	return m.ready(c)
}

// read turns the inputs into data, with the constraints of their labels.
func (m *model) read(ctx context.Context, t *kind.Training) (*tagger.Data, *chain.Constraints, error) {
	set, err := m.set()
	if err != nil {
		return nil, nil, err
	}
	if m.classifies() {
		data, err := tagger.ReadDocuments(ctx, t.On, set, t.Resources, m.opt.minCount)
		return data, nil, err
	}
	target, err := m.target()
	if err != nil {
		return nil, nil, err
	}
	data, err := tagger.Read(ctx, t.On, set, target, t.Resources, m.opt.minCount)
	if err != nil {
		return nil, nil, err
	}
	data.Notice(t, target)
	if target.Spans() {
		return data, target.Scheme.Constraints(data.Names), nil
	}
	return data, nil, nil
}

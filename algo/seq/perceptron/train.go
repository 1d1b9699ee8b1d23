package perceptron

import (
	"context"

	"parlance/algo/engine/chain"
	"parlance/algo/kind"
	"parlance/algo/seq/tagger"
)

// Train fits the weights.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	data, err := m.opt.Read(ctx, t)
	if err != nil {
		return err
	}
	o := &m.opt
	f := tagger.OnlineFit{Patience: o.patience, ValidateEvery: o.validateEvery, Online: chain.Online{
		Averaged: o.variant == "averaged", Epochs: o.epochs, InOrder: !o.shuffle, Rules: o.Rules(data.Names),
		AllStates: o.states == "all", AllTransitions: o.transitions == "all"}}
	if o.variant == "margin" {
		f.Rule, f.C = chain.Margin, o.margin
	}
	f.Candidate = func(c *chain.Model) (kind.Model, error) {
		now := *m
		now.Trained = tagger.Trained{Labels: data.Names, Alphabet: data.Alphabet, Chain: c}
		return &now, now.ready()
	}
	if f.Initial, err = tagger.Initial[*model](t, "perceptron", data); err != nil {
		return err
	}
	c, err := tagger.TrainOnline(ctx, t, data, f)
	if err != nil {
		return err
	}
	if err := m.Keep(ctx, data, c); err != nil {
		return err
	}
	return m.ready()
}

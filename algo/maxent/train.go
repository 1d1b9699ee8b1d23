package maxent

import (
	"context"
	"fmt"

	"parlance/algo/chain"
	"parlance/algo/kind"
	"parlance/algo/tagger"
)

// Train fits the weights.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	set, err := m.features()
	if err != nil {
		return err
	}
	data, err := m.read(ctx, t, set)
	if err != nil {
		return err
	}
	f := m.opt.Fit()
	f.Candidate = func(c *chain.Model) (kind.Model, error) {
		now := *m
		now.Labels, now.Alphabet, now.pool = data.Names, data.Alphabet, pool{}
		return &now, now.ready(c)
	}
	if t.Init != nil {
		old, ok := t.Init.(*model)
		if !ok {
			return fmt.Errorf("the model to start from is no maxent")
		}
		if f.Initial, err = m.transfer(old, data); err != nil {
			return err
		}
	}
	c, err := tagger.Train(ctx, t, data, f)
	if err != nil {
		return err
	}
	m.Labels, m.Alphabet = data.Names, data.Alphabet
	if !m.history() { // with it, the attributes after the alphabet must keep their numbers
		if c, m.Alphabet, err = tagger.Compact(c, data.Alphabet); err != nil {
			return err
		}
	}
	return m.ready(c)
}

// transfer gives the weights of another model the numbers of the data. Those of the label
// before begin at 0.
func (m *model) transfer(old *model, data *tagger.Data) (*chain.Model, error) {
	c, err := tagger.Transfer(old.Chain, old.Alphabet, old.Labels, data.Alphabet, data.Names)
	if err != nil || data.Attributes == data.Alphabet.Len() {
		return c, err
	}
	p := c.Parts()
	end := p.AttrStart[len(p.AttrStart)-1]
	p.AttrStart = append([]uint32{}, p.AttrStart...)
	for range data.Attributes - data.Alphabet.Len() {
		p.AttrStart = append(p.AttrStart, end)
	}
	p.Attributes = data.Attributes
	return chain.NewModel(p)
}

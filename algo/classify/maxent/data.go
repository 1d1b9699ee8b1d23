package maxent

import (
	"context"

	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/seq/labelhistory"
	"parlance/algo/seq/tagger"
)

// corpus is the items of a training. A multinomial logistic regression is a chain whose sequences
// have one item each.
type corpus struct {
	*tagger.Data
	joint *feature.Joint
	sets  [][]uint16 // with multilabel: the labels of each item
}

// read turns the inputs into items.
func (m *model) read(ctx context.Context, t *kind.Training) (*corpus, error) {
	set, err := m.opt.set()
	if err != nil {
		return nil, err
	}
	if m.opt.classifies() {
		return m.documents(ctx, t, set)
	}
	target, err := m.opt.target()
	if err != nil {
		return nil, err
	}
	d, err := tagger.Read(ctx, t.On, set, target, t.Resources, m.opt.MinCount)
	if err != nil {
		return nil, err
	}
	d.Notice(t, target)
	joint, err := labelhistory.Expand(ctx, d, m.opt.MinCount)
	if err != nil {
		return nil, err
	}
	c := &corpus{Data: d, joint: joint}
	c.single()
	return c, nil
}

// single makes every item a sequence.
func (c *corpus) single() {
	c.Offsets = make([]uint32, c.Tokens()+1)
	for i := range c.Offsets {
		c.Offsets[i] = uint32(i)
	}
}

// documents makes an item of every label of every document, or with multilabel of every document.
func (m *model) documents(ctx context.Context, t *kind.Training, set *feature.Set) (*corpus, error) {
	if m.opt.multilabel {
		d, sets, err := tagger.ReadLabelSets(ctx, t.On, set, t.Resources, m.opt.MinCount)
		return &corpus{Data: d, sets: sets}, err
	}
	d, err := tagger.ReadDocuments(ctx, t.On, set, t.Resources, m.opt.MinCount)
	return &corpus{Data: d}, err
}

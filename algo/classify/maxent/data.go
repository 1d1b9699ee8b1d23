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

// read turns the inputs into items: a label of a document, a document with all its labels, or a token.
func (m *model) read(ctx context.Context, t *kind.Training) (*corpus, error) {
	if m.opt.multilabel {
		set, err := m.opt.Set()
		if err != nil {
			return nil, err
		}
		d, sets, err := tagger.ReadLabelSets(ctx, t.On, set, t.Resources, m.opt.MinCount)
		return &corpus{Data: d, sets: sets}, err
	}
	d, err := m.opt.Read(ctx, t)
	if err != nil || m.opt.Classifies() {
		return &corpus{Data: d}, err
	}
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

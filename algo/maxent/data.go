package maxent

import (
	"context"
	"fmt"

	"parlance/algo/chain"
	"parlance/algo/feature"
	"parlance/algo/history"
	"parlance/algo/kind"
	"parlance/algo/tagger"
	"parlance/algo/text"
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
	c := &corpus{Data: d, joint: history.Expand(d, m.opt.MinCount)}
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
	a := feature.NewAlphabet(set)
	e, err := feature.NewExtractor(a, t.Resources)
	if err != nil {
		return nil, err
	}
	var rows feature.Rows
	var labels [][]string
	for d, err := range t.On.Documents(ctx) {
		if err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l := d.Layer(text.Labels.Name)
		if l == nil || l.N == 0 {
			continue
		}
		e.Grow(d, &rows)
		labels = append(labels, l.Strs("label"))
	}
	if len(labels) == 0 {
		return nil, fmt.Errorf("%w: no document has labels", kind.ErrNoData)
	}
	e.Finish(&rows)
	c := &corpus{Data: &tagger.Data{Alphabet: feature.Prune(a, &rows, m.opt.MinCount), Data: chain.Data{AttrOffsets: []uint32{0}}}}
	index := map[string]uint16{}
	for i, list := range labels {
		ids, err := c.number(index, list)
		if err != nil {
			return nil, err
		}
		row := rows.Attrs[rows.Offsets[i]:rows.Offsets[i+1]]
		values := rows.Values[rows.Offsets[i]:rows.Offsets[i+1]]
		if m.opt.multilabel {
			c.sets = append(c.sets, ids)
			ids = ids[:1]
		}
		for _, id := range ids {
			c.Attrs, c.Values = append(c.Attrs, row...), append(c.Values, values...)
			c.AttrOffsets = append(c.AttrOffsets, uint32(len(c.Attrs)))
			c.Gold = append(c.Gold, id)
		}
	}
	c.Labels, c.Attributes = len(c.Names), c.Alphabet.Len()
	c.single()
	return c, nil
}

// number gives labels their numbers, in the order in which they come up.
func (c *corpus) number(index map[string]uint16, list []string) ([]uint16, error) {
	ids := make([]uint16, len(list))
	for i, l := range list {
		id, ok := index[l]
		if !ok {
			if len(index) == chain.MaxLabels {
				return nil, fmt.Errorf("more than %d labels", chain.MaxLabels)
			}
			id = uint16(len(index))
			index[l] = id
			c.Names = append(c.Names, l)
		}
		ids[i] = id
	}
	return ids, nil
}

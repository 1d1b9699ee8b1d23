package maxent

import (
	"context"
	"fmt"

	"parlance/algo/chain"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/tagger"
	"parlance/algo/text"
)

// A multinomial logistic regression is a chain whose sequences have one item each.

// read turns the inputs into items.
func (m *model) read(ctx context.Context, t *kind.Training, set *feature.Set) (*tagger.Data, error) {
	if m.classifies() {
		return m.documents(ctx, t, set)
	}
	target, err := m.target()
	if err != nil {
		return nil, err
	}
	d, err := tagger.Read(ctx, t.On, set, target, t.Resources, m.opt.MinCount)
	if err != nil {
		return nil, err
	}
	d.Notice(t, target)
	m.single(d)
	return d, nil
}

// single makes every token a sequence, with the label before as an attribute.
func (m *model) single(d *tagger.Data) {
	sentences, n := d.Offsets, d.Tokens()
	d.Offsets = make([]uint32, n+1)
	for i := range d.Offsets {
		d.Offsets[i] = uint32(i)
	}
	if !m.history() {
		return
	}
	base := uint32(d.Attributes)
	d.Attributes += d.Labels + 1
	attrs := make([]uint32, 0, len(d.Attrs)+n)
	offsets := make([]uint32, 1, n+1)
	for s := 1; s < len(sentences); s++ {
		before := uint32(d.Labels)
		for t := sentences[s-1]; t < sentences[s]; t++ {
			attrs = append(attrs, d.Attrs[d.AttrOffsets[t]:d.AttrOffsets[t+1]]...)
			attrs = append(attrs, base+before)
			offsets = append(offsets, uint32(len(attrs)))
			before = uint32(d.Gold[t])
		}
	}
	d.Attrs, d.AttrOffsets = attrs, offsets
}

// documents makes an item of every label of every document.
func (m *model) documents(ctx context.Context, t *kind.Training, set *feature.Set) (*tagger.Data, error) {
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
	d := &tagger.Data{Alphabet: feature.Prune(a, &rows, m.opt.MinCount), Data: chain.Data{Offsets: []uint32{0}, AttrOffsets: []uint32{0}}}
	index := map[string]uint16{}
	for i, list := range labels {
		from, to := rows.Offsets[i], rows.Offsets[i+1]
		for _, l := range list {
			id, ok := index[l]
			if !ok {
				if len(index) == chain.MaxLabels {
					return nil, fmt.Errorf("more than %d labels", chain.MaxLabels)
				}
				id = uint16(len(index))
				index[l] = id
				d.Names = append(d.Names, l)
			}
			d.Attrs, d.Values = append(d.Attrs, rows.Attrs[from:to]...), append(d.Values, rows.Values[from:to]...)
			d.AttrOffsets = append(d.AttrOffsets, uint32(len(d.Attrs)))
			d.Gold = append(d.Gold, id)
			d.Offsets = append(d.Offsets, uint32(len(d.Gold)))
		}
	}
	d.Labels, d.Attributes = len(d.Names), d.Alphabet.Len()
	return d, nil
}

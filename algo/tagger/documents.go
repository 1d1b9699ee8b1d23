package tagger

import (
	"context"
	"fmt"

	"parlance/algo/chain"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// ReadDocuments makes a sequence of one item of every label of every document; attributes in fewer
// than least documents are dropped. No labels give an error that wraps kind.ErrNoData.
func ReadDocuments(ctx context.Context, in kind.Input, set *feature.Set, res kind.Resources, least int) (*Data, error) {
	a := feature.NewAlphabet(set)
	e, err := feature.NewExtractor(a, res)
	if err != nil {
		return nil, err
	}
	var rows feature.Rows
	var labels [][]string
	for d, err := range in.Documents(ctx) {
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
	d := &Data{Alphabet: feature.Prune(a, &rows, least), Data: chain.Data{Offsets: []uint32{0}, AttrOffsets: []uint32{0}}}
	index := map[string]uint16{}
	for i, list := range labels {
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
			d.item(&rows, i, id)
		}
	}
	d.Labels, d.Attributes = len(d.Names), d.Alphabet.Len()
	return d, nil
}

// item appends a sequence of one item.
func (d *Data) item(rows *feature.Rows, i int, label uint16) {
	from, to := rows.Offsets[i], rows.Offsets[i+1]
	d.Attrs, d.Values = append(d.Attrs, rows.Attrs[from:to]...), append(d.Values, rows.Values[from:to]...)
	d.AttrOffsets = append(d.AttrOffsets, uint32(len(d.Attrs)))
	d.Gold = append(d.Gold, label)
	d.Offsets = append(d.Offsets, uint32(len(d.Gold)))
}

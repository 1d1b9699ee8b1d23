package tagger

import (
	"context"
	"fmt"
	"slices"

	"parlance/algo/engine/chain"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// DocumentFeatures compiles the templates of documents.
func DocumentFeatures(name string) (*feature.Set, error) {
	s, err := feature.Resolve(name)
	if err == nil && !s.Document() {
		return nil, fmt.Errorf("templates of documents are wanted, such as ngram(1); these describe tokens")
	}
	return s, err
}

// ReadDocuments turns documents with labels into data: every label of a document is a sequence of
// one item. Attributes in fewer than least documents are dropped. Nothing to learn gives an error
// that wraps kind.ErrNoData.
func ReadDocuments(ctx context.Context, in kind.Input, set *feature.Set, res kind.Resources, least int) (*Data, error) {
	d, sets, err := ReadLabelSets(ctx, in, set, res, least)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(sets, func(labels []uint16) bool { return len(labels) != 1 }) {
		return d, nil // an item a document, as it is
	}
	out := *d
	out.Data = chain.Data{Labels: d.Labels, Attributes: d.Attributes, Offsets: []uint32{0}, AttrOffsets: []uint32{0}}
	for i, labels := range sets {
		from, to, values := d.AttrOffsets[i], d.AttrOffsets[i+1], []float32(nil)
		if d.Values != nil {
			values = d.Values[from:to]
		}
		for _, l := range labels {
			out.item(d.Attrs[from:to], values, l)
		}
	}
	return &out, nil
}

// item adds a sequence of one item.
func (d *Data) item(attrs []uint32, values []float32, label uint16) {
	d.Attrs, d.Values = append(d.Attrs, attrs...), append(d.Values, values...)
	d.AttrOffsets = append(d.AttrOffsets, uint32(len(d.Attrs)))
	d.Gold = append(d.Gold, label)
	d.Offsets = append(d.Offsets, uint32(len(d.Gold)))
}

// several refuses to learn one label, which tells nothing apart.
func several(names []string, item string) error {
	if len(names) == 1 {
		return fmt.Errorf("%w: every %s has the label %s; two labels are wanted at least", kind.ErrNoData, item, names[0])
	}
	return nil
}

// ReadLabelSets does the same with one item a document, whose gold label is its first one, and
// returns all labels of each.
func ReadLabelSets(ctx context.Context, in kind.Input, set *feature.Set, res kind.Resources,
	least int) (*Data, [][]uint16, error) {
	a := feature.NewAlphabet(set)
	e, err := feature.NewExtractor(a, res)
	if err != nil {
		return nil, nil, err
	}
	d := &Data{Data: chain.Data{Offsets: []uint32{0}}}
	var rows feature.Rows
	var sets [][]uint16
	index := map[string]uint16{}
	for doc, err := range in.Documents(ctx) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, nil, err
		}
		l := doc.Layer(text.Labels.Name)
		if l == nil || l.N == 0 {
			continue
		}
		ids, err := d.number(index, l.Strs("label"))
		if err != nil {
			return nil, nil, err
		}
		if err := e.GrowUntil(ctx, doc, &rows); err != nil {
			return nil, nil, err
		}
		sets = append(sets, ids)
		d.Gold = append(d.Gold, ids[0])
		d.Offsets = append(d.Offsets, uint32(len(d.Gold)))
	}
	if len(sets) == 0 {
		return nil, nil, fmt.Errorf("%w: no document has labels", kind.ErrNoData)
	}
	if err := several(d.Names, "document"); err != nil {
		return nil, nil, err
	}
	e.Finish(&rows)
	if d.Alphabet, err = feature.Prune(ctx, a, &rows, least); err != nil {
		return nil, nil, err
	}
	d.Attrs, d.AttrOffsets = rows.Attrs, rows.Offsets
	if slices.ContainsFunc(rows.Values, func(v float32) bool { return v != 1 }) {
		d.Values = rows.Values
	}
	d.Labels, d.Attributes = len(d.Names), d.Alphabet.Len()
	return d, sets, nil
}

// number gives labels their numbers, in the order in which they come up.
func (d *Data) number(index map[string]uint16, list []string) ([]uint16, error) {
	ids := make([]uint16, len(list))
	for i, l := range list {
		id, ok := index[l]
		if !ok {
			if len(index) == chain.MaxLabels {
				return nil, fmt.Errorf("more than %d labels", chain.MaxLabels)
			}
			id = uint16(len(index))
			index[l] = id
			d.Names = append(d.Names, l)
		}
		ids[i] = id
	}
	return ids, nil
}

package tagger

import (
	"context"
	"fmt"

	"parlance/algo/chain"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// DocumentFeatures compiles the templates of documents, bow by default.
func DocumentFeatures(name string) (*feature.Set, error) {
	if name == "" {
		name = "bow"
	}
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
		if l := d.Layer(text.Labels.Name); l != nil && l.N > 0 {
			e.Grow(d, &rows)
			labels = append(labels, l.Strs("label"))
		}
	}
	if len(labels) == 0 {
		return nil, fmt.Errorf("%w: no document has labels", kind.ErrNoData)
	}
	e.Finish(&rows)
	d := &Data{Alphabet: feature.Prune(a, &rows, least), Data: chain.Data{Offsets: []uint32{0}, AttrOffsets: []uint32{0}}}
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

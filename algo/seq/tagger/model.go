package tagger

import (
	"context"
	"fmt"

	"parlance/algo/engine/chain"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/kind/state"
)

// Compact drops weights of 0 and attributes without weight; it ends with its context.
func Compact(ctx context.Context, m *chain.Model, a *feature.Alphabet) (*chain.Model, *feature.Alphabet, error) {
	p, keep := m.Prune(0).Parts().Used()
	out, err := chain.NewModel(p)
	if err != nil {
		return nil, nil, err
	}
	a, err = a.Keep(ctx, keep)
	return out, a, err
}

// Encode writes a chain in sections that begin with "chain.".
func Encode(w *kind.Writer, m *chain.Model) error { return EncodeAs(w, "chain", m) }

// EncodeAs writes a chain in sections that begin with a name and a dot.
func EncodeAs(w *kind.Writer, name string, m *chain.Model) error {
	p := m.Parts()
	return state.SaveAs(w, name, &p)
}

// Decode reads what Encode wrote; damage gives an error that wraps kind.ErrCorrupt.
func Decode(r *kind.Reader) (*chain.Model, error) { return DecodeAs(r, "chain") }

// DecodeAs reads what EncodeAs wrote.
func DecodeAs(r *kind.Reader, name string) (*chain.Model, error) {
	var p chain.Parts
	if err := state.LoadAs(r, name, &p); err != nil {
		return nil, err
	}
	m, err := chain.NewModel(p)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", kind.ErrCorrupt, err)
	}
	return m, nil
}

// Transfer gives the weights of a model the numbers of other attributes and labels; what
// they do not know is left out.
func Transfer(m *chain.Model, from *feature.Alphabet, fromLabels []string, to *feature.Alphabet,
	toLabels []string) (*chain.Model, error) {
	label := make([]int, len(fromLabels))
	index := map[string]int{}
	for i, l := range toLabels {
		index[l] = i
	}
	for i, l := range fromLabels {
		label[i] = -1
		if k, ok := index[l]; ok {
			label[i] = k
		}
	}
	names := make(map[string]uint32, from.Len())
	for i := range from.Len() {
		names[from.Name(uint32(i))] = uint32(i)
	}
	p := chain.Parts{Labels: len(toLabels), Attributes: to.Len(), AttrStart: []uint32{0}}
	row := make([]float64, len(toLabels))
	for i := range to.Len() {
		if old, ok := names[to.Name(uint32(i))]; ok {
			clear(row)
			labels, weights := m.Row(old)
			for k, l := range labels {
				if n := label[l]; n >= 0 {
					row[n] = weights[k]
				}
			}
			for l, w := range row {
				if w != 0 {
					p.PairLabel, p.Weights = append(p.PairLabel, uint16(l)), append(p.Weights, w)
				}
			}
		}
		p.AttrStart = append(p.AttrStart, uint32(len(p.Weights)))
	}
	back := make([]int, len(toLabels))
	for i := range back {
		back[i] = -1
	}
	for i, k := range label {
		if k >= 0 {
			back[k] = i
		}
	}
	for i, a := range back {
		for k, b := range back {
			if a < 0 || b < 0 {
				continue
			}
			if w := m.Transition(a, b); w != 0 {
				p.TransFrom, p.TransTo, p.TransWeights = append(p.TransFrom, uint16(i)), append(p.TransTo, uint16(k)),
					append(p.TransWeights, w)
			}
		}
	}
	return chain.NewModel(p)
}

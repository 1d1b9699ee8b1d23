package tagger

import (
	"context"
	"fmt"

	"parlance/algo/engine/chain"
	"parlance/algo/feature"
	"parlance/algo/kind"
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
	if err := w.JSON(name+".size", [2]int{p.Labels, p.Attributes}); err != nil {
		return err
	}
	for _, s := range []struct {
		section string
		v       []uint16
	}{{name + ".pairs", p.PairLabel}, {name + ".from", p.TransFrom}, {name + ".to", p.TransTo}} {
		if err := w.Bytes(s.section, bytesOf(s.v)); err != nil {
			return err
		}
	}
	if err := w.Uint32s(name+".start", p.AttrStart); err != nil {
		return err
	}
	if err := w.Float64s(name+".weights", p.Weights); err != nil {
		return err
	}
	return w.Float64s(name+".transitions", p.TransWeights)
}

// Decode reads what Encode wrote; damage gives an error that wraps kind.ErrCorrupt.
func Decode(r *kind.Reader) (*chain.Model, error) { return DecodeAs(r, "chain") }

// DecodeAs reads what EncodeAs wrote.
func DecodeAs(r *kind.Reader, name string) (*chain.Model, error) {
	var size [2]int
	if err := r.JSON(name+".size", &size); err != nil {
		return nil, err
	}
	p := chain.Parts{Labels: size[0], Attributes: size[1]}
	for _, s := range []struct {
		section string
		v       *[]uint16
	}{{name + ".pairs", &p.PairLabel}, {name + ".from", &p.TransFrom}, {name + ".to", &p.TransTo}} {
		b, err := r.Bytes(s.section)
		if err != nil {
			return nil, err
		}
		if *s.v, err = shorts(s.section, b); err != nil {
			return nil, err
		}
	}
	var err error
	if p.AttrStart, err = r.Uint32s(name + ".start"); err != nil {
		return nil, err
	}
	if p.Weights, err = r.Float64s(name + ".weights"); err != nil {
		return nil, err
	}
	if p.TransWeights, err = r.Float64s(name + ".transitions"); err != nil {
		return nil, err
	}
	m, err := chain.NewModel(p)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", kind.ErrCorrupt, err)
	}
	return m, nil
}

func bytesOf(v []uint16) []byte {
	out := make([]byte, 2*len(v))
	for i, x := range v {
		out[2*i], out[2*i+1] = byte(x), byte(x>>8)
	}
	return out
}

func shorts(section string, b []byte) ([]uint16, error) {
	if len(b)%2 != 0 {
		return nil, kind.Corrupt(section, "its length is odd")
	}
	out := make([]uint16, len(b)/2)
	for i := range out {
		out[i] = uint16(b[2*i]) | uint16(b[2*i+1])<<8
	}
	return out, nil
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

package tagparser

import (
	"fmt"
	"math/bits"

	"parlance/algo/kind"
	"parlance/algo/parse/constituent"
)

// stored is the grammar as it is written.
type stored struct {
	Spines    [][]string
	Triples   []constituent.Triple
	Tags      []string
	Dict      [][]int32
	Kept      []int
	Open      int32
	RootLabel string
	Crossed   bool `json:",omitempty"`
	Unit      float64
	Scale     float64
}

// Encode writes grammar, weights and pruner.
func (m *model) Encode(w *kind.Writer) error {
	g := m.g
	if err := w.JSON("grammar", stored{g.spines, g.triples, g.tags, g.dict, g.kept, g.open, g.rootLabel, g.crossed, m.unit,
		m.scale}); err != nil {
		return err
	}
	var pairs []uint32
	for _, p := range g.pairs {
		pairs = append(pairs, uint32(p.head+1), uint32(p.mod), uint32(p.side), uint32(p.triple), uint32(p.count))
	}
	if err := w.Uint32s("pairs", pairs); err != nil {
		return err
	}
	raw := make([]byte, len(m.q))
	for i, x := range m.q {
		raw[i] = byte(x)
	}
	if err := w.Bytes("weights", raw); err != nil {
		return err
	}
	return m.pruner.encode(w)
}

// section is what the names of the sections of a parser of the pruner begin with.
func section(k int) string {
	if k == 0 {
		return "pruner."
	}
	return fmt.Sprintf("pruner%d.", k+1)
}

// encode writes the sections of the pruner under names of their own.
func (p *pruner) encode(w *kind.Writer) error {
	for k, m := range p.ms {
		var names []string
		parts := map[string][]byte{}
		err := m.Encode(kind.NewWriter(func(name string, data []byte) error {
			if _, ok := parts[name]; !ok {
				names = append(names, name)
			}
			parts[name] = append(parts[name], data...)
			return nil
		}))
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := w.Bytes(section(k)+name, parts[name]); err != nil {
				return err
			}
		}
	}
	return nil
}

// decode reads the sections of a pruner.
func (p *pruner) decode(r *kind.Reader) error {
	for k, m := range p.ms {
		err := m.Decode(kind.NewReader(func(name string) ([]byte, error) { return r.Bytes(section(k) + name) }))
		if err != nil {
			return err
		}
	}
	return nil
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	var x stored
	if err := r.JSON("grammar", &x); err != nil {
		return err
	}
	g := &grammar{spines: x.Spines, triples: x.Triples, tags: x.Tags, dict: x.Dict, kept: x.Kept, open: x.Open,
		rootLabel: x.RootLabel, crossed: x.Crossed}
	if err := g.check(); err != nil {
		return kind.Corrupt("grammar", err.Error())
	}
	if !(x.Unit > 0 && x.Unit < 1e25 && x.Scale > 0 && x.Scale < 1e6) {
		return kind.Corrupt("grammar", "has units that are none")
	}
	pairs, err := r.Uint32s("pairs")
	if err != nil {
		return err
	}
	for ; len(pairs) >= 5; pairs = pairs[5:] {
		p := pairCount{int32(pairs[0]) - 1, int32(pairs[1]), int32(pairs[2]), int32(pairs[3]), int32(pairs[4])}
		if p.head < -1 || int(p.head) >= len(g.tags) || p.mod < 0 || int(p.mod) >= len(g.tags) || p.triple < 0 ||
			int(p.triple) >= len(g.triples) || p.count < 1 || p.side < 0 || p.side > 1 {
			return kind.Corrupt("pairs", "has tags or triples that are not there")
		}
		g.pairs = append(g.pairs, p)
	}
	if len(pairs) > 0 {
		return kind.Corrupt("pairs", "ends within a row")
	}
	g.index()
	raw, err := r.Bytes("weights")
	if err != nil {
		return err
	}
	size := bits.Len(uint(len(raw))) - 1
	if len(raw) < 2 || len(raw) != 1<<size {
		return kind.Corrupt("weights", "has a length that is no power of 2")
	}
	q := make([]int8, len(raw))
	for i, b := range raw {
		q[i] = int8(b)
	}
	p, err := newPruner(m.opt.pruner == byLabels, prunerBits, 1)
	if err != nil {
		return err
	}
	if err := p.decode(r); err != nil {
		return err
	}
	m.trained = newTrained(g, p, q, x.Unit, uint(64-size), m.opt.order)
	m.scale = x.Scale
	return nil
}

// check looks for numbers of what is not there.
func (g *grammar) check() error {
	if len(g.tags) == 0 || len(g.dict) != len(g.tags) || len(g.kept) != len(g.tags) || g.open < 0 ||
		int(g.open) >= len(g.tags) {
		return fmt.Errorf("has %d tags and spines of %d", len(g.tags), len(g.dict))
	}
	for _, s := range g.spines {
		if len(s) == 0 {
			return fmt.Errorf("has a spine without a tag")
		}
	}
	for t, list := range g.dict {
		if g.kept[t] < 1 || g.kept[t] > len(list) {
			return fmt.Errorf("uses %d of %d spines of a tag", g.kept[t], len(list))
		}
		for _, s := range list {
			if s < 0 || int(s) >= len(g.spines) {
				return fmt.Errorf("has a spine that is not there")
			}
		}
	}
	return nil
}

package translator

import (
	"math"
	"slices"

	"parlance/algo/bitext"
	"parlance/algo/kind"
)

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	if m.table == nil {
		return 0
	}
	n := int64(24 * len(m.table.pairs))
	for _, p := range []*phrases{m.table.source, m.table.target, m.table.inner} {
		n += int64(8*len(p.ids) + 60*len(p.starts))
	}
	for _, v := range m.vocabulary {
		for _, w := range v.Words {
			n += int64(len(w)) + 72
		}
	}
	return n
}

// Encode writes words, phrases and weights.
func (m *model) Encode(w *kind.Writer) error {
	t := m.table
	targets, links, h := make([]uint32, len(t.pairs)), make([]uint32, len(t.pairs)), make([]float32, own*len(t.pairs))
	for i, p := range t.pairs {
		targets[i], links[i] = p.target, p.links
		copy(h[own*i:], p.h[:])
	}
	for _, write := range []func() error{
		func() error { return w.Float64s("weights", m.weights[:]) },
		func() error { return w.Strings("words.source", m.vocabulary[0].Words) },
		func() error { return w.Strings("words.target", m.vocabulary[1].Words) },
		func() error { return t.source.encode(w, "source") },
		func() error { return t.target.encode(w, "target") },
		func() error { return t.inner.encode(w, "links") },
		func() error { return w.Uint32s("starts", t.starts) },
		func() error { return w.Uint32s("pairs.target", targets) },
		func() error { return w.Uint32s("pairs.links", links) },
		func() error { return w.Float32s("pairs.features", h) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

func (p *phrases) encode(w *kind.Writer, name string) error {
	if err := w.Uint32s(name+".ids", p.ids); err != nil {
		return err
	}
	return w.Uint32s(name+".starts", p.starts)
}

// rising reports whether places begin at 0, do not fall and end at n.
func rising(starts []uint32, n int) bool {
	return len(starts) > 0 && starts[0] == 0 && slices.IsSorted(starts) && int(starts[len(starts)-1]) == n
}

// decodePhrases reads phrases of ids below limit.
func decodePhrases(r *kind.Reader, name string, limit int) (p *phrases, err error) {
	p = &phrases{}
	if p.ids, err = r.Uint32s(name + ".ids"); err != nil {
		return nil, err
	}
	if p.starts, err = r.Uint32s(name + ".starts"); err != nil {
		return nil, err
	}
	if !rising(p.starts, len(p.ids)) {
		return nil, kind.Corrupt(name+".starts", "does not fit the phrases")
	}
	for _, id := range p.ids {
		if int64(id) >= int64(limit) {
			return nil, kind.Corrupt(name+".ids", "has a word that is not there")
		}
	}
	p.reindex()
	return p, nil
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	weights, err := r.Float64s("weights")
	if err != nil {
		return err
	}
	if len(weights) != features ||
		slices.ContainsFunc(weights, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }) {
		return kind.Corrupt("weights", "has a wrong length or number")
	}
	m.weights = vector(weights)
	for side, name := range []string{"source", "target"} {
		words, err := r.Strings("words." + name)
		if err != nil {
			return err
		}
		m.vocabulary[side] = bitext.NewVocabulary(words)
	}
	t := &table{}
	if t.source, err = decodePhrases(r, "source", len(m.vocabulary[0].Words)); err != nil {
		return err
	}
	if t.target, err = decodePhrases(r, "target", len(m.vocabulary[1].Words)); err != nil {
		return err
	}
	if t.inner, err = decodePhrases(r, "links", 1<<16); err != nil {
		return err
	}
	m.table = t
	return t.decodePairs(r)
}

func (t *table) decodePairs(r *kind.Reader) (err error) {
	if t.starts, err = r.Uint32s("starts"); err != nil {
		return err
	}
	targets, err := r.Uint32s("pairs.target")
	if err != nil {
		return err
	}
	links, err := r.Uint32s("pairs.links")
	if err != nil {
		return err
	}
	h, err := r.Float32s("pairs.features")
	if err != nil {
		return err
	}
	if len(t.starts) != t.source.size()+1 || !rising(t.starts, len(targets)) || len(links) != len(targets) ||
		len(h) != own*len(targets) {
		return kind.Corrupt("starts", "does not fit the phrases")
	}
	t.pairs = make([]pair, len(targets))
	for s := range t.source.size() {
		for i := t.starts[s]; i < t.starts[s+1]; i++ {
			p := pair{targets[i], links[i], [own]float32(h[own*i:])}
			if int64(p.target) >= int64(t.target.size()) || int64(p.links) >= int64(t.inner.size()) {
				return kind.Corrupt("pairs.target", "names a phrase that is not there")
			}
			a, b := len(t.source.at(uint32(s))), len(t.target.at(p.target))
			for _, l := range t.inner.at(p.links) {
				if int(l>>8) >= a || int(l&255) >= b {
					return kind.Corrupt("pairs.links", "has a link beyond the phrase")
				}
			}
			for _, x := range p.h {
				if !(x <= 0) || math.IsInf(float64(x), 0) {
					return kind.Corrupt("pairs.features", "has a number that is no log probability")
				}
			}
			t.pairs[i] = p
		}
	}
	return nil
}

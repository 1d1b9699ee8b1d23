package nonlocal

import (
	"parlance/algo/engine/chain"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/seq/labelhistory"
	"parlance/algo/seq/tagger"
)

// adopt takes learned weights over, without those of 0. second are the local weights that choose,
// nil where they are those that find.
func (m *model) adopt(d *data, w, second weights, scale float64, beyond []float64) error {
	x, j := d.texts, feature.NewJoint(d.read.Alphabet, len(d.read.Names))
	first, choosing := newRows(x.labels), newRows(x.labels)
	row := func(w weights, at int) []float64 {
		if w == nil {
			return nil
		}
		return w[at:][:x.labels]
	}
	for a := range d.read.Alphabet.Len() {
		first.add(row(w, a*x.labels))
		choosing.add(row(second, a*x.labels))
	}
	for a := range d.read.Alphabet.Len() {
		e := d.edgeOf[a]
		if e < 0 {
			continue
		}
		for before := range x.labels + 1 {
			at := x.edgeBase() + (int(e)*(x.labels+1)+before)*x.labels
			if p, q := row(w, at), row(second, at); some(p) || some(q) {
				j.Add(uint32(a), before)
				first.add(p)
				choosing.add(q)
			}
		}
	}
	c, err := first.model()
	if err != nil {
		return err
	}
	m.Trained = labelhistory.Trained{Trained: tagger.Trained{Labels: d.read.Names, Alphabet: d.read.Alphabet, Chain: c},
		Joint: j}
	m.second, m.scale, m.beyond = nil, scale, beyond
	if d.counter != nil {
		m.names = d.counter.names()
	}
	if second != nil {
		if m.second, err = choosing.model(); err != nil {
			return err
		}
	}
	return m.ready()
}

func some(row []float64) bool {
	for _, v := range row {
		if v != 0 {
			return true
		}
	}
	return false
}

// rows gathers weights of attributes.
type rows struct{ parts chain.Parts }

func newRows(labels int) *rows {
	return &rows{chain.Parts{Labels: labels, AttrStart: []uint32{0}}}
}

func (r *rows) add(weights []float64) {
	p := &r.parts
	for y, v := range weights {
		if v != 0 {
			p.PairLabel, p.Weights = append(p.PairLabel, uint16(y)), append(p.Weights, v)
		}
	}
	p.AttrStart = append(p.AttrStart, uint32(len(p.Weights)))
	p.Attributes++
}

func (r *rows) model() (*chain.Model, error) { return chain.NewModel(r.parts) }

// head is what a model stores besides weights.
type head struct {
	Scale, Margin float64
	Second        bool
}

// Encode writes everything that was learned.
func (m *model) Encode(w *kind.Writer) error {
	if err := m.Trained.Encode(w); err != nil {
		return err
	}
	if err := w.JSON("nonlocal.head", head{m.scale, m.margin, m.second != nil}); err != nil {
		return err
	}
	if err := w.Strings("nonlocal.features", m.names); err != nil {
		return err
	}
	if err := w.Float64s("nonlocal.weights", m.beyond); err != nil || m.second == nil {
		return err
	}
	return tagger.EncodeAs(w, "second", m.second)
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	if m.Trained, err = labelhistory.Decode(r); err != nil {
		return err
	}
	if m.Joint == nil {
		return kind.Corrupt("features", "no template reads the label before")
	}
	var h head
	if err := r.JSON("nonlocal.head", &h); err != nil {
		return err
	}
	m.scale, m.margin = h.Scale, h.Margin
	if m.names, err = r.Strings("nonlocal.features"); err != nil {
		return err
	}
	if m.beyond, err = r.Float64s("nonlocal.weights"); err != nil {
		return err
	}
	if len(m.names) != len(m.beyond) || len(m.names) != newCounter(newScheme(m.Labels), m.groups()).width {
		return kind.Corrupt("nonlocal.weights", "features, weights and groups differ in number")
	}
	if h.Second {
		if m.second, err = tagger.DecodeAs(r, "second"); err != nil {
			return err
		}
		if m.second.Attributes() != m.Chain.Attributes() || m.second.Labels() != m.Chain.Labels() {
			return kind.Corrupt("second.size", "the second weights are of another size")
		}
	}
	return m.ready()
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	n := m.Trained.Bytes() + int64(8*len(m.beyond))
	if m.second != nil {
		n += m.second.Bytes()
	}
	return n
}

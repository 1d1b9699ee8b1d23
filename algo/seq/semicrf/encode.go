package semicrf

import (
	"fmt"
	"math"

	"parlance/algo/engine/semimarkov"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/seq/expectation"
)

// head is what is written of a model besides attributes and weights.
type head struct {
	Parents []int32
	Repeat  bool
	Longest int
	Lengths int
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	n := int64(8*len(m.w)) +
		int64(4*(len(m.layout.States.Cols)+len(m.layout.States.Start)+len(m.layout.Edges.Cols)+len(m.layout.Edges.Start)))
	for _, a := range m.alphabets {
		if a != nil {
			n += a.Bytes()
		}
	}
	for _, s := range m.wholes {
		n += int64(len(s)) + 64
	}
	return n
}

// Encode writes what was learned.
func (m *model) Encode(w *kind.Writer) error {
	if err := w.JSON("model", head{m.labels.Parents, m.labels.Repeat, m.layout.Longest, m.layout.Lengths}); err != nil {
		return err
	}
	if err := w.Strings("labels", m.labels.Names); err != nil {
		return err
	}
	if err := w.Strings("wholes", m.wholes); err != nil {
		return err
	}
	for i, a := range m.alphabets {
		if a == nil {
			continue
		}
		if err := w.Bytes(sortNames[i], []byte(a.Set().String())); err != nil {
			return err
		}
		if err := w.Within(sortNames[i], a.Encode); err != nil {
			return err
		}
	}
	for _, s := range m.tables() {
		if err := w.Uint32s(s.section, *s.v); err != nil {
			return err
		}
	}
	if err := w.Float64s("weights", m.w); err != nil {
		return err
	}
	return expectation.Encode(w, m.reached)
}

// tables are the sections of the layout.
func (m *model) tables() []struct {
	section string
	v       *[]uint32
} {
	l := m.layout
	return []struct {
		section string
		v       *[]uint32
	}{{"states.start", &l.States.Start}, {"states.labels", &l.States.Cols}, {"pairs", &l.Pairs}, {"edges.start",
		&l.Edges.Start}, {"edges.pairs", &l.Edges.Cols}}
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	var h head
	if err := r.JSON("model", &h); err != nil {
		return err
	}
	m.labels = labelSet{Parents: h.Parents, Repeat: h.Repeat}
	if m.labels.Names, err = r.Strings("labels"); err != nil {
		return err
	}
	if m.wholes, err = r.Strings("wholes"); err != nil {
		return err
	}
	if err := m.decodeAlphabets(r); err != nil {
		return err
	}
	if m.space, err = m.labels.engine(); err != nil {
		return fmt.Errorf("%w: %w", kind.ErrCorrupt, err)
	}
	m.layout = &semimarkov.Layout{Labels: m.space, Longest: h.Longest, Lengths: h.Lengths}
	for _, s := range m.tables() {
		if *s.v, err = r.Uint32s(s.section); err != nil {
			return err
		}
	}
	if m.w, err = r.Float64s("weights"); err != nil {
		return err
	}
	if m.reached, err = expectation.Decode(r); err != nil {
		return err
	}
	return m.check()
}

func (m *model) decodeAlphabets(r *kind.Reader) error {
	for i := range sorts {
		m.alphabets[i] = nil
		want, err := m.set(i)
		if err != nil {
			return err
		}
		if want == nil {
			continue
		}
		notation, err := r.Bytes(sortNames[i])
		if err != nil {
			return err
		}
		set, err := feature.Parse(string(notation))
		if err != nil {
			return fmt.Errorf("%w: %w", kind.ErrCorrupt, err)
		}
		if m.alphabets[i], err = feature.DecodeAlphabet(set, r.Within(sortNames[i])); err != nil {
			return err
		}
	}
	return nil
}

// check tells whether the parts that were read belong together.
func (m *model) check() error {
	if m.layout.Longest > math.MaxInt16 {
		return kind.Corrupt("model", "segments are too long")
	}
	if err := m.layout.Check(m.w); err != nil {
		return fmt.Errorf("%w: %w", kind.ErrCorrupt, err)
	}
	if err := m.ready(); err != nil {
		return fmt.Errorf("%w: %w", kind.ErrCorrupt, err)
	}
	triggers, err := m.triggers()
	if err != nil {
		return err
	}
	if no := m.numbering(triggers, m.layout.Longest); int(no.total) != m.layout.States.Attributes() ||
		int(no.total-no.lengths) != m.layout.Lengths ||
		int(size(m.alphabets[ofEdge])) != m.layout.Edges.Attributes() {
		return kind.Corrupt("states.start", "attributes and weights differ in number")
	}
	return nil
}

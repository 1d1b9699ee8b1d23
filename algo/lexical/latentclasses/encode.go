package latentclasses

import (
	"parlance/algo/kind"
)

// Encode writes the classes of words and contexts.
func (m *model) Encode(w *kind.Writer) error {
	if err := w.Float64s("classes", m.prior); err != nil {
		return err
	}
	if err := m.words.encode(w, "word"); err != nil {
		return err
	}
	return m.contexts.encode(w, "context")
}

func (s *side) encode(w *kind.Writer, name string) error {
	if err := w.Strings(name+"s", s.names); err != nil {
		return err
	}
	if err := w.Float64s(name+"_share", s.share); err != nil {
		return err
	}
	widths := make([]uint32, len(s.names))
	for i := range widths {
		widths[i] = uint32(s.start[i+1] - s.start[i])
	}
	if err := w.Uint32s(name+"_widths", widths); err != nil {
		return err
	}
	if err := w.Uint32s(name+"_classes", s.ids); err != nil {
		return err
	}
	return w.Float64s(name+"_probs", s.probs)
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	if m.prior, err = r.Float64s("classes"); err != nil {
		return err
	}
	if err := m.words.decode(r, "word", len(m.prior)); err != nil {
		return err
	}
	if err := m.contexts.decode(r, "context", len(m.prior)); err != nil {
		return err
	}
	if err := m.sound(); err != nil {
		return err
	}
	m.ready()
	return nil
}

// sound finds what is no probability, and classes out of range or order.
func (m *model) sound() error {
	for _, p := range m.prior {
		if !(p >= 0 && p <= 1+1e-9) {
			return kind.Corrupt("classes", "has a number that is no probability")
		}
	}
	if err := m.words.check("word", len(m.prior)); err != nil {
		return err
	}
	return m.contexts.check("context", len(m.prior))
}

func (s *side) decode(r *kind.Reader, name string, classes int) (err error) {
	if s.names, err = r.Strings(name + "s"); err != nil {
		return err
	}
	if s.share, err = r.Float64s(name + "_share"); err != nil {
		return err
	}
	widths, err := r.Uint32s(name + "_widths")
	if err != nil {
		return err
	}
	if s.ids, err = r.Uint32s(name + "_classes"); err != nil {
		return err
	}
	if s.probs, err = r.Float64s(name + "_probs"); err != nil {
		return err
	}
	if len(s.share) != len(s.names) || len(widths) != len(s.names) {
		return kind.Corrupt(name+"_widths", "has not one number a name")
	}
	s.start = make([]int, len(s.names)+1)
	for i, n := range widths {
		s.start[i+1] = s.start[i] + int(n)
	}
	if s.start[len(s.names)] != len(s.ids) || len(s.probs) != len(s.ids) {
		return kind.Corrupt(name+"_widths", "does not add up to the classes")
	}
	return nil
}

// check finds what is no probability, and classes out of range or order.
func (s *side) check(name string, classes int) error {
	for i := range s.names {
		if !(s.share[i] >= 0 && s.share[i] <= 1+1e-9) {
			return kind.Corrupt(name+"_share", "has a number that is no probability")
		}
		ids, probs := s.row(i)
		for k, id := range ids {
			if int(id) >= classes || k > 0 && id <= ids[k-1] {
				return kind.Corrupt(name+"_classes", "has a class out of range or order")
			}
			if !(probs[k] >= 0 && probs[k] <= 1+1e-9) {
				return kind.Corrupt(name+"_probs", "has a number that is no probability")
			}
		}
	}
	return nil
}

package similarity

import (
	"math"

	"parlance/algo/kind"
	"parlance/algo/lexical/cooccurrence"
)

// Encode writes words, counts and lists.
func (m *model) Encode(w *kind.Writer) error {
	if err := m.counts.Encode(w); err != nil {
		return err
	}
	widths := make([]uint32, len(m.counts.Words))
	for i := range widths {
		widths[i] = uint32(m.lists.start[i+1] - m.lists.start[i])
	}
	if err := w.Uint32s("list_widths", widths); err != nil {
		return err
	}
	if err := w.Uint32s("list_words", m.lists.words); err != nil {
		return err
	}
	return w.Float32s("list_scores", m.lists.scores)
}

// Decode reads what Encode wrote, and makes the profiles anew.
func (m *model) Decode(r *kind.Reader) (err error) {
	if m.counts, err = cooccurrence.Decode(r); err != nil {
		return err
	}
	if err := m.lists.decode(r, len(m.counts.Words)); err != nil {
		return err
	}
	if !m.opt.keep {
		return nil
	}
	if m.opt.measure == classes {
		for _, p := range m.counts.Rows.Counts {
			if p > 1+1e-9 {
				return kind.Corrupt("counts", "has a probability above 1")
			}
		}
	}
	if m.vectors, err = newVectors(m.counts, m.opt.settings); err != nil {
		return kind.Corrupt("counts", "has counts that "+err.Error())
	}
	return nil
}

func (l *lists) decode(r *kind.Reader, words int) error {
	widths, err := r.Uint32s("list_widths")
	if err != nil {
		return err
	}
	if l.words, err = r.Uint32s("list_words"); err != nil {
		return err
	}
	if l.scores, err = r.Float32s("list_scores"); err != nil {
		return err
	}
	if len(widths) != words {
		return kind.Corrupt("list_widths", "has not one number a word")
	}
	l.start = make([]int, words+1)
	for i, n := range widths {
		l.start[i+1] = l.start[i] + int(n)
	}
	if l.start[words] != len(l.words) || len(l.scores) != len(l.words) {
		return kind.Corrupt("list_widths", "does not add up to the lists")
	}
	for i, w := range l.words {
		if int(w) >= words || math.IsNaN(float64(l.scores[i])) {
			return kind.Corrupt("list_words", "has an unknown word or a score that is no number")
		}
	}
	return nil
}

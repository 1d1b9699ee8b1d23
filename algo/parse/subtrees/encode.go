package subtrees

import (
	"fmt"

	"parlance/algo/kind"
)

var sections = []string{"pairs", "triples", "siblings", "chains"}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	n := int64(0)
	for _, w := range m.words {
		n += int64(len(w)) + 64
	}
	for _, l := range m.lists() {
		n += int64(12*len(l.keys) + 9*len(l.table.keys))
	}
	return n
}

// Encode writes words, keys and counts.
func (m *model) Encode(w *kind.Writer) error {
	if err := w.Strings("words", m.words); err != nil {
		return err
	}
	for i, l := range m.lists() {
		if err := w.Uint64s(sections[i], l.keys); err != nil {
			return err
		}
		if err := w.Uint32s(sections[i]+".counts", l.counts); err != nil {
			return err
		}
	}
	return nil
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	if m.words, err = r.Strings("words"); err != nil {
		return err
	}
	if len(m.words) > maxWords {
		return kind.Corrupt("words", "has too many words")
	}
	for i, l := range m.lists() {
		if l.keys, err = r.Uint64s(sections[i]); err != nil {
			return err
		}
		if l.counts, err = r.Uint32s(sections[i] + ".counts"); err != nil {
			return err
		}
		if len(l.keys) != len(l.counts) {
			return kind.Corrupt(sections[i]+".counts", "one a subtree is wanted")
		}
		if err := l.check(uint32(len(m.words)), i); err != nil {
			return kind.Corrupt(sections[i], err.Error())
		}
	}
	m.ready()
	return nil
}

// check refuses keys of list n with words that are not there and counts that rise.
func (l list) check(words uint32, n int) error {
	for i, k := range l.keys {
		a, b, c, _ := parts(k)
		if n == chained {
			a, b, c, _ = chainParts(k)
		}
		if a > words || b > words || c > words || b == 0 || c == 0 || (n == 1 || n == chained) != (a != 0) {
			return fmt.Errorf("has a subtree with a word that is not there")
		}
		if i > 0 && l.counts[i] > l.counts[i-1] {
			return fmt.Errorf("is out of order")
		}
	}
	return nil
}

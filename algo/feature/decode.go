package feature

import (
	"fmt"

	"parlance/algo/kind"
)

// DecodeAlphabet reads what Encode wrote for an equal set, frozen. Damaged sections give an error
// that wraps kind.ErrCorrupt.
func DecodeAlphabet(s *Set, r *kind.Reader) (*Alphabet, error) {
	a := NewAlphabet(s)
	for i := range a.values {
		name := fmt.Sprintf("alphabet.values.%d", i)
		texts, err := r.Strings(name)
		if err != nil {
			return nil, err
		}
		if !a.values[i].fill(texts) {
			return nil, kind.Corrupt(name, "a value is there twice")
		}
	}
	tmpl, err := r.Uint32s("alphabet.templates")
	if err != nil {
		return nil, err
	}
	vals, err := r.Uint32s("alphabet.attributes")
	if err != nil {
		return nil, err
	}
	if err := a.fill(tmpl, vals); err != nil {
		return nil, err
	}
	docs, err := r.Uint64s("alphabet.documents")
	if err != nil {
		return nil, err
	}
	if len(docs) != 1 {
		return nil, kind.Corrupt("alphabet.documents", "one number is wanted")
	}
	a.docs = docs[0]
	if a.seen, err = r.Uint32s("alphabet.frequencies"); err != nil {
		return nil, err
	}
	if s.document && len(a.seen) != a.Len() {
		return nil, kind.Corrupt("alphabet.frequencies", "one an attribute is wanted")
	}
	a.frozen = true
	return a, nil
}

// fill numbers attributes by their templates and, one after another, their values. Tables get their size at once.
func (a *Alphabet) fill(tmpl, vals []uint32) error {
	if err := a.reserve(tmpl, vals); err != nil {
		return err
	}
	for id, t := range tmpl {
		n := len(a.set.templates[t].atoms)
		if a.add(int(t), vals[:n]) != uint32(id+1) {
			return kind.Corrupt("alphabet.attributes", "an attribute is there twice")
		}
		vals = vals[n:]
	}
	return nil
}

// reserve makes room for attributes. It is an error where they name a template or a value that is not there, or where
// values are too many or too few.
func (a *Alphabet) reserve(tmpl, vals []uint32) error {
	count := make([]int, len(a.set.templates))   // attributes by template
	last := make([]uint32, len(a.set.templates)) // highest value, of templates with one atom
	for _, t := range tmpl {
		if int(t) >= len(count) {
			return kind.Corrupt("alphabet.templates", "there is no such template")
		}
		n := len(a.set.templates[t].atoms)
		if len(vals) < n || !a.known(int(t), vals[:n]) {
			return kind.Corrupt("alphabet.attributes", "a value is unknown")
		}
		count[t]++
		if n == 1 {
			last[t] = max(last[t], vals[0])
		}
		vals = vals[n:]
	}
	if len(vals) != 0 {
		return kind.Corrupt("alphabet.attributes", "there are too many values")
	}
	a.tmpl, a.vals = make([]uint16, 0, len(tmpl)), make([]uint32, 0, a.width*len(tmpl))
	for t, v := range last {
		if v > 0 {
			a.single[t] = make([]uint32, v+1)
		}
	}
	for i := range a.families {
		a.families[i].reserve(count)
	}
	return nil
}

// reserve makes room for the combinations of a family, of which there are as many as attributes of its member with the
// most, or more.
func (f *family) reserve(count []int) {
	n := 0
	for _, t := range f.templates {
		n = max(n, count[t])
	}
	f.attrs = make([]uint32, 0, n*len(f.templates))
	f.steps[len(f.steps)-1].reserve(n)
}

func (a *Alphabet) known(t int, vals []uint32) bool {
	for i, v := range vals {
		if v == 0 || int(v) > len(a.values[a.set.templates[t].atoms[i].column].texts) {
			return false
		}
	}
	return true
}

// fill numbers texts, which nobody changes, from 1. It reports whether they are all different. The interner is empty.
func (t *interner) fill(texts []string) bool {
	long := 0
	for _, s := range texts {
		if len(s) > maxShort {
			long++
		}
	}
	t.short.reserve(len(texts) - long)
	t.slots = make([]textSlot, tableSize(long, 8))
	t.long, t.texts = long, texts
	for i, s := range texts {
		id := uint32(i + 1)
		if len(s) <= maxShort {
			if k := pack(s); t.short.get(k) == 0 {
				t.short.put(k, id)
				continue
			}
			return false
		}
		h := hashText(s)
		if t.lookUp(s, h) != 0 {
			return false
		}
		t.insert(h, id)
	}
	return true
}

// tableSize is the least power of two of slots, from least on, of which n keys fill at most half; 0 for none.
func tableSize(n, least int) int {
	if n == 0 {
		return 0
	}
	size := least
	for size < 2*n {
		size *= 2
	}
	return size
}

// reserve makes room for n texts in an empty table.
func (t *shorts) reserve(n int) { t.slots = make([]slot, tableSize(n, 8)) }

// reserve makes room for n pairs in an empty table.
func (p *pairs) reserve(n int) {
	p.slots = make([]slot, tableSize(n, 16))
	p.filter = make([]uint64, len(p.slots)/slotsPerWord)
}

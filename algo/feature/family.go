package feature

import "slices"

// family is templates of several atoms that read the same columns at the same distances from one
// another, at whatever offset, such as form[-1]|form[0] and form[0]|form[1]. They share one numbering
// of the combinations of values, so that what two words mean for either is looked up once.
type family struct {
	atoms     []atom   // offsets from the first one
	templates []int    // members, ascending
	steps     []pairs  // step i: (prefix of i values, value i) → prefix; the last one gives the combination, from 1
	prefix    uint32   // prefixes made so far
	combined  uint32   // combinations
	attrs     []uint32 // 1 + attribute by combination and member, 0 for none
}

// membership is where a template stands: its family, −1 for a single atom, and its place in it.
type membership struct{ family, place int }

// families sorts the templates of a set into families.
func families(s *Set) ([]family, []membership) {
	var out []family
	of := make([]membership, len(s.templates))
	for k, t := range s.templates {
		if len(t.atoms) == 1 {
			of[k].family = -1
			continue
		}
		atoms := make([]atom, len(t.atoms))
		for i, a := range t.atoms {
			atoms[i] = atom{a.column, a.offset - t.atoms[0].offset}
		}
		f := slices.IndexFunc(out, func(f family) bool { return slices.Equal(f.atoms, atoms) })
		if f < 0 {
			f = len(out)
			out = append(out, family{atoms: atoms, steps: make([]pairs, len(atoms))})
		}
		of[k] = membership{f, len(out[f].templates)}
		out[f].templates = append(out[f].templates, k)
	}
	return out, of
}

// find returns the number of a combination, 0 if there is none. Values of 0 are unknown.
func (f *family) find(vals []uint32) uint32 {
	at := vals[0]
	for i := 1; i < len(vals); i++ {
		if at == 0 || vals[i] == 0 {
			return 0
		}
		at = f.steps[i].get(uint64(at)<<32 | uint64(vals[i]))
	}
	return at
}

// add returns the number of a combination, a new one if it has none.
func (f *family) add(vals []uint32) uint32 {
	at, last := vals[0], len(vals)-1
	for i := 1; i <= last; i++ {
		key := uint64(at)<<32 | uint64(vals[i])
		next := f.steps[i].get(key)
		if next == 0 {
			if i < last {
				f.prefix++
				next = f.prefix
			} else {
				f.combined++
				next = f.combined
				f.attrs = append(f.attrs, make([]uint32, len(f.templates))...)
			}
			f.steps[i].put(key, next)
		}
		at = next
	}
	return at
}

// members are 1 + the attributes of a combination by member, 0 for none.
func (f *family) members(combination uint32) []uint32 {
	n := len(f.templates)
	return f.attrs[(int(combination)-1)*n:][:n]
}

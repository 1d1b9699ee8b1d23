package feature

import (
	"math/bits"
	"slices"
)

// lookUpBlock is how many tokens are looked up together.
const lookUpBlock = 256

// lookUps is how the attributes of some templates are looked up: those of single atoms each, the others by family.
type lookUps struct {
	width    int // templates
	singles  []single
	families []kin
}

// single is a template of one atom and its place among the templates.
type single struct {
	atom
	template, place int
}

// kin is members of a family.
type kin struct {
	family      int
	members     []member
	first, last int // offsets of the members' first atoms
}

// member is a template of a family: its place there and among the templates, and the offset of its first atom.
type member struct{ inFamily, place, offset int }

// lookUps prepares the look-ups of templates, in their order. Templates with several values a token are
// left out.
func (a *Alphabet) lookUps(templates []int) lookUps {
	l := lookUps{width: len(templates)}
	kinOf := map[int]int{}
	for i, k := range templates {
		atoms, m := a.set.templates[k].atoms, a.of[k]
		if a.set.columns[atoms[0].column].def.many {
			continue
		}
		if m.family < 0 {
			l.singles = append(l.singles, single{atoms[0], k, i})
			continue
		}
		o := atoms[0].offset
		at, ok := kinOf[m.family]
		if !ok {
			at = len(l.families)
			kinOf[m.family] = at
			l.families = append(l.families, kin{family: m.family, first: o, last: o})
		}
		x := &l.families[at]
		x.members = append(x.members, member{m.place, i, o})
		x.first, x.last = min(x.first, o), max(x.last, o)
	}
	return l
}

// lookUp appends the attributes of n tokens that the alphabet knows. It goes table by table: one stays
// near, and look-ups of neighbouring tokens do not wait for each other.
func (e *Extractor) lookUp(l *lookUps, n int, rows *Rows) {
	f := &e.found
	for lo := 0; lo < n; lo += lookUpBlock {
		hi := min(n, lo+lookUpBlock)
		f.reset(hi-lo, l.width)
		for i := range l.singles {
			e.lookUpSingle(&l.singles[i], lo, hi, n)
		}
		for i := range l.families {
			e.lookUpKin(&l.families[i], lo, hi, n)
		}
		for t := range hi - lo {
			rows.Attrs = f.appendTo(rows.Attrs, t)
			e.many(lo+t, n, rows)
			rows.end()
		}
	}
}

// found is the attributes of a block of tokens by token and template.
type found struct {
	width, words int      // templates, and words of their bits
	has          []uint64 // by token: bits of the templates with an attribute
	attrs        []uint32 // by token and template, where there is one
}

func (f *found) reset(tokens, width int) {
	f.width, f.words = width, (width+63)/64
	f.has = slices.Grow(f.has[:0], tokens*f.words)[:tokens*f.words]
	clear(f.has)
	f.attrs = slices.Grow(f.attrs[:0], tokens*width)[:tokens*width]
}

// set notes the attribute of the template at a place: id is 1 + it, 0 for none.
func (f *found) set(t, place int, id uint32) {
	if id == 0 {
		return
	}
	f.has[t*f.words+place>>6] |= 1 << (place & 63)
	f.attrs[t*f.width+place] = id - 1
}

// appendTo appends the attributes of a token by template.
func (f *found) appendTo(dst []uint32, t int) []uint32 {
	attrs := f.attrs[t*f.width:][:f.width]
	for i, w := range f.has[t*f.words:][:f.words] {
		for ; w != 0; w &= w - 1 {
			dst = append(dst, attrs[i<<6+bits.TrailingZeros64(w)])
		}
	}
	return dst
}

// lookUpSingle notes the attributes of a template at the tokens [lo, hi) of n.
func (e *Extractor) lookUpSingle(s *single, lo, hi, n int) {
	vals, ids := e.vals[s.column], e.a.single[s.template]
	for t := max(lo, -s.offset); t < min(hi, n-s.offset); t++ {
		if v := vals[t+s.offset]; int(v) < len(ids) {
			e.found.set(t-lo, s.place, ids[v])
		}
	}
}

// lookUpKin notes the attributes of members of a family at the tokens [lo, hi) of n.
func (e *Extractor) lookUpKin(x *kin, lo, hi, n int) {
	f := &e.a.families[x.family]
	from, to := lo+x.first, hi+x.last // of first atoms
	for _, a := range f.atoms {
		from, to = max(from, -a.offset), min(to, n-a.offset)
	}
	if from >= to {
		return
	}
	at := slices.Grow(e.at[:0], to-from)[:to-from]
	copy(at, e.vals[f.atoms[0].column][from:to])
	for i := 1; i < len(f.atoms); i++ {
		a := f.atoms[i]
		e.probes = f.steps[i].getAll(at, e.vals[a.column][from+a.offset:to+a.offset], e.probes)
	}
	e.at = at
	for i, combination := range at {
		if combination == 0 {
			continue
		}
		attrs := f.members(combination)
		for _, m := range x.members {
			if t := from + i - m.offset; t >= lo && t < hi {
				e.found.set(t-lo, m.place, attrs[m.inFamily])
			}
		}
	}
}

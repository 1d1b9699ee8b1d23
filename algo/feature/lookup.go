package feature

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
	for lo := 0; lo < n; lo += lookUpBlock {
		hi := min(n, lo+lookUpBlock)
		e.ids = append(e.ids[:0], make([]uint32, (hi-lo)*l.width)...)
		for i := range l.singles {
			e.lookUpSingle(&l.singles[i], l.width, lo, hi, n)
		}
		for i := range l.families {
			e.lookUpKin(&l.families[i], l.width, lo, hi, n)
		}
		for t := range hi - lo {
			for _, id := range e.ids[t*l.width : (t+1)*l.width] {
				if id != 0 {
					rows.Attrs = append(rows.Attrs, id-1)
				}
			}
			e.many(t, n, rows)
			rows.end()
		}
	}
}

// lookUpSingle notes 1 + the attributes of a template at the tokens [lo, hi) of n.
func (e *Extractor) lookUpSingle(s *single, width, lo, hi, n int) {
	vals, ids := e.vals[s.column], e.a.single[s.template]
	for t := max(lo, -s.offset); t < min(hi, n-s.offset); t++ {
		if v := vals[t+s.offset]; int(v) < len(ids) {
			e.ids[(t-lo)*width+s.place] = ids[v]
		}
	}
}

// lookUpKin notes 1 + the attributes of members of a family at the tokens [lo, hi) of n.
func (e *Extractor) lookUpKin(x *kin, width, lo, hi, n int) {
	f := &e.a.families[x.family]
	from, to := lo+x.first, hi+x.last // of first atoms
	for _, a := range f.atoms {
		from, to = max(from, -a.offset), min(to, n-a.offset)
	}
	note := func(s int, combination uint32) {
		attrs := f.members(combination)
		for _, m := range x.members {
			if t := s - m.offset; t >= lo && t < hi {
				e.ids[(t-lo)*width+m.place] = attrs[m.inFamily]
			}
		}
	}
	if len(f.atoms) == 2 { // most are
		first, second, steps := e.vals[f.atoms[0].column], e.vals[f.atoms[1].column], &f.steps[1]
		for s := from; s < to; s++ {
			if v, w := first[s], second[s+f.atoms[1].offset]; v != 0 && w != 0 {
				if c := steps.get(uint64(v)<<32 | uint64(w)); c != 0 {
					note(s, c)
				}
			}
		}
		return
	}
	key := e.key[:len(f.atoms)]
	for s := from; s < to; s++ {
		for i, a := range f.atoms {
			key[i] = e.vals[a.column][s+a.offset]
		}
		if c := f.find(key); c != 0 {
			note(s, c)
		}
	}
}

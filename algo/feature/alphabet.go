package feature

import (
	"context"
	"fmt"
	"math"
	"strings"

	"parlance/algo/kind"
)

// Alphabet numbers the attributes of a set from 0 in the order in which they were met. An
// attribute is a template with the values of its atoms. It may be shared once nothing grows
// it any more.
type Alphabet struct {
	set      *Set
	values   []*interner  // by column
	width    int          // values kept an attribute
	tmpl     []uint16     // template of an attribute
	vals     []uint32     // values of attribute a are vals[a·width : …]
	single   [][]uint32   // by template and value: 1 + attribute, of templates with one atom
	families []family     // of templates with several
	of       []membership // by template
	docs     uint64       // documents seen while growing
	seen     []uint32     // documents with the attribute, of document sets
	frozen   bool

	all     lookUps // of all templates
	columns []int   // numbers of the columns of the set
}

// NewAlphabet returns an empty alphabet of the set.
func NewAlphabet(s *Set) *Alphabet {
	a := &Alphabet{set: s, single: make([][]uint32, len(s.templates))}
	a.families, a.of = families(s)
	for i := range s.columns {
		a.values = append(a.values, &interner{})
		a.columns = append(a.columns, i)
	}
	all := make([]int, len(s.templates))
	for i, t := range s.templates {
		all[i] = i
		a.width = max(a.width, len(t.atoms))
	}
	a.all = a.lookUps(all)
	return a
}

// Len returns the number of attributes.
func (a *Alphabet) Len() int { return len(a.tmpl) }

// Freeze ends growing: Grow leaves out what is unknown from now on, and extractors may share
// the alphabet.
func (a *Alphabet) Freeze() { a.frozen = true }

// Frozen reports whether nothing is numbered any more.
func (a *Alphabet) Frozen() bool { return a.frozen }

// Set returns the set of templates.
func (a *Alphabet) Set() *Set { return a.set }

// Name returns an attribute as text, such as form[-1]|form[0]=the|dog.
func (a *Alphabet) Name(attr uint32) string { return a.joined(attr, "?", "?") }

// joined is the name of an attribute after two labels, the last one first, as far as its template
// reads them.
func (a *Alphabet) joined(attr uint32, last, second string) string {
	t := a.set.templates[a.tmpl[attr]]
	var parts []string
	if t.history&2 != 0 {
		parts = append(parts, second)
	}
	if t.history&1 != 0 {
		parts = append(parts, last)
	}
	for i, at := range t.atoms {
		if a.set.bare(t) {
			break
		}
		parts = append(parts, a.values[at.column].texts[a.vals[int(attr)*a.width+i]-1])
	}
	return a.set.name(t) + "=" + strings.Join(parts, "|")
}

// History returns which labels of tokens before the attribute is joined with.
func (a *Alphabet) History(attr uint32) History { return a.set.templates[a.tmpl[attr]].history }

// find returns 1 + the attribute of a template with values, 0 if there is none. Values of 0
// are unknown.
func (a *Alphabet) find(t int, vals []uint32) uint32 {
	if len(vals) == 1 {
		if s := a.single[t]; int(vals[0]) < len(s) {
			return s[vals[0]]
		}
		return 0
	}
	m := a.of[t]
	f := &a.families[m.family]
	if c := f.find(vals); c != 0 {
		return f.members(c)[m.place]
	}
	return 0
}

// add returns 1 + the attribute of a template with values, none of them 0.
func (a *Alphabet) add(t int, vals []uint32) uint32 {
	if id := a.find(t, vals); id != 0 {
		return id
	}
	a.tmpl = append(a.tmpl, uint16(t))
	id := uint32(len(a.tmpl))
	a.vals = append(a.vals, vals...)
	for range a.width - len(vals) {
		a.vals = append(a.vals, 0)
	}
	if len(vals) == 1 {
		for int(vals[0]) >= len(a.single[t]) {
			a.single[t] = append(a.single[t], 0)
		}
		a.single[t][vals[0]] = id
		return id
	}
	m := a.of[t]
	f := &a.families[m.family]
	f.members(f.add(vals))[m.place] = id
	return id
}

// Keep returns the alphabet of the attributes for which keep is true, in their order; it is
// frozen if a is. It ends with its context.
func (a *Alphabet) Keep(ctx context.Context, keep []bool) (*Alphabet, error) {
	out := NewAlphabet(a.set)
	out.docs = a.docs
	vals := make([]uint32, 0, a.width)
	for id, t := range a.tmpl {
		if id%keepTurn == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !keep[id] {
			continue
		}
		vals = vals[:0]
		for i, at := range a.set.templates[t].atoms {
			vals = append(vals, out.values[at.column].add(a.values[at.column].texts[a.vals[id*a.width+i]-1]))
		}
		out.add(int(t), vals)
		if a.seen != nil {
			out.seen = append(out.seen, a.seen[id])
		}
	}
	out.frozen = a.frozen
	return out, nil
}

// keepTurn is how many attributes are renumbered between two looks at the context.
const keepTurn = 1 << 14

// idf is the smoothed inverse document frequency ln((1+N)/(1+n)) + 1.
func (a *Alphabet) idf(attr uint32) float64 {
	return math.Log(float64(1+a.docs)/float64(1+a.seen[attr])) + 1
}

// Encode writes the alphabet in sections that begin with "alphabet."; the set is not among them.
func (a *Alphabet) Encode(w *kind.Writer) error {
	for i, v := range a.values {
		if err := w.Strings(fmt.Sprintf("alphabet.values.%d", i), v.texts); err != nil {
			return err
		}
	}
	tmpl := make([]uint32, len(a.tmpl))
	var vals []uint32
	for id, t := range a.tmpl {
		tmpl[id] = uint32(t)
		n := len(a.set.templates[t].atoms)
		vals = append(vals, a.vals[id*a.width:id*a.width+n]...)
	}
	if err := w.Uint32s("alphabet.templates", tmpl); err != nil {
		return err
	}
	if err := w.Uint32s("alphabet.attributes", vals); err != nil {
		return err
	}
	if err := w.Uint64s("alphabet.documents", []uint64{a.docs}); err != nil {
		return err
	}
	return w.Uint32s("alphabet.frequencies", a.seen)
}

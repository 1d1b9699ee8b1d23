package feature

import "slices"

// split is the templates of a set without those whose only atom depends on one form, and the
// latter by offset.
type split struct {
	lookUps // of the former
	columns []int
	offsets []int       // of the latter, ascending
	lexical [][]lexical // templates by offset
	read    []int       // columns of the latter
}

// lexical is a template whose only atom depends on one form, and the place of its column in read.
type lexical struct{ template, read int }

// leastLexical is how many templates of single forms make it worth while to keep them apart.
const leastLexical = 4

// Split makes Extract leave out the attributes that depend on one form alone, for callers that
// keep what they mean for a form: Tokens gives the forms and Lexical their attributes. It returns
// the offsets at which forms have such attributes, ascending; none, and nothing changes, for sets
// with few of them.
func (e *Extractor) Split() []int {
	s := &split{}
	set := e.a.set
	at := map[int][]int{}
	needed := make([]bool, len(set.columns))
	n := 0
	var rest []int
	for k, t := range set.templates {
		if e.lexical(t) {
			at[t.atoms[0].offset] = append(at[t.atoms[0].offset], k)
			n++
			continue
		}
		rest = append(rest, k)
		for _, a := range t.atoms {
			needed[a.column] = true
		}
	}
	if n < leastLexical || set.document {
		return nil
	}
	s.lookUps = e.a.lookUps(rest)
	for c, yes := range needed {
		if yes {
			s.columns = append(s.columns, c)
		}
	}
	for o := range at {
		s.offsets = append(s.offsets, o)
	}
	slices.Sort(s.offsets)
	for _, o := range s.offsets {
		var list []lexical
		for _, k := range at[o] {
			c := set.templates[k].atoms[0].column
			place := slices.Index(s.read, c)
			if place < 0 {
				place = len(s.read)
				s.read = append(s.read, c)
			}
			list = append(list, lexical{k, place})
		}
		s.lexical = append(s.lexical, list)
	}
	e.split, e.formVals = s, make([]uint32, len(s.read))
	return s.offsets
}

// lexical reports whether a template reads nothing but one form; bias counts as what each form has.
func (e *Extractor) lexical(t template) bool {
	if len(t.atoms) != 1 || t.history != 0 {
		return false
	}
	c := t.atoms[0].column
	return e.a.set.columns[c].def.value != nil || e.lexicons[c] != nil || e.a.set.columns[c].name == bias
}

// Tokens returns local numbers of the forms of the tokens that the last Extract saw, one an item.
func (e *Extractor) Tokens() []uint32 { return e.tokens }

// Remembered reports whether a local number means the same form in the next document. Others mean
// forms that were not met lately.
func (e *Extractor) Remembered(form uint32) bool { return form >= maxPassing }

// Generation changes when local numbers of forms come to mean other forms or other attributes.
func (e *Extractor) Generation() int { return e.generation }

// Lexical appends to attrs the attributes that a form, by local number, gives the tokens around it,
// by the offsets of Split, and to ends where those of each offset end: offset 1 is the token before
// the form.
func (e *Extractor) Lexical(attrs, ends []uint32, form uint32) ([]uint32, []uint32) {
	text := e.formText(form)
	for i, c := range e.split.read {
		e.formVals[i] = e.valueOf(c, form, text)
	}
	for _, list := range e.split.lexical {
		for _, x := range list {
			v := e.formVals[x.read]
			if ids := e.a.single[x.template]; int(v) < len(ids) && ids[v] != 0 {
				attrs = append(attrs, ids[v]-1)
			}
		}
		ends = append(ends, uint32(len(attrs)))
	}
	return attrs, ends
}

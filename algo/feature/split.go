package feature

import "slices"

// split is the templates of a set without those whose only atom depends on one form, and the
// latter by offset.
type split struct {
	lookUps // of the former
	columns []int
	offsets []int   // of the latter, ascending
	lexical [][]int // templates by offset
}

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
		s.lexical = append(s.lexical, at[o])
	}
	e.split = s
	return s.offsets
}

// lexical reports whether a template reads nothing but one form.
func (e *Extractor) lexical(t template) bool {
	if len(t.atoms) != 1 || t.history != 0 {
		return false
	}
	c := t.atoms[0].column
	return e.a.set.columns[c].def.value != nil || e.lexicons[c] != nil
}

// Tokens returns local numbers of the forms of the tokens that the last Extract saw, one an item.
func (e *Extractor) Tokens() []uint32 { return e.tokens }

// Remembered reports whether a local number means the same form in the next document. Others mean
// forms that were not met lately.
func (e *Extractor) Remembered(form uint32) bool { return form >= maxPassing }

// Generation changes when local numbers of forms come to mean other forms or other attributes.
func (e *Extractor) Generation() int { return e.generation }

// Lexical appends the attributes that a form, by local number, gives the token that is as far from
// it as the offset at place i of Split: offset 1 is the token before the form.
func (e *Extractor) Lexical(dst []uint32, form uint32, i int) []uint32 {
	for _, k := range e.split.lexical[i] {
		v := e.valueOf(e.a.set.templates[k].atoms[0].column, form, e.formText(form))
		if s := e.a.single[k]; int(v) < len(s) && s[v] != 0 {
			dst = append(dst, s[v]-1)
		}
	}
	return dst
}

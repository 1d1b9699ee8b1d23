package feature

import (
	"slices"
	"unicode/utf8"
)

// Values of windows outside of the sentence.
const (
	beforeFirst = "<start>"
	afterLast   = "<end>"
)

// many appends the attributes of token t of n that come from templates with several values, each
// once a template.
func (e *Extractor) many(t, n int, rows *Rows) {
	for _, k := range e.a.set.many {
		a := e.a.set.templates[k].atoms[0]
		col, first := &e.a.set.columns[a.column], len(rows.Attrs)
		if !col.def.window {
			if at := t + a.offset; uint(at) < uint(n) {
				for _, v := range e.lists[a.column][e.local[at]] {
					e.once(k, v, first, rows)
				}
			}
			continue
		}
		for at := t + a.offset + col.from; at <= t+a.offset+col.to; at++ {
			switch {
			case at < 0:
				e.once(k, e.value(a.column, beforeFirst), first, rows)
			case at >= n:
				e.once(k, e.value(a.column, afterLast), first, rows)
			default:
				e.once(k, e.vals[a.column][at], first, rows)
			}
		}
	}
}

// once appends the attribute of a value unless it is among those from first on.
func (e *Extractor) once(k int, v uint32, first int, rows *Rows) {
	if v == 0 {
		return
	}
	e.key[0] = v
	id := uint32(0)
	if e.growing {
		id = e.a.add(k, e.key[:1])
	} else {
		id = e.a.find(k, e.key[:1])
	}
	if id != 0 && !slices.Contains(rows.Attrs[first:], id-1) {
		rows.Attrs = append(rows.Attrs, id-1)
	}
}

// substrings makes the lists of values of the sentence's forms, each form once.
func (e *Extractor) substrings(c int, forms []string) {
	known, size := e.lists[c], e.a.set.columns[c].size
	for i, f := range e.local {
		if int(f) >= len(known) {
			known = append(known, make([][]uint32, max(e.numbers(), 2*len(known))-len(known))...)
			e.lists[c] = known
		}
		if known[f] != nil {
			continue
		}
		list := []uint32{}
		for _, s := range pieces(forms[i], size) {
			if v := e.value(c, s); v != 0 && !slices.Contains(list, v) {
				list = append(list, v)
			}
		}
		known[f] = list
	}
}

// pieces are the substrings of n characters.
func pieces(form string, n int) []string {
	var out []string
	from, to := 0, 0
	for i := 0; to < len(form); i++ {
		_, w := utf8.DecodeRuneInString(form[to:])
		if to += w; i < n-1 {
			continue
		}
		out = append(out, form[from:to])
		_, w = utf8.DecodeRuneInString(form[from:])
		from += w
	}
	return out
}

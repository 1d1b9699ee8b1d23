package check

import (
	"cmp"
	"fmt"
	"slices"

	"parlance/algo/text"
)

// spans looks at layers whose rows cover tokens.
type spans struct {
	c      *Checker
	nested map[string]*counted
	layers []string // of nested, as they came
	rows   []int    // of the layer at hand that lie where they say
}

func newSpans(c *Checker, _ int) detector { return &spans{c: c, nested: map[string]*counted{}} }

func (s *spans) finish() bool {
	for i, name := range s.layers {
		x := s.nested[name]
		x.report(s.c, "span-nested", i, name+": "+count(x.n, "span lies", "spans lie")+" within another")
	}
	return false
}

func (s *spans) add(d *view) {
	for _, l := range d.Layers {
		if !s.c.reads(l.Name) {
			continue
		}
		x := newSpanRows(d, l)
		if x == nil {
			continue
		}
		s.rows = s.rows[:0]
		for i := range l.N {
			if s.one(x, i) {
				s.rows = append(s.rows, i)
			}
		}
		if l.Def.Spans {
			s.order(x)
			s.overlaps(x)
		}
	}
}

// spanRows is the columns of a layer of spans in a document.
type spanRows struct {
	d                 *view
	l                 *text.Layer
	sent, first, last []int32
	start, end        []int32
	labels            []string
}

// newSpanRows returns nil for a layer whose rows cover no tokens.
func newSpanRows(d *view, l *text.Layer) *spanRows {
	x := &spanRows{d, l, ints(l, "sent"), ints(l, "tok_start"), ints(l, "tok_end"), ints(l, "char_start"),
		ints(l, "char_end"), strs(l, "label")}
	if x.sent == nil || x.first == nil || x.last == nil || x.start == nil || x.end == nil {
		return nil
	}
	return x
}

func (x *spanRows) place(i int) string {
	return spanPlace(x.l.Name, x.sent[i], x.first[i], x.last[i])
}

func spanPlace(layer string, sent, first, last int32) string {
	if first == last {
		return fmt.Sprintf("%s sent %d, tok %d", layer, sent, first)
	}
	return fmt.Sprintf("%s sent %d, tok %d-%d", layer, sent, first, last)
}

func (x *spanRows) text(i int) string { return excerpt(x.d.covered(x.start[i], x.end[i])) }

// one checks a span by itself and reports whether it lies where it says. Phrases may be
// empty: they stand for traces.
func (s *spans) one(x *spanRows, i int) bool {
	d, a, z := x.d, x.start[i], x.end[i]
	if a < 0 || a > z || int(z) > len(d.Text) {
		s.c.report("span-bounds", d, x.place(i), "the span lies outside the text of %d bytes", len(d.Text))
		return false
	}
	if x.l.Def == text.Constituents && (x.last[i] < x.first[i] || a == z) {
		return false
	}
	if a == z {
		s.c.report("span-empty", d, x.place(i), "the span covers no text; delete it, or extend its offsets")
		return false
	}
	if x.labels != nil && x.l.Def.Spans && x.labels[i] == "" {
		s.c.report("span-label", d, x.place(i), "the span %s has no label", x.text(i))
	}
	if d.bounds == nil || x.first[i] == 0 && x.last[i] == 0 {
		return true // a text without tokens
	}
	from, to, ok := d.sentence(x.sent[i])
	switch n := int32(to - from); {
	case !ok:
		s.c.report("span-bounds", d, x.place(i), "there is no sentence %d; the document has %d", x.sent[i], len(d.bounds)-1)
		return false
	case x.first[i] > x.last[i]:
		s.c.report("span-empty", d, x.place(i),
			"the span ends before it begins; tok_end is its last token, at least tok_start")
		return false
	case x.first[i] < 1 || x.last[i] > n:
		s.c.report("span-bounds", d, x.place(i), "the sentence has tokens 1 to %d", n)
		return false
	}
	if d.start == nil || d.end == nil {
		return true
	}
	return s.offsets(x, i, from)
}

// offsets compares the tokens of a span with its offsets.
func (s *spans) offsets(x *spanRows, i, from int) bool {
	f, l := from+int(x.first[i])-1, from+int(x.last[i])-1
	d, a, z := x.d, x.start[i], x.end[i]
	switch {
	case a == d.start[f] && z == d.end[l]:
		return true
	case a >= d.start[f] && a < d.end[f] && z > d.start[l] && z <= d.end[l]:
		s.c.report("span-inside-token", d, x.place(i),
			"the span %s covers a part of the tokens %s; a model can only learn whole tokens", x.text(i),
			excerpt(d.covered(d.start[f], d.end[l])))
		return true
	}
	s.c.report("span-offsets", d, x.place(i), "the offsets cover %s, the tokens %s", x.text(i),
		excerpt(d.covered(d.start[f], d.end[l])))
	return false
}

func (s *spans) order(x *spanRows) {
	for k := 1; k < len(s.rows); k++ {
		if i, j := s.rows[k-1], s.rows[k]; x.start[j] < x.start[i] {
			s.c.report("span-order", x.d, x.place(j), "the span %s stands after %s and begins before it", x.text(j), x.text(i))
			return
		}
	}
}

// overlaps keeps the spans that are open while it goes through those in order of their starts,
// longer ones first.
func (s *spans) overlaps(x *spanRows) {
	slices.SortStableFunc(s.rows, func(a, b int) int {
		return cmp.Or(cmp.Compare(x.start[a], x.start[b]), cmp.Compare(x.end[b], x.end[a]))
	})
	var open []int
	for _, i := range s.rows {
		for len(open) > 0 && x.end[open[len(open)-1]] <= x.start[i] {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			s.pair(x, open, i)
		}
		// A span that ends before one that is open is closed by its end, not by its place.
		at := len(open)
		for at > 0 && x.end[open[at-1]] < x.end[i] {
			at--
		}
		open = slices.Insert(open, at, i)
	}
}

// pair reports how span i lies to those that are open, which end in descending order.
func (s *spans) pair(x *spanRows, open []int, i int) {
	nested := false
	for _, j := range open {
		switch {
		case x.end[j] < x.end[i] && x.start[j] < x.start[i]:
			s.c.report("span-crossing", x.d, x.place(i),
				"the span %s crosses %s; one must end where the other begins, or hold it", x.text(i), x.text(j))
			return
		case x.start[j] == x.start[i] && x.end[j] == x.end[i] && label(x.labels, j) == label(x.labels, i):
			s.c.report("span-duplicate", x.d, x.place(i), "the span %s stands twice; delete one", x.text(i))
			return
		default:
			nested = true
		}
	}
	if nested {
		c := s.nested[x.l.Name]
		if c == nil {
			c = &counted{}
			s.nested[x.l.Name], s.layers = c, append(s.layers, x.l.Name)
		}
		j := open[len(open)-1]
		c.add(s.c, x.d, func() string { return x.place(i) }, func() string { return x.text(i) + " in " + x.text(j) })
	}
}

func label(labels []string, i int) string {
	if labels == nil {
		return ""
	}
	return labels[i]
}

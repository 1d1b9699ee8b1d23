package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Bounds of the strings that are remembered.
const (
	maxStrings = 200_000 // a layer
	maxTokens  = 6       // a string
)

// annotatedShare is the share of the documents with tokens that must have a layer before its
// absence in a document says that nothing there is to be labelled.
const annotatedShare = 0.1

// consistency compares how the same string is labelled in different places. The first pass
// gathers the labelled strings, the second counts where they stand unlabelled.
type consistency struct {
	c         *Checker
	layers    []*labelledStrings
	pass      int
	documents int // with tokens
	buf       []byte
}

// labelledStrings is the labelled strings of a layer. Tokens are joined by spaces.
type labelledStrings struct {
	name      string
	documents int
	uses      map[string]*uses
	longest   map[string]int // tokens of the longest string by its first token
	covered   []bool         // tokens of the document at hand
}

// uses is how a string is labelled; an empty label is none.
type uses struct {
	text  string
	total int
	list  []use
}

// use is a label with the first place that has it.
type use struct {
	label             string
	n                 int
	seq               uint64
	id                string
	sent, first, last int32
}

func newConsistency(c *Checker, _ int) detector { return &consistency{c: c} }

func (x *consistency) finish() bool {
	x.pass++
	if x.pass == 1 {
		return slices.ContainsFunc(x.layers, func(l *labelledStrings) bool { return len(l.uses) > 0 })
	}
	order := 0
	slices.SortStableFunc(x.layers, func(a, b *labelledStrings) int { return cmp.Compare(a.name, b.name) })
	for _, l := range x.layers {
		order = x.report(l, order)
	}
	return false
}

func (x *consistency) add(d *view) {
	if d.bounds == nil || d.forms == nil {
		return
	}
	if x.pass == 0 {
		x.documents++
		for _, l := range d.Layers {
			if l.Def.Spans && x.c.reads(l.Name) && l.N > 0 {
				if r := newSpanRows(d, l); r != nil && r.labels != nil {
					x.gather(r)
				}
			}
		}
		return
	}
	for _, l := range x.layers {
		x.search(d, l)
	}
}

func (x *consistency) layer(name string) *labelledStrings {
	for _, l := range x.layers {
		if l.name == name {
			return l
		}
	}
	l := &labelledStrings{name: name, uses: map[string]*uses{}, longest: map[string]int{}}
	x.layers = append(x.layers, l)
	return l
}

// rows returns the rows of a span's tokens; ok is false if there are none.
func (r *spanRows) rows(i int) (from, to int, ok bool) {
	a, z, ok := r.d.sentence(r.sent[i])
	if !ok || r.first[i] < 1 || r.first[i] > r.last[i] || int(r.last[i]) > z-a {
		return 0, 0, false
	}
	return a + int(r.first[i]) - 1, a + int(r.last[i]), true
}

// gather counts the labels of the strings of a layer.
func (x *consistency) gather(r *spanRows) {
	l := x.layer(r.l.Name)
	l.documents++
	for i := range r.l.N {
		from, to, ok := r.rows(i)
		if !ok || to-from > maxTokens {
			continue
		}
		x.buf = join(x.buf[:0], r.d.forms[from:to])
		u := l.uses[string(x.buf)]
		if u == nil {
			if len(l.uses) >= maxStrings {
				continue
			}
			u = &uses{text: string(x.buf)}
			l.uses[u.text] = u
			first := r.d.forms[from]
			if _, ok := l.longest[first]; !ok {
				first = strings.Clone(first)
			}
			l.longest[first] = max(l.longest[first], to-from)
		}
		u.add(r.labels[i], r.d, r.sent[i], r.first[i], r.last[i])
	}
}

func (u *uses) add(label string, d *view, sent, first, last int32) {
	u.total++
	for i := range u.list {
		if u.list[i].label == label {
			u.list[i].n++
			return
		}
	}
	u.list = append(u.list, use{strings.Clone(label), 1, d.Seq, adhocID(d), sent, first, last})
}

// join appends forms with spaces between.
func join(buf []byte, forms []string) []byte {
	for i, f := range forms {
		if i > 0 {
			buf = append(buf, ' ')
		}
		buf = append(buf, f...)
	}
	return buf
}

// search counts where the strings of a layer stand in a document and no span covers any of
// their tokens.
func (x *consistency) search(d *view, l *labelledStrings) {
	layer := d.Layer(l.name)
	if layer == nil && float64(l.documents) < annotatedShare*float64(x.documents) {
		return
	}
	l.covered = append(l.covered[:0], make([]bool, d.n)...)
	if layer != nil {
		r := newSpanRows(d, layer)
		if r == nil {
			return
		}
		for i := range layer.N {
			if from, to, ok := r.rows(i); ok {
				for k := from; k < to; k++ {
					l.covered[k] = true
				}
			}
		}
	}
	for i := range d.n {
		longest := l.longest[d.forms[i]]
		_, end, _ := d.sentence(d.sent[i])
		for k := i; k < min(i+longest, end) && !l.covered[k]; k++ {
			x.buf = join(x.buf[:0], d.forms[i:k+1])
			if u := l.uses[string(x.buf)]; u != nil {
				u.add("", d, d.sent[i], d.tok[i], d.tok[k])
			}
		}
	}
}

// outlier is a use that most others of its string contradict.
type outlier struct {
	u          *uses
	use, usual *use
}

// report lists the outliers, those first whose string is labelled otherwise the most times for
// each time that it is labelled so.
func (x *consistency) report(l *labelledStrings, order int) int {
	var list []outlier
	for _, u := range l.uses {
		usual := &u.list[0]
		for i := range u.list {
			if u.list[i].n > usual.n {
				usual = &u.list[i]
			}
		}
		if float64(usual.n) < x.c.Agreement*float64(u.total) {
			continue
		}
		for i := range u.list {
			if k := &u.list[i]; k != usual && u.total-k.n >= x.c.Others {
				list = append(list, outlier{u, k, usual})
			}
		}
	}
	slices.SortFunc(list, func(a, b outlier) int {
		return cmp.Or(cmp.Compare(b.usual.n*a.use.n, a.usual.n*b.use.n), cmp.Compare(a.u.text, b.u.text),
			cmp.Compare(a.use.label, b.use.label))
	})
	for _, o := range list {
		order++
		x.c.note("label-inconsistent", order, func() Finding {
			k := o.use
			return Finding{Document: x.c.name(k.seq, k.id), Place: spanPlace(l.name, k.sent, k.first, k.last),
				Message: fmt.Sprintf("%s is %s %s, first here, and %s %s, as in document %s, %s", excerpt(o.u.text),
					labelName(k.label), count(k.n, "time", "times"), labelName(o.usual.label), count(o.usual.n, "time", "times"),
					x.c.name(o.usual.seq, o.usual.id), spanPlace("", o.usual.sent, o.usual.first, o.usual.last)[1:])}
		})
	}
	return order
}

func labelName(s string) string {
	if s == "" {
		return "unlabelled"
	}
	return s
}

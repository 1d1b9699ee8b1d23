package place

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// none is a value that is not there: a number of a text, a row.
const none = -1

// val is the value of an instruction: a token or the number of a text or a number in a; a span [a, b); a node
// with its row besides; a list, of a path with the turning point in a.
type val struct {
	a, b, row int32
	list      []int32
	none      bool
}

// set sets a token, text or number; negative tokens and texts are none.
func (v *val) set(a int32) {
	v.a = a
	v.none = a < 0
}

// Ref is a place of a document: neighbouring tokens of a sentence, rows [From, To) of the tokens layer, or a row of
// the layer of the place.
type Ref struct{ From, To, Row int32 }

// Token is the place of a token by its row.
func Token(row int) Ref { return Ref{int32(row), int32(row) + 1, none} }

// Span is the place of rows [from, to) of the tokens layer.
func Span(from, to int) Ref { return Ref{int32(from), int32(to), none} }

// Row is the place of a row of the layer that the place is declared over.
func Row(row int) Ref { return Ref{none, none, int32(row)} }

// Found is the features of some places, in the order of templates.
type Found struct {
	Templates []int32  // by feature
	Hashes    []uint64 // by feature: the same for the same template and values in any set, process and order
	values    []int32  // of one feature after the other
}

// Reset empties the list.
func (f *Found) Reset() {
	f.Templates, f.Hashes, f.values = f.Templates[:0], f.Hashes[:0], f.values[:0]
}

// maxTexts is how many different texts are remembered from document to document.
const maxTexts = 1 << 20

// Extractor computes the features of places of one document after the other. It serves one goroutine.
type Extractor struct {
	set      *Set
	lexicons []kind.Lexicon // by instruction
	kbs      []kind.KB      // by instruction

	ids    map[string]int32 // numbers of texts
	texts  []string
	hashes []uint64
	memory [][]int32 // by instruction: 2 + its value for a text, 0 for what is not known yet
	words  [][]int32 // by instruction: the texts that it names
	age    int       // how often texts were forgotten

	vals       []val    // by instruction
	reads      []uint64 // by instruction: bits of the places that it depends on
	last       []Ref    // places of the values
	fresh      bool     // no values are there yet
	buf        []byte
	ids1, ids2 []int32

	document
}

// NewExtractor returns an extractor, with the lexicons and knowledge bases that the set names.
func NewExtractor(set *Set, res kind.Resources) (*Extractor, error) {
	x := &Extractor{set: set, vals: make([]val, len(set.code)), reads: make([]uint64, len(set.code)),
		lexicons: make([]kind.Lexicon, len(set.code)), kbs: make([]kind.KB, len(set.code)),
		memory: make([][]int32, len(set.code)), words: make([][]int32, len(set.code))}
	for k, c := range set.code {
		if c.step == nil && c.place >= 0 {
			x.reads[k] = 1 << c.place
		}
		for _, in := range c.in {
			x.reads[k] |= x.reads[in]
		}
		sort := c.resource()
		if sort == "" {
			continue
		}
		if res == nil {
			return nil, fmt.Errorf("features read %s %s, which is not at hand", sort, c.texts[0])
		}
		if sort == "kb" {
			kb, err := res.KB(c.texts[0])
			if err != nil {
				return nil, fmt.Errorf("features read kb %s: %w", c.texts[0], err)
			}
			x.kbs[k] = kb
			continue
		}
		l, err := res.Lexicon(c.texts[0])
		if err != nil {
			return nil, fmt.Errorf("features read lexicon %s: %w", c.texts[0], err)
		}
		if h, ok := l.(interface{ Has(column string) bool }); ok && !h.Has(c.texts[1]) {
			return nil, fmt.Errorf("lexicon %s has no column %s", c.texts[0], c.texts[1])
		}
		x.lexicons[k] = l
	}
	x.forget()
	return x, nil
}

// forget drops the texts of documents.
func (x *Extractor) forget() {
	x.ids, x.texts, x.hashes = map[string]int32{}, nil, nil
	x.age++
	for k, c := range x.set.code {
		x.memory[k], x.words[k] = nil, nil
		for _, s := range c.texts {
			x.words[k] = append(x.words[k], x.id(s))
		}
	}
}

// Bind prepares a document, which stays as it is until the next one. It fails only when the context has ended; then
// another document must be bound before the next Extract.
func (x *Extractor) Bind(ctx context.Context, d *text.Document) error {
	if len(x.texts) > maxTexts {
		x.forget()
	}
	x.fresh = true
	return x.document.bind(ctx, x, d)
}

// Extract appends the features of the places, one for each of the set's. It fails for places that the document
// does not have.
func (x *Extractor) Extract(places []Ref, f *Found) error {
	changed, err := x.give(places)
	if err != nil {
		return err
	}
	for k := range x.set.code {
		if x.fresh || x.reads[k]&changed != 0 {
			x.compute(k)
		}
	}
	x.fresh = false
	for i := range x.set.templates {
		x.emit(i, f)
	}
	return nil
}

// give resolves the places and tells which of them are others than before.
func (x *Extractor) give(places []Ref) (changed uint64, err error) {
	if len(places) != len(x.set.places) {
		return 0, fmt.Errorf("the set has %d places, not %d", len(x.set.places), len(places))
	}
	if x.last == nil {
		x.last = make([]Ref, len(places))
		x.fresh = true
	}
	for i, r := range places {
		if r, err = x.resolve(i, r); err != nil {
			x.fresh = true
			return 0, fmt.Errorf("place %s: %w", x.set.places[i].Name, err)
		}
		if r != x.last[i] {
			x.last[i] = r
			changed |= 1 << i
		}
	}
	return changed, nil
}

// compute runs an instruction. A value of values that are not there is not there either, but equals, contains and
// share say so.
func (x *Extractor) compute(k int) {
	c, out := &x.set.code[k], &x.vals[k]
	out.list, out.none, out.row = out.list[:0], false, none
	if c.step == bias {
		out.set(x.words[k][0])
		return
	}
	if len(c.in) == 0 {
		r := x.last[c.place]
		out.a, out.b, out.row = r.From, r.To, r.Row
		return
	}
	in := &x.vals[c.in[0]]
	switch {
	case c.walk != nil:
		b := &x.vals[c.in[1]]
		if (in.none || b.none) && c.walk.name != "equals" && c.walk.name != "contains" && c.walk.name != "share" {
			out.none = true
			return
		}
		c.walk.eval(x, k, in, b, out)
	case in.none:
		out.none = true
	case c.step == neighbour:
		x.neighbour(c, in, out)
	case c.each:
		for _, a := range in.list {
			v := int32(none)
			if a >= 0 {
				v = c.step.one(x, k, a)
			}
			out.list = append(out.list, v)
		}
	case c.step.one != nil:
		a := in.a
		if x.set.code[c.in[0]].typ == nodeType {
			a = in.row
		}
		out.a = c.step.one(x, k, a)
		out.none = out.a < 0
	default:
		c.step.all(x, k, in, out)
	}
}

func (x *Extractor) neighbour(c *instruction, in, out *val) {
	at := in.a + int32(c.size)
	if x.set.code[c.in[0]].typ != tokenType && c.size > 0 {
		at = in.b - 1 + int32(c.size)
	}
	s := x.sentence(in.a)
	if at < x.bounds[s] || at >= x.bounds[s+1] {
		at = none
	}
	out.set(at)
}

// extent is the range of tokens that an argument of a function covers.
func (x *Extractor) extent(k, arg int) (from, to int32) {
	in := x.set.code[k].in[arg]
	v := &x.vals[in]
	if x.set.code[in].typ == tokenType {
		return v.a, v.a + 1
	}
	return v.a, v.b
}

// emit appends the features of a template: one, or one for each different value of its list.
func (x *Extractor) emit(i int, f *Found) {
	t := &x.set.templates[i]
	for _, k := range t.values {
		if x.vals[k].none {
			return
		}
	}
	if t.many < 0 {
		x.feature(i, none, f)
		return
	}
	list := x.vals[t.values[t.many]].list
	for n, v := range list {
		if v >= 0 && !slices.Contains(list[:n], v) {
			x.feature(i, v, f)
		}
	}
}

// feature appends a feature, with one value of the list. Its hash is that of the template, then of value after value:
// h ← mix(h·m + hash(value)).
func (x *Extractor) feature(i int, one int32, f *Found) {
	t := &x.set.templates[i]
	h := t.hash
	for n, k := range t.values {
		v := x.vals[k].a
		switch {
		case n == t.many:
			v = one
		case x.set.code[k].typ == numberType:
			v = x.numberText(v)
		}
		f.values = append(f.values, v)
		h = mix(h*multiplier + x.hashes[v])
	}
	f.Templates = append(f.Templates, int32(i))
	f.Hashes = append(f.Hashes, h)
}

// Names returns what the features are, template and value, as long as the document is bound.
func (x *Extractor) Names(f *Found) (templates, values []string) {
	at := 0
	for _, i := range f.Templates {
		t := &x.set.templates[i]
		var parts []string
		for range t.values {
			parts = append(parts, x.texts[f.values[at]])
			at++
		}
		templates, values = append(templates, t.name), append(values, strings.Join(parts, " & "))
	}
	return templates, values
}

// numberText is the number of the text of a number.
func (x *Extractor) numberText(v int32) int32 {
	x.buf = strconv.AppendInt(x.buf[:0], int64(v), 10)
	return x.idOf(x.buf)
}

const multiplier = 0x9e3779b97f4a7c15

// mix is the finaliser of splitmix64.
func mix(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// hashText is FNV-1a, mixed.
func hashText(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return mix(h)
}

// id numbers a text.
func (x *Extractor) id(s string) int32 {
	if id, ok := x.ids[s]; ok {
		return id
	}
	return x.newID(strings.Clone(s))
}

func (x *Extractor) idOf(b []byte) int32 {
	if id, ok := x.ids[string(b)]; ok {
		return id
	}
	return x.newID(string(b))
}

func (x *Extractor) newID(s string) int32 {
	id := int32(len(x.texts))
	x.ids[s] = id
	x.texts = append(x.texts, s)
	x.hashes = append(x.hashes, hashText(s))
	return id
}

// remember computes a text from a text once; "" is none.
func (x *Extractor) remember(k int, a int32, compute func(s string) string) int32 {
	if a < 0 {
		return none
	}
	m := x.memory[k]
	if int(a) < len(m) && m[a] != 0 {
		return m[a] - 2
	}
	v := int32(none)
	if s := compute(x.texts[a]); s != "" {
		v = x.id(s)
	}
	if int(a) >= len(m) {
		m = append(m, make([]int32, len(x.texts)-len(m))...)
		x.memory[k] = m
	}
	m[a] = v + 2
	return v
}

// lookUp returns the column of a lexicon for a word.
func (x *Extractor) lookUp(k int, word string) string {
	c := &x.set.code[k]
	s := x.lexicons[k].Lookup(word, c.texts[1])
	if c.size > 0 {
		if cut := feature.Affix(s, c.size, false); cut != "" {
			s = cut
		}
	}
	return s
}

// holds reports whether a text is one of those that an instruction names, or none of them.
func (x *Extractor) holds(k int, v int32) bool {
	return slices.Contains(x.words[k], v) != x.set.code[k].negate
}

// meets reports whether a token meets the condition of a walk.
func (x *Extractor) meets(k int, t int32) bool { return x.holds(k, x.column(x.set.code[k].column, t)) }

// join writes texts with blanks between them. A backslash stands before blanks, backslashes and what would read as a
// missing text, so that different lists stay different.
func (x *Extractor) join(list []int32) int32 {
	b := x.buf[:0]
	for i, v := range list {
		if i > 0 {
			b = append(b, ' ')
		}
		if v < 0 {
			b = append(b, '_')
			continue
		}
		s := x.texts[v]
		if s == "_" || s == "-" {
			b = append(b, '\\')
		}
		for j := range len(s) {
			if s[j] == ' ' || s[j] == '\\' {
				b = append(b, '\\')
			}
			b = append(b, s[j])
		}
	}
	if len(list) == 0 {
		b = append(b, '-')
	}
	x.buf = b
	return x.idOf(b)
}

// sorted returns the texts of a list by bytes, each once.
func (x *Extractor) sorted(list []int32) []int32 {
	out := x.ids1[:0]
	for _, v := range list {
		if v >= 0 {
			out = append(out, v)
		}
	}
	slices.SortFunc(out, func(a, b int32) int { return strings.Compare(x.texts[a], x.texts[b]) })
	x.ids1 = out
	return slices.Compact(out)
}

// arrows writes a path: the label of each node below the turning point with its direction.
func (x *Extractor) arrows(path *val, label []int32) int32 {
	b := x.buf[:0]
	for i, n := range path.list {
		if i == int(path.a) {
			continue
		}
		if len(b) > 0 {
			b = append(b, ' ')
		}
		word := "_"
		if label != nil && label[n] >= 0 {
			word = x.texts[label[n]]
		}
		if i < int(path.a) {
			b = utf8.AppendRune(append(b, word...), '↑')
		} else {
			b = append(utf8.AppendRune(b, '↓'), word...)
		}
	}
	if len(b) == 0 {
		b = append(b, '-')
	}
	x.buf = b
	return x.idOf(b)
}

package draft

import (
	"sort"
	"strings"
	"unicode/utf8"

	"parlance/algo/text"
	"parlance/query/fault"
	"parlance/query/plan"
	"parlance/storage/value"
)

// Values are the values that a statement gives for a row, by column name.
type Values map[string]value.Value

// number returns an integer; ok is false if it was not given.
func (v Values) number(name string) (n int, ok bool, err error) {
	x, ok := v[name]
	if !ok || x.IsNull() {
		return 0, false, nil
	}
	c, err := value.Cast(x, value.Integer)
	if err != nil {
		return 0, false, fault.New(plan.CodeType, "column %s: %v", name, err)
	}
	if c.Int() < 0 || c.Int() > 1<<31-1 {
		return 0, false, fault.New("22003", "column %s: %d is out of range", name, c.Int())
	}
	return int(c.Int()), true, nil
}

// numbers returns several integers; ok is false if one was not given.
func (v Values) numbers(names ...string) (out []int, ok bool, err error) {
	for _, name := range names {
		n, given, err := v.number(name)
		if err != nil || !given {
			return nil, false, err
		}
		out = append(out, n)
	}
	return out, true, nil
}

// Has reports whether the layer has all the columns.
func (x *Draft) Has(names ...string) bool {
	for _, n := range names {
		if x.Def.Index(n) < 0 {
			return false
		}
	}
	return true
}

// Position reports whether a column is part of the place of a row: sentence, tokens, offsets. Place sets these
// together.
func Position(def *text.LayerDef, c text.Column) bool {
	switch c.Name {
	case "tok_start", "tok_end":
		return def.Index("sent") >= 0
	case "sent":
		return true
	}
	return c.Role == text.Offset
}

// Place sets the place of a row from tokens or from offsets in code points, and the columns that depend on it.
func (x *Draft) Place(row *Row, v Values) error {
	for _, c := range x.Def.Columns {
		if first, ok := strings.CutSuffix(c.Name, "_start"); ok && c.Role == text.Offset && first != "char" {
			if err := x.placeOffsets(row, v, first); err != nil {
				return err
			}
		}
	}
	switch {
	case x.Has("tok_start", "tok_end", "sent"):
		return x.placeSpan(row, v)
	case x.Has("char_start", "char_end"):
		if err := x.placeOffsets(row, v, "char"); err != nil {
			return err
		}
		return x.placeSentence(row, v, "char_start")
	case x.Has("subject_start"):
		return x.placeSentence(row, v, "subject_start")
	case x.Has("sent"):
		return x.placeToken(row, v)
	}
	return nil
}

// placeSpan sets the tokens and offsets of a span. If both are given, the tokens count.
func (x *Draft) placeSpan(row *Row, v Values) error {
	toks, ok, err := v.numbers("sent", "tok_start", "tok_end")
	if err != nil {
		return err
	}
	if !ok {
		if _, given, err := v.numbers("char_start", "char_end"); err != nil || !given {
			if err == nil {
				err = fault.New("23502", "a row of %s needs sent, tok_start and tok_end, or char_start and char_end", x.Name)
			}
			return err
		}
		if err := x.placeOffsets(row, v, "char"); err != nil {
			return err
		}
		if toks, err = x.tokensUnder(row); err != nil {
			return err
		}
	}
	sent, first, last := toks[0], toks[1], toks[2]
	if sent < 1 || sent >= len(x.bounds) || first < 1 || last < first || last > x.length(sent) {
		return fault.New("23503", "document %s has no tokens %d to %d in sentence %d", x.Doc.ID, first, last, sent)
	}
	x.Put(row, "sent", int32(sent))
	x.Put(row, "tok_start", int32(first))
	x.Put(row, "tok_end", int32(last))
	if tokens := x.Doc.Layer("tokens"); ok || x.Def.Spans {
		base, starts, ends := int(x.bounds[sent-1])-1, tokens.Ints("char_start"), tokens.Ints("char_end")
		if starts == nil || ends == nil {
			return fault.New("55000", "the tokens of document %s have no offsets", x.Doc.ID)
		}
		x.Put(row, "char_start", starts[base+first])
		x.Put(row, "char_end", ends[base+last])
	}
	if c := x.Def.Index("text"); x.Def.Spans && c >= 0 {
		row.Strs[c], x.hasValues[c] = x.slice(x.Get(row, "char_start"), x.Get(row, "char_end")), true
	}
	return nil
}

// slice is the text between two offsets, empty if stored offsets are out of range or order.
func (x *Draft) slice(start, end int32) string {
	if start > end {
		return ""
	}
	return x.Doc.Text[start:end]
}

// length is the number of tokens of a sentence, 1-based.
func (x *Draft) length(sent int) int {
	if sent < 1 || sent >= len(x.bounds) {
		return 0
	}
	return int(x.bounds[sent] - x.bounds[sent-1])
}

// tokensUnder finds the sentence and the tokens that the offsets of a row cover.
func (x *Draft) tokensUnder(row *Row) ([]int, error) {
	start, end := x.Get(row, "char_start"), x.Get(row, "char_end")
	l := text.NewLayer(text.Entities)
	l.N = 1
	l.SetInts("char_start", []int32{start})
	l.SetInts("char_end", []int32{end})
	if toks := x.Doc.Layer("tokens"); toks != nil {
		Align(l, toks)
	}
	if s := l.Ints("sent"); s == nil || s[0] == 0 {
		return nil, fault.New("23503", "no token lies in %s at %q", x.Doc.ID, x.Doc.Text[start:end])
	}
	return []int{int(l.Ints("sent")[0]), int(l.Ints("tok_start")[0]), int(l.Ints("tok_end")[0])}, nil
}

// placeOffsets sets a pair of offsets from code points. Only rows of the layer of edits may be empty.
func (x *Draft) placeOffsets(row *Row, v Values, name string) error {
	n, ok, err := v.numbers(name+"_start", name+"_end")
	if err != nil {
		return err
	}
	if !ok {
		return fault.New("23502", "a row of %s needs %[2]s_start and %[2]s_end", x.Name, name)
	}
	start, end := byteOffset(x.Doc.Text, n[0]), byteOffset(x.Doc.Text, n[1])
	if start < 0 || end < 0 {
		return fault.New("23503", "document %s has no text from %d to %d: it has %d {character|characters}", x.Doc.ID, n[0],
			n[1],
			utf8.RuneCountInString(x.Doc.Text))
	}
	if end < start || end == start && x.Def != text.Edits {
		return fault.New("23514", "%s_start %d does not lie before %[1]s_end %[3]d", name, n[0], n[1])
	}
	x.Put(row, name+"_start", int32(start))
	x.Put(row, name+"_end", int32(end))
	return nil
}

// placeSentence sets the sentence of a row: the given one, or that of an offset.
func (x *Draft) placeSentence(row *Row, v Values, offset string) error {
	if !x.Has("sent") {
		return nil
	}
	sent, ok, err := v.number("sent")
	if err != nil {
		return err
	}
	if toks := x.Doc.Layer("tokens"); !ok && toks != nil && toks.N > 0 {
		ends := toks.Ints("char_end")
		t := sort.Search(len(ends), func(t int) bool { return ends[t] > x.Get(row, offset) })
		sent, ok = int(toks.Ints("sent")[min(t, toks.N-1)]), true
	}
	if ok && (sent < 1 || sent >= len(x.bounds)) {
		return fault.New("23503", "document %s has no sentence %d", x.Doc.ID, sent)
	}
	x.Put(row, "sent", int32(sent))
	return nil
}

// placeToken sets the sentence and token of a row that stands at one token.
func (x *Draft) placeToken(row *Row, v Values) error {
	names := []string{"sent"}
	if x.Has("tok") {
		names = append(names, "tok")
	}
	n, ok, err := v.numbers(names...)
	if err != nil {
		return err
	}
	if !ok {
		return fault.New("23502", "a row of %s needs %s", x.Name, strings.Join(names, " and "))
	}
	if len(n) == 2 && (n[1] < 1 || n[1] > x.length(n[0])) {
		return fault.New("23503", "document %s has no token %d in sentence %d", x.Doc.ID, n[1], n[0])
	}
	if n[0] < 1 || n[0] >= len(x.bounds) {
		return fault.New("23503", "document %s has no sentence %d", x.Doc.ID, n[0])
	}
	for i, name := range names {
		x.Put(row, name, int32(n[i]))
	}
	return nil
}

// byteOffset converts an offset in code points to one in bytes, -1 beyond the end.
func byteOffset(s string, n int) int {
	if n < 0 {
		return -1
	}
	at := 0
	for ; n > 0; n-- {
		if at >= len(s) {
			return -1
		}
		_, w := utf8.DecodeRuneInString(s[at:])
		at += w
	}
	return at
}

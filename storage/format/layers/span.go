package layers

import (
	"cmp"
	"slices"

	"parlance/algo/text"
	"parlance/storage/format/codec"
)

// Span is a labelled range of bytes of a text.
type Span struct {
	Start, End int
	Label      string
}

// Spans makes a span layer in reading order, outer spans first. Sentences and tokens are
// left to the tokeniser.
func Spans(d *text.Document, def *text.LayerDef, spans []Span) *text.Layer {
	l, _ := SpansUntil(d, def, spans, nil) // without a context there is no error
	return l
}

// SpansUntil is Spans with looks at a context.
func SpansUntil(d *text.Document, def *text.LayerDef, spans []Span, ended func() error) (*text.Layer, error) {
	if err := sortSpans(spans, ended); err != nil {
		return nil, err
	}
	l := text.NewLayer(def)
	l.N = len(spans)
	start, end := make([]int32, l.N), make([]int32, l.N)
	names, texts := make([]string, l.N), make([]string, l.N)
	for i, s := range spans {
		start[i], end[i], names[i], texts[i] = int32(s.Start), int32(s.End), s.Label, d.Text[s.Start:s.End]
	}
	l.SetInts("char_start", start)
	l.SetInts("char_end", end)
	l.SetStrs("label", names)
	l.SetStrs("text", texts)
	return l, codec.Over(ended)
}

// fewSpans are sorted in their place.
const fewSpans = 1 << 10

// sortSpans sorts spans as Spans does; equal ones stay in their order.
func sortSpans(spans []Span, ended func() error) error {
	compare := func(x, y Span) int {
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(y.End, x.End))
	}
	if len(spans) <= fewSpans {
		slices.SortStableFunc(spans, compare)
		return nil
	}
	type placed struct {
		Span
		at int
	}
	list := make([]placed, len(spans))
	for i, s := range spans {
		list[i] = placed{s, i}
	}
	look, err := codec.Lookout{Ended: ended}, error(nil)
	slices.SortFunc(list, func(x, y placed) int {
		if err == nil {
			err = look.Step()
		}
		if err != nil {
			return 0 // the rest is soon done
		}
		return cmp.Or(compare(x.Span, y.Span), cmp.Compare(x.at, y.at))
	})
	for i, p := range list {
		spans[i] = p.Span
	}
	return err
}

// TokenRange returns the tokens of rows [from, to) that cover the bytes [start, end), counted
// from 0 and half-open; an empty range lies before the first token that does not begin before
// it. ok is false where the range cuts a token.
func TokenRange(toks *text.Layer, from, to int, start, end int32) (first, last int, ok bool) {
	a, z := toks.Cols[2].Ints[from:to], toks.Cols[3].Ints[from:to]
	if start == end {
		k, _ := slices.BinarySearch(a, start)
		return k, k, k == 0 || z[k-1] <= start
	}
	first, ok = slices.BinarySearch(a, start)
	if !ok {
		return 0, 0, false
	}
	last, ok = slices.BinarySearch(z, end)
	return first, last + 1, ok && last >= first
}

package format

import (
	"cmp"
	"slices"

	"parlance/algo/text"
)

// charSpan is a labelled range of bytes of a text.
type charSpan struct {
	start, end int
	label      string
}

// charSpans makes a span layer in reading order, outer spans first. Sentences and tokens are
// left to the tokeniser.
func charSpans(d *text.Document, def *text.LayerDef, spans []charSpan) *text.Layer {
	l, _ := charSpansUntil(d, def, spans, nil) // without a context there is no error
	return l
}

// charSpansUntil is charSpans with looks at a context.
func charSpansUntil(d *text.Document, def *text.LayerDef, spans []charSpan, ended func() error) (*text.Layer, error) {
	if err := sortSpans(spans, ended); err != nil {
		return nil, err
	}
	l := text.NewLayer(def)
	l.N = len(spans)
	start, end := make([]int32, l.N), make([]int32, l.N)
	names, texts := make([]string, l.N), make([]string, l.N)
	for i, s := range spans {
		start[i], end[i], names[i], texts[i] = int32(s.start), int32(s.end), s.label, d.Text[s.start:s.end]
	}
	l.SetInts("char_start", start)
	l.SetInts("char_end", end)
	l.SetStrs("label", names)
	l.SetStrs("text", texts)
	return l, over(ended)
}

// fewSpans are sorted in their place.
const fewSpans = 1 << 10

// sortSpans sorts spans as charSpans does; equal ones stay in their order.
func sortSpans(spans []charSpan, ended func() error) error {
	compare := func(x, y charSpan) int {
		return cmp.Or(cmp.Compare(x.start, y.start), cmp.Compare(y.end, x.end))
	}
	if len(spans) <= fewSpans {
		slices.SortStableFunc(spans, compare)
		return nil
	}
	type placed struct {
		charSpan
		at int
	}
	list := make([]placed, len(spans))
	for i, s := range spans {
		list[i] = placed{s, i}
	}
	look, err := lookout{ended: ended}, error(nil)
	slices.SortFunc(list, func(x, y placed) int {
		if err == nil {
			err = look.step()
		}
		if err != nil {
			return 0 // the rest is soon done
		}
		return cmp.Or(compare(x.charSpan, y.charSpan), cmp.Compare(x.at, y.at))
	})
	for i, p := range list {
		spans[i] = p.charSpan
	}
	return err
}

// tokenRange returns the tokens of rows [from, to) that cover the bytes [start, end), counted
// from 0 and half-open; an empty range lies before the first token that does not begin before
// it. ok is false where the range cuts a token.
func tokenRange(toks *text.Layer, from, to int, start, end int32) (first, last int, ok bool) {
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

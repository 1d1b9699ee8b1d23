package exec

import (
	"parlance/algo/extract"
	"parlance/algo/text"
	"parlance/query/draft"
	"parlance/query/plan"
)

// spanRows collects the rows of a table function that finds spans: sent, char_start, char_end, tok_start, tok_end,
// label, text, and the text and offsets of each named group.
type spanRows struct {
	n     *plan.Layer
	d     *text.Document
	l     *text.Layer
	label string
	at    int // next column of a group
}

const spanWidth = 7 // columns before those of groups

func newSpanRows(n *plan.Layer, d *text.Document) *spanRows {
	return &spanRows{n: n, d: d, l: text.NewLayer(n.Def)}
}

// add begins a row for the bytes [start, end) of the text.
func (b *spanRows) add(start, end int32, label string) {
	b.l.N++
	b.ints(1, start)
	b.ints(2, end)
	b.l.Cols[5].Strs = append(b.l.Cols[5].Strs, label)
	b.at = spanWidth
}

// ints appends to an integer column.
func (b *spanRows) ints(c int, v int32) { b.l.Cols[c].Ints = append(b.l.Cols[c].Ints, v) }

// group adds the next named group to the row; one that took no part in the match is empty.
func (b *spanRows) group(start, end int32) {
	s := ""
	if start >= 0 && start < end {
		s = b.d.Text[start:end]
	} else {
		start, end = 0, 0
	}
	b.l.Cols[b.at].Strs = append(b.l.Cols[b.at].Strs, s)
	b.ints(b.at+1, start)
	b.ints(b.at+2, end)
	b.at += 3
}

// aligned returns the rows with the sentence and the tokens that their bytes touch.
func (b *spanRows) aligned() *text.Layer {
	for _, c := range []int{0, 3, 4} {
		b.l.Cols[c].Ints = make([]int32, b.l.N)
	}
	if toks := b.d.Layer("tokens"); toks != nil {
		draft.Align(b.l, toks)
	}
	return b.l
}

// spans returns rows for spans of tokens, one for each label of a span.
func (b *spanRows) spans(found []extract.Span) *text.Layer {
	toks := b.d.Layer("tokens")
	if toks == nil {
		return nil
	}
	sent, tok, start, end := toks.Cols[0].Ints, toks.Cols[1].Ints, toks.Cols[2].Ints, toks.Cols[3].Ints
	for _, s := range found {
		labels := s.Labels
		if len(labels) == 0 {
			labels = []string{b.label}
		}
		for _, label := range labels {
			b.add(start[s.From], max(start[s.From], end[s.To-1]), label)
			b.ints(0, sent[s.From])
			b.ints(3, tok[s.From])
			b.ints(4, tok[s.To-1])
			for _, g := range s.Groups {
				if g.From < g.To {
					b.group(start[g.From], end[g.To-1])
				} else {
					b.group(0, 0)
				}
			}
		}
	}
	return b.l
}

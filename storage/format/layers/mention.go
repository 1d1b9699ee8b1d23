package layers

import (
	"cmp"
	"slices"

	"parlance/algo/text"
)

// Mentions gathers mentions.
type Mentions struct{ Rows []Mention }

// Mention is a row of mentions: tokens of a sentence, counted from 1, the last included.
type Mention struct {
	Sent, First, Last   int32
	Cluster, Kind, Link string
}

// Set gives the document its mentions in reading order, if there are any.
func (m *Mentions) Set(d *text.Document, toks *text.Layer) {
	n := len(m.Rows)
	if n == 0 {
		return
	}
	slices.SortStableFunc(m.Rows, func(a, b Mention) int {
		return cmp.Or(cmp.Compare(a.Sent, b.Sent), cmp.Compare(a.First, b.First), cmp.Compare(b.Last, a.Last))
	})
	number, sent, first, last := make([]int32, n), make([]int32, n), make([]int32, n), make([]int32, n)
	cluster, kind, link := make([]string, n), make([]string, n), make([]string, n)
	for i, r := range m.Rows {
		number[i], sent[i], first[i], last[i] = int32(i+1), r.Sent, r.First, r.Last
		cluster[i], kind[i], link[i] = r.Cluster, r.Kind, r.Link
	}
	l := text.NewLayer(text.Mentions)
	l.N = n
	start, end := TokenSpans(d, toks, sent, first, last)
	for c, v := range map[string][]int32{"mention": number, "sent": sent, "char_start": start, "char_end": end,
		"tok_start": first, "tok_end": last} {
		l.SetInts(c, v)
	}
	for c, v := range map[string][]string{"cluster": cluster, "kind": kind, "link": link} {
		if slices.ContainsFunc(v, func(s string) bool { return s != "" }) {
			l.SetStrs(c, v)
		}
	}
	d.SetLayer(l)
}

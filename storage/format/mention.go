package format

import (
	"cmp"
	"slices"

	"parlance/algo/text"
)

// mentionRows gathers mentions.
type mentionRows struct{ rows []mentionRow }

type mentionRow struct {
	sent, first, last   int32
	cluster, kind, link string
}

// set gives the document its mentions in reading order, if there are any.
func (m *mentionRows) set(d *text.Document, toks *text.Layer) {
	n := len(m.rows)
	if n == 0 {
		return
	}
	slices.SortStableFunc(m.rows, func(a, b mentionRow) int {
		return cmp.Or(cmp.Compare(a.sent, b.sent), cmp.Compare(a.first, b.first), cmp.Compare(b.last, a.last))
	})
	number, sent, first, last := make([]int32, n), make([]int32, n), make([]int32, n), make([]int32, n)
	cluster, kind, link := make([]string, n), make([]string, n), make([]string, n)
	for i, r := range m.rows {
		number[i], sent[i], first[i], last[i] = int32(i+1), r.sent, r.first, r.last
		cluster[i], kind[i], link[i] = r.cluster, r.kind, r.link
	}
	l := text.NewLayer(text.Mentions)
	l.N = n
	start, end := tokenSpans(d, toks, sent, first, last)
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

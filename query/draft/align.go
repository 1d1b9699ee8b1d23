package draft

import (
	"sort"

	"parlance/algo/text"
)

// Align computes the sentence and tokens of rows that have character offsets only: those of the tokens that a row
// overlaps. A row that overlaps no token keeps 0. A relation gets the sentence of its subject.
func Align(l, toks *text.Layer) {
	start, end := l.Ints("char_start"), l.Ints("char_end")
	if l.Def == text.Relations {
		start, end = l.Ints("subject_start"), l.Ints("subject_end")
	}
	if start == nil || end == nil {
		return
	}
	own := func(name string) []int32 { // a column that the layer may lack
		v := l.Ints(name)
		if v == nil {
			v = make([]int32, l.N)
			if l.Def.Index(name) >= 0 {
				l.SetInts(name, v)
			}
		}
		return v
	}
	sent, first, last := own("sent"), own("tok_start"), own("tok_end")
	tsent, ttok, tstart, tend := toks.Cols[0].Ints, toks.Cols[1].Ints, toks.Cols[2].Ints, toks.Cols[3].Ints
	for i := range l.N {
		if sent[i] != 0 || toks.N == 0 {
			continue
		}
		t := sort.Search(toks.N, func(t int) bool { return tend[t] > start[i] })
		if start[i] == end[i] { // an empty span: an insertion before a token or after the last one
			sent[i] = tsent[min(t, toks.N-1)]
			continue
		}
		for ; t < toks.N && tstart[t] < end[i]; t++ {
			if sent[i] == 0 {
				sent[i], first[i] = tsent[t], ttok[t]
			}
			if tsent[t] == sent[i] {
				last[i] = ttok[t]
			}
		}
	}
}

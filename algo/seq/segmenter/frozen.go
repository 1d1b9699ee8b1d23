package segmenter

import (
	"parlance/algo/engine/online"
	"parlance/algo/numeric/buffer"
)

// caches are sums of weights that change no more.
type caches struct {
	entries       []float64   // by entry: the score of its node alone
	after, before online.Rows // by entry: the sums over its contexts, by tag of the next word and of the one before
}

// windows keeps the sums over the contexts of the types around a place, which are few, for weights that change no more.
type windows struct {
	w      *weights
	at     []int32 // by five types: where the sums are kept, −1 where they are not
	scores []float64
}

// windowBytes is how much windows keep at most.
const windowBytes = 8 << 20

// scoreTypes sets out to the sums over the contexts of the types around a place.
func (l *lattice) scoreTypes(out []float64, i int) {
	w, v := l.w, &l.windows
	if !w.CT {
		return
	}
	if w.caches == nil {
		l.keys = w.typeKeys(l.keys[:0], l.characters, i)
		w.addRows(l.keys, out)
		return
	}
	if v.w != w {
		n := 1
		for range 2*margin + 1 {
			n *= int(types)
		}
		v.w, v.scores, v.at = w, v.scores[:0], buffer.Resize(v.at, n)
		for k := range v.at {
			v.at[k] = -1
		}
	}
	k := 0
	for _, t := range l.types[i : i+2*margin+1] {
		k = k*int(types) + int(t)
	}
	if at := v.at[k]; at >= 0 {
		copy(out, v.scores[at:])
		return
	}
	l.keys = w.typeKeys(l.keys[:0], l.characters, i)
	w.addRows(l.keys, out)
	if 8*(len(v.scores)+len(out)) <= windowBytes {
		v.at[k], v.scores = int32(len(v.scores)), append(v.scores, out...)
	}
}

// mean returns the means of the weights after each step, without those that are 0.
func (w *weights) mean() *weights {
	out := &weights{groups: w.groups, dict: w.dict, tags: w.tags, plain: w.plain, all: w.all, codes: w.codes}
	out.rows.Columns, out.contexts = w.rows.Columns, newTable(w.contexts.n/2)
	steps := max(1, w.dense.Steps)
	for row, k := range w.contexts.keys() {
		s := w.rows.Spans[row]
		first := len(out.rows.Cells)
		for i := s.At; i < s.At+uint32(s.N); i++ {
			if x := float32(w.rows.Mean(i, steps)); x != 0 {
				out.rows.Cells = append(out.rows.Cells, online.Cell{W: x, Column: w.rows.Cells[i].Column})
			}
		}
		if n := len(out.rows.Cells) - first; n > 0 {
			out.contexts.add(k)
			out.rows.Spans = append(out.rows.Spans, online.RowSpan{At: uint32(first), N: uint16(n), Room: uint16(n)})
		}
	}
	out.dense = &online.Weights{W: w.dense.Mean()}
	for i, x := range out.dense.W {
		out.dense.W[i] = float64(float32(x)) // as it is written
	}
	out.freeze()
	return out
}

// freeze computes the sums of weights that change no more.
func (w *weights) freeze() {
	w.rowMax = make([]float64, w.codes)
	for c := range w.codes {
		w.bound(c)
	}
	c := &caches{entries: make([]float64, len(w.dict.entries))}
	for e := range w.dict.entries {
		n := w.nodeOf(e)
		c.entries[e] = w.entryScore(&n)
	}
	sum := make([]float64, w.all+1)
	var keys []uint64
	for e := range len(w.dict.entries) + 2 {
		n := w.nodeOf(e)
		for _, x := range []struct {
			to   *online.Rows
			keys func([]uint64, *node) []uint64
		}{{&c.after, w.afterKeys}, {&c.before, w.beforeKeys}} {
			clear(sum)
			keys = x.keys(keys[:0], &n)
			w.addRows(keys, sum)
			appendRow(x.to, sum)
		}
	}
	w.caches = c
}

// nodeOf is a node of an entry, or of the beginning or the end of a sentence behind the last one.
func (w *weights) nodeOf(e int) node {
	switch e - len(w.dict.entries) {
	case 0:
		return w.begin()
	case 1:
		return w.end(0)
	}
	x := &w.dict.entries[e]
	return node{entry: int32(e), word: x.word, tag: x.tag}
}

// appendRow adds a row of the values that are not 0.
func appendRow(to *online.Rows, values []float64) {
	first := len(to.Cells)
	for column, x := range values {
		if x != 0 {
			to.Cells = append(to.Cells, online.Cell{W: float32(x), Column: uint16(column)})
		}
	}
	n := uint16(len(to.Cells) - first)
	to.Spans = append(to.Spans, online.RowSpan{At: uint32(first), N: n, Room: n})
}

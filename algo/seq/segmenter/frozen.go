package segmenter

import (
	"parlance/algo/engine/online"
)

// caches are sums of weights that change no more.
type caches struct {
	entries []float64 // by entry: the score of its node alone
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
		x := &w.dict.entries[e]
		c.entries[e] = w.entryScore(&node{entry: int32(e), word: x.word, tag: x.tag})
	}
	w.caches = c
}

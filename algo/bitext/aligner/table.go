package aligner

import (
	"context"
	"fmt"
	"slices"

	"parlance/algo/bitext"
)

// table is translation probabilities of the pairs of words that occur together, as rows of source words.
type table struct {
	starts  []uint64     // of the row of each source word, one more than there are
	targets []uint32     // of each entry, rising within a row
	prob    [2][]float32 // of each entry: t(target|source), t(source|target)
	null    [2][]float32 // t(target|no word) by target words, t(source|no word) by source words
}

// find is the entry of two words, −1 if there is none.
func (t *table) find(s, f uint32) int {
	if s == bitext.Unseen || f == bitext.Unseen {
		return -1
	}
	row := t.targets[t.starts[s]:t.starts[s+1]]
	i, ok := slices.BinarySearch(row, f)
	if !ok {
		return -1
	}
	return int(t.starts[s]) + i
}

// cells is the entry of each two words of the sentences: that of source word i and target word j of sentence k is
// number at[k] + i·J + j, where J is the number of target words.
type cells struct {
	at      []int // one more than sentences
	entries []uint32
}

// newTable finds the pairs of words that occur together. A row is made from all sentences of its word: a slot for each
// target word tells whether, and where, the row has it.
func newTable(ctx context.Context, c *corpus) (*table, *cells, error) {
	sources, targets := len(c.vocabulary[source].Words), len(c.vocabulary[target].Words)
	t := &table{starts: make([]uint64, 1, sources+1)}
	x := &cells{at: make([]int, c.size()+1)}
	for k := range c.size() {
		x.at[k+1] = x.at[k] + len(c.sentence(source, k))*len(c.sentence(target, k))
	}
	x.entries = make([]uint32, x.at[c.size()])
	first, places := occurrences(c, sources)
	w := &gathered{slot: make([]uint32, targets)}
	for i := range w.slot {
		w.slot[i] = free
	}
	for _, fill := range []bool{false, true} {
		for s := range sources {
			if s&0xff == 0 && ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			w.row(c, places[first[s]:first[s+1]])
			if !fill {
				t.starts = append(t.starts, t.starts[s]+uint64(len(w.list)))
			} else {
				slices.Sort(w.list)
				copy(t.targets[t.starts[s]:], w.list)
				w.name(c, x, places[first[s]:first[s+1]], uint32(t.starts[s]))
			}
			for _, f := range w.list {
				w.slot[f] = free
			}
		}
		if !fill {
			if t.starts[sources] > maxEntries {
				return nil, nil, fmt.Errorf("there are %d pairs of words that occur together; %d are the most", t.starts[sources],
					uint64(maxEntries))
			}
			t.targets = make([]uint32, t.starts[sources])
		}
	}
	t.uniform(sources, targets)
	return t, x, nil
}

// maxEntries is the most entries: cells name them by 32 bits.
const maxEntries = 1<<32 - 2

// free is the slot of a word that is not in the row.
const free = 1<<32 - 1

// gathered is the target words of a row while it is made.
type gathered struct {
	list []uint32
	slot []uint32 // by target word
}

// row gathers the words of the sentences of some places.
func (w *gathered) row(c *corpus, places []place) {
	w.list = w.list[:0]
	for _, p := range places {
		for _, f := range c.sentence(target, int(p.sentence)) {
			if w.slot[f] == free {
				w.slot[f] = 0
				w.list = append(w.list, f)
			}
		}
	}
}

// name writes the entries of the row, which begin at from, into the cells of these places.
func (w *gathered) name(c *corpus, x *cells, places []place, from uint32) {
	for i, f := range w.list {
		w.slot[f] = from + uint32(i)
	}
	for _, p := range places {
		list := c.sentence(target, int(p.sentence))
		at := x.at[p.sentence] + int(p.word)*len(list)
		for j, f := range list {
			x.entries[at+j] = w.slot[f]
		}
	}
}

// uniform begins with the same probability for all words.
func (t *table) uniform(sources, targets int) {
	for d, n := range [2]int{targets, sources} {
		t.prob[d], t.null[d] = make([]float32, len(t.targets)), make([]float32, n)
		for _, list := range [][]float32{t.prob[d], t.null[d]} {
			for i := range list {
				list[i] = 1 / float32(n)
			}
		}
	}
}

// place is where a source word stands.
type place struct{ sentence, word uint32 }

// occurrences are the places of each source word, which begin at first.
func occurrences(c *corpus, sources int) (first []int, places []place) {
	first = make([]int, sources+2)
	for _, w := range c.words[source] {
		first[w+2]++
	}
	for i := 2; i < len(first); i++ {
		first[i] += first[i-1]
	}
	places = make([]place, len(c.words[source]))
	for k := range c.size() {
		for i, w := range c.sentence(source, k) {
			places[first[w+1]] = place{uint32(k), uint32(i)}
			first[w+1]++
		}
	}
	return first[:sources+1], places
}

// counts are expected numbers of links.
type counts struct {
	links [2][]float64 // by entry; those of both directions are one where they agree
	null  [2][]float64
}

func newCounts(t *table, joint bool) *counts {
	c := &counts{}
	c.links[0] = make([]float64, len(t.targets))
	if c.links[1] = c.links[0]; !joint {
		c.links[1] = make([]float64, len(t.targets))
	}
	for d := range c.null {
		c.null[d] = make([]float64, len(t.null[d]))
	}
	return c
}

func (c *counts) reset() {
	for d := range c.links {
		clear(c.links[d])
		clear(c.null[d])
	}
}

// maximise sets the probabilities to shares of the counts,
//
//	t(f|e) = c(e,f) / Σ_f' c(e,f')
//
// or, with a symmetric Dirichlet prior alpha over the n words of a row, to their variational estimates (Riley and
// Gildea 2012, eq. 4), which need not sum up to one:
//
//	t(f|e) = exp ψ(c(e,f) + α) / exp ψ(Σ_f' c(e,f') + n α)
func (t *table) maximise(c *counts, alpha float64) {
	for s := range len(t.starts) - 1 {
		from, to := t.starts[s], t.starts[s+1]
		share(t.prob[0][from:to], c.links[0][from:to], sum(c.links[0][from:to]), alpha, int(to-from))
	}
	sums, rows := make([]float64, len(t.null[0])), make([]int, len(t.null[0]))
	for i, f := range t.targets {
		sums[f] += c.links[1][i]
		rows[f]++
	}
	for i, f := range t.targets {
		share(t.prob[1][i:i+1], c.links[1][i:i+1], sums[f], alpha, rows[f])
	}
	for d := range t.null {
		share(t.null[d], c.null[d], sum(c.null[d]), alpha, len(t.null[d]))
	}
}

// share sets probabilities of a row whose counts sum up to all, or of a part of it; the row has n words.
func share(p []float32, counts []float64, all, alpha float64, n int) {
	if all <= 0 {
		return // nothing to learn from
	}
	if alpha == 0 {
		for i, c := range counts {
			p[i] = float32(c / all)
		}
		return
	}
	of := expDigamma(all + float64(n)*alpha)
	for i, c := range counts {
		p[i] = float32(expDigamma(c+alpha) / of)
	}
}

func sum(list []float64) (s float64) {
	for _, x := range list {
		s += x
	}
	return s
}

package contexts

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/lexical/cooccurrence"
	"parlance/algo/text"
)

// source is counted pairs: each pair of a word and a context once, in a fixed order, as often as wanted.
type source struct {
	words    []string
	context  func(uint32) string
	contexts int
	cells    func(yield func(word, context uint32, count float64) bool) error
}

// matrixCells yields the cells of a matrix.
func matrixCells(m *cooccurrence.Matrix) func(func(uint32, uint32, float64) bool) error {
	return func(yield func(uint32, uint32, float64) bool) error {
		for i := range m.Words {
			ids, counts := m.Rows.Row(i)
			for j, k := range ids {
				if !yield(uint32(i), k, counts[j]) {
					return nil
				}
			}
		}
		return nil
	}
}

// choose keeps the words with the most different contexts and the contexts with the most different
// words (sec. 5.1), both counted before anything but rare pairs is left out. They are numbered in that
// order; of equal ones the one with the greater count comes first, then by text.
func (m *model) choose(ctx context.Context, t *kind.Training, s source) error {
	words, contexts := newTally(len(s.words)), newTally(s.contexts)
	minCount := float64(m.opt.minCount)
	if m.opt.contexts == byCounts && m.opt.minCount == 1 {
		minCount = 0 // weights of a table may be less than 1
	}
	n := 0
	var failed error
	each := func(do func(word, context uint32, count float64)) {
		if failed != nil {
			return
		}
		err := s.cells(func(w, c uint32, count float64) bool {
			if n++; n&0xfffff == 0 && ctx.Err() != nil {
				return false
			}
			if count >= minCount {
				do(w, c, count)
			}
			return true
		})
		failed = cmp.Or(err, ctx.Err())
	}
	each(func(w, c uint32, count float64) {
		words.add(w, count)
		contexts.add(c, count)
	})
	keptWords := words.rank(m.opt.minContexts, m.opt.maxWords, func(i uint32) string { return s.words[i] })
	keptContexts := contexts.rank(m.opt.minWords, m.opt.maxContexts, s.context)
	newWord, newContext := numbers(keptWords, len(s.words)), numbers(keptContexts, s.contexts)
	width := make([]int, len(keptWords)+1)
	each(func(w, c uint32, _ float64) {
		if newWord[w] != dropped && newContext[c] != dropped {
			width[newWord[w]+1]++
		}
	})
	x := &cooccurrence.Index{Start: width}
	for i := range keptWords {
		width[i+1] += width[i]
	}
	x.IDs, x.Counts = make([]uint32, width[len(keptWords)]), make([]float64, width[len(keptWords)])
	next := slices.Clone(width[:len(keptWords)])
	each(func(w, c uint32, count float64) {
		if i, k := newWord[w], newContext[c]; i != dropped && k != dropped {
			x.IDs[next[i]], x.Counts[next[i]] = k, count
			next[i]++
		}
	})
	if failed != nil {
		return failed
	}
	if len(x.IDs) == 0 {
		return fmt.Errorf("%w: no pair of a word and a context is left; lower min_count, min_contexts or min_words",
			kind.ErrNoData)
	}
	m.fill(s, x, keptWords, keptContexts)
	t.Notice(text.Countf("%d of %d {word|words}, %d of %d {context|contexts}, %d {pair|pairs}", len(m.Words),
		len(s.words), len(m.Contexts),
		s.contexts, len(m.Rows.IDs)))
	return nil
}

// fill makes the matrix of what was chosen, without words and contexts that nothing is left of.
func (m *model) fill(s source, x *cooccurrence.Index, words, contexts []uint32) {
	used := make([]bool, len(contexts))
	for _, k := range x.IDs {
		used[k] = true
	}
	number := make([]uint32, len(contexts))
	m.Matrix = &cooccurrence.Matrix{}
	for k, c := range contexts {
		if used[k] {
			number[k] = uint32(len(m.Contexts))
			m.Contexts = append(m.Contexts, s.context(c))
		}
	}
	for i, k := range x.IDs {
		x.IDs[i] = number[k]
	}
	start := []int{0}
	for i, w := range words {
		if x.Width(i) > 0 {
			m.Words = append(m.Words, s.words[w])
			start = append(start, x.Start[i+1])
		}
	}
	x.Start = start
	m.Rows = x.Sorted(len(m.Contexts))
	m.Ready()
	m.ready()
}

// tally is the numbers of different partners and the totals of words or contexts.
type tally struct {
	kinds  []uint32
	totals []float64
}

func newTally(n int) *tally { return &tally{make([]uint32, n), make([]float64, n)} }

func (t *tally) add(i uint32, count float64) {
	t.kinds[i]++
	t.totals[i] += count
}

// rank returns those with enough partners, the ones with the most first, at most limit.
func (t *tally) rank(least, limit int, name func(uint32) string) []uint32 {
	var order []uint32
	for i, n := range t.kinds {
		if int(n) >= least {
			order = append(order, uint32(i))
		}
	}
	slices.SortFunc(order, func(a, b uint32) int {
		if c := cmp.Or(cmp.Compare(t.kinds[b], t.kinds[a]), cmp.Compare(t.totals[b], t.totals[a])); c != 0 {
			return c
		}
		return cmp.Compare(name(a), name(b))
	})
	return order[:min(limit, len(order))]
}

const dropped = 1<<32 - 1

// numbers is the new number of each, dropped for those not kept.
func numbers(kept []uint32, n int) []uint32 {
	out := make([]uint32, n)
	for i := range out {
		out[i] = dropped
	}
	for i, k := range kept {
		out[k] = uint32(i)
	}
	return out
}

package similarity

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"

	"parlance/algo/lexical/cooccurrence"
	"parlance/algo/numeric/parallel"
	"parlance/algo/numeric/topk"
)

// search is the inverted index: of each context first the words that it proposes, then the others, both
// by rising number.
type search struct {
	v          *vectors
	counts     *cooccurrence.Index // as they were counted, for the most frequent contexts of a word
	start      []int
	proposed   []int // of each context how many words it proposes
	ids        []uint32
	x, aux     []float64
	contexts   int     // L: contexts of a word that propose candidates
	perContext int     // M: words that each of them proposes
	width      float64 // contexts of a candidate, on average over what contexts propose
}

// rescored is how many times the wanted number of candidates are scored with full profiles, where that
// is cheaper than scoring all.
const rescored = 4

// newSearch indexes the vectors. A context proposes the perContext words with the highest counts.
func newSearch(v *vectors, counts *cooccurrence.Index, contexts, perContext int) *search {
	s := &search{v: v, counts: counts, contexts: contexts, perContext: perContext}
	n := int(v.k)
	s.start, s.proposed = make([]int, n+1), make([]int, n)
	for _, f := range v.ids {
		s.start[f+1]++
	}
	for f := range n {
		s.proposed[f] = min(s.start[f+1], perContext)
		s.start[f+1] += s.start[f]
	}
	where, next := make([]int, len(v.ids)), slices.Clone(s.start[:n])
	s.ids, s.x = make([]uint32, len(v.ids)), make([]float64, len(v.ids))
	if v.aux != nil {
		s.aux = make([]float64, len(v.ids))
	}
	for i := range v.words() {
		w := v.start[i+1] - v.start[i]
		s.width += float64(w) * float64(w) / float64(len(v.ids))
		for k := v.start[i]; k < v.start[i+1]; k++ {
			f := v.ids[k]
			s.ids[next[f]], where[next[f]] = uint32(i), k
			next[f]++
		}
	}
	for f := range n {
		if s.start[f+1]-s.start[f] > perContext {
			s.propose(f, where)
		}
	}
	for p, k := range where {
		s.x[p] = v.x[k]
		if s.aux != nil {
			s.aux[p] = v.aux[k]
		}
	}
	return s
}

// propose moves the words of a context with the highest counts to the front.
func (s *search) propose(f int, where []int) {
	type cell struct {
		word  uint32
		where int
		count float64
	}
	from, to := s.start[f], s.start[f+1]
	cells := make([]cell, to-from)
	for k := range cells {
		word := s.ids[from+k]
		cells[k] = cell{word, where[from+k], s.countOf(int(word), uint32(f))}
	}
	slices.SortFunc(cells, func(a, b cell) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.word, b.word))
	})
	byWord := func(a, b cell) int { return cmp.Compare(a.word, b.word) }
	slices.SortFunc(cells[:s.perContext], byWord)
	slices.SortFunc(cells[s.perContext:], byWord)
	for k, c := range cells {
		s.ids[from+k], where[from+k] = c.word, c.where
	}
}

// countOf is the count of a word with a context that it has.
func (s *search) countOf(word int, f uint32) float64 {
	ids, counts := s.counts.Row(word)
	k, _ := slices.BinarySearch(ids, f)
	return counts[k]
}

// scratch is what one worker needs; all of it is 0 between searches.
type scratch struct {
	acc        []float64 // of words
	seen       []bool    // of words
	x, aux     []float64 // of contexts
	found      topk.Best
	candidates []uint32
}

func (s *search) scratch() *scratch {
	return &scratch{acc: make([]float64, s.v.words()), seen: make([]bool, s.v.words()), x: make([]float64, int(s.v.k)),
		aux: make([]float64, int(s.v.k))}
}

// similar returns the n words most similar to word i, the best first. Candidates are what the most
// frequent contexts of the word propose; scores are those of full profiles. Where the contexts have so
// many words that to score all of them costs more, a few times n candidates are scored in full: those
// that are best by what the proposing cells have in common.
func (s *search) similar(i, n int, t *scratch) []topk.Item {
	v, every, some := s.v, 0, 0
	for _, f := range v.ids[v.start[i]:v.start[i+1]] {
		every += s.start[f+1] - s.start[f]
		some += s.proposed[f]
	}
	cells := s.proposing(i)
	whole := every == some && len(cells) == v.start[i+1]-v.start[i]
	if whole || float64(every) <= float64(some)+rescored*float64(n)*s.width {
		for k := v.start[i]; k < v.start[i+1]; k++ {
			s.accumulate(k, s.start[v.ids[k]+1], t)
		}
		s.collect(cells, whole && every >= len(t.acc), t)
		s.best(i, n, t)
	} else {
		for _, k := range cells {
			s.accumulate(k, s.start[v.ids[k]]+s.proposed[v.ids[k]], t)
		}
		s.collect(cells, false, t)
		s.best(i, rescored*n, t)
		s.rescore(i, t)
	}
	clear(t.acc)
	found := t.found.Sorted()
	return found[:min(n, len(found))]
}

// proposing returns the cells of the contexts of a word that propose candidates.
func (s *search) proposing(i int) []int {
	v := s.v
	cells := make([]int, v.start[i+1]-v.start[i])
	for k := range cells {
		cells[k] = v.start[i] + k
	}
	if len(cells) > s.contexts {
		slices.SortFunc(cells, func(a, b int) int {
			return cmp.Or(cmp.Compare(s.countOf(i, v.ids[b]), s.countOf(i, v.ids[a])), cmp.Compare(a, b))
		})
		cells = cells[:s.contexts]
		slices.Sort(cells)
	}
	return cells
}

// accumulate adds what words of a context have in common with a cell, up to a place in the index.
func (s *search) accumulate(k, to int, t *scratch) {
	v, f := s.v, s.v.ids[k]
	from := s.start[f]
	ids, xs, x, acc := s.ids[from:to], s.x[from:to], v.x[k], t.acc
	if v.sum == nil {
		for p, j := range ids {
			acc[j] += float64(x * xs[p])
		}
		return
	}
	aux, a := s.aux[from:to], v.aux[k]
	if v.measure == js || v.measure == classes {
		for p, j := range ids {
			acc[j] += xlnx(x+xs[p]) - (a + aux[p])
		}
		return
	}
	for p, j := range ids {
		acc[j] += v.sum(f, x+xs[p]) - (a + aux[p])
	}
}

// collect lists the candidates: all words that share a context, or those that cells propose.
func (s *search) collect(cells []int, all bool, t *scratch) {
	t.candidates = t.candidates[:0]
	if all {
		for j, a := range t.acc {
			if a != 0 {
				t.candidates = append(t.candidates, uint32(j))
			}
		}
		return
	}
	for _, k := range cells {
		f := s.v.ids[k]
		for _, j := range s.ids[s.start[f] : s.start[f]+s.proposed[f]] {
			if !t.seen[j] && t.acc[j] != 0 {
				t.seen[j] = true
				t.candidates = append(t.candidates, j)
			}
		}
	}
	for _, j := range t.candidates {
		t.seen[j] = false
	}
}

// best keeps the n best of the candidates.
func (s *search) best(i, n int, t *scratch) {
	t.found.Reset(n)
	score := s.v.scorer(i)
	for _, j := range t.candidates {
		if int(j) != i {
			t.found.Add(j, score(int(j), t.acc[j]))
		}
	}
	t.found.Cut()
}

// rescore scores what was found with full profiles.
func (s *search) rescore(i int, t *scratch) {
	v := s.v
	v.spread(i, t)
	score := v.scorer(i)
	list := t.found.Cut()
	for c := range list {
		j := int(list[c].ID)
		list[c].Score = score(j, v.against(j, t))
	}
	for _, f := range v.ids[v.start[i]:v.start[i+1]] {
		t.x[f] = 0
	}
}

// spread lays out the cells of a word by their contexts.
func (v *vectors) spread(i int, t *scratch) {
	for k := v.start[i]; k < v.start[i+1]; k++ {
		t.x[v.ids[k]] = v.x[k]
		if v.sum != nil {
			t.aux[v.ids[k]] = v.aux[k]
		}
	}
}

// against adds up what word j has in common with the word that is spread out.
func (v *vectors) against(j int, t *scratch) float64 {
	ids, x := v.row(j)
	acc := 0.0
	if v.sum == nil {
		for k, f := range ids {
			acc += float64(t.x[f] * x[k])
		}
		return acc
	}
	aux := v.aux[v.start[j]:v.start[j+1]]
	for k, f := range ids {
		if y := t.x[f]; y != 0 {
			acc += v.sum(f, x[k]+y) - (aux[k] + t.aux[f])
		}
	}
	return acc
}

// chunk is how many words a worker takes at once.
const chunk = 32

// all finds the lists of all words; take is called by several workers at once, with a list that is
// valid during the call.
func (s *search) all(ctx context.Context, n, workers int, take func(i int, list []topk.Item),
	done func(words int)) error {
	var finished atomic.Int64
	workers = max(workers, 1)
	rooms := make([]*scratch, workers)
	return parallel.For(ctx, workers, parallel.Blocks(s.v.words(), chunk), func(w, b int) error {
		if rooms[w] == nil {
			rooms[w] = s.scratch()
		}
		from, to := parallel.Block(b, s.v.words(), chunk)
		for i := from; i < to && ctx.Err() == nil; i++ {
			take(i, s.similar(i, n, rooms[w]))
		}
		done(int(finished.Add(int64(to - from))))
		return nil
	})
}

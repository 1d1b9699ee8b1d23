package latentclasses

import (
	"context"
	"math"
	"math/rand/v2"

	"parlance/algo/lexical/cooccurrence"
	"parlance/algo/numeric/optimize"
	"parlance/algo/numeric/parallel"
)

// mixture is p(w,f) = Σ_a p(a) p(w|a) p(f|a) on its way. Rows have a number for each class.
type mixture struct {
	rows, columns *cooccurrence.Index
	place         []int     // of each cell of columns its cell of rows
	q             []float64 // of each cell of rows: n(w,f) / p(w,f)
	total         float64   // Σ n
	classes       int
	words         []float64 // p(a) p(w|a)
	contexts      []float64 // p(f|a)
	active        active    // classes of each word with a probability
	prune         float64
	workers       int
}

// newMixture prepares counts for any number of starts.
func newMixture(m *cooccurrence.Matrix, classes, workers int, prune float64) *mixture {
	x := &mixture{rows: m.Rows, columns: m.Rows.Transpose(len(m.Contexts)), classes: classes, workers: max(workers, 1), prune: prune}
	next := append([]int(nil), x.columns.Start...)
	x.place, x.q = make([]int, len(m.Rows.IDs)), make([]float64, len(m.Rows.IDs))
	for k, f := range m.Rows.IDs {
		x.place[next[f]] = k
		next[f]++
		x.total += m.Rows.Counts[k]
	}
	return x
}

// start draws positive probabilities: p(w|a) and p(f|a) are the relative frequencies of words and
// contexts, each times a number of the exponential distribution, and p(a) is the same for all.
func (x *mixture) start(seed, run uint64) {
	rng := rand.New(rand.NewPCG(seed, run))
	draw := func(index *cooccurrence.Index, mass float64) []float64 {
		p := make([]float64, index.Len()*x.classes)
		sums := make([]float64, x.classes)
		for i := range index.Len() {
			n := index.Sum(i)
			for a := range x.classes {
				v := n * (rng.ExpFloat64() + 1e-9)
				p[i*x.classes+a] = v
				sums[a] += v
			}
		}
		for i := range p {
			p[i] *= mass / sums[i%x.classes]
		}
		return p
	}
	x.words = draw(x.rows, 1/float64(x.classes))
	x.contexts = draw(x.columns, 1)
	x.active = newActive(x.rows.Len(), x.classes)
}

// blockRows is how many rows are summed before blocks are added, in their order, whatever the number
// of workers.
const blockRows = 64

// sums is what a block of words adds up to.
type sums struct {
	likelihood float64
	classes    []float64
}

// step is one iteration of EM; it returns the log-likelihood before it, Σ n(w,f) ln p(w,f).
//
//	E: r(a|w,f) = p(a) p(w|a) p(f|a) / p(w,f)
//	M: p(a) = Σ_{w,f} n r / Σ n;  p(w|a) ∝ Σ_f n r;  p(f|a) ∝ Σ_w n r
//
// With q = n(w,f)/p(w,f), Σ_f n r = p(a) p(w|a) Σ_f q p(f|a), so that words and contexts are updated one
// after the other, each on its own, without the responsibilities being kept.
func (x *mixture) step(ctx context.Context) (float64, error) {
	blocks := make([]sums, (x.rows.Len()+blockRows-1)/blockRows)
	updated := make([]float64, len(x.words))
	err := x.parallel(ctx, x.rows.Len(), func(block, from, to int) {
		s := sums{classes: make([]float64, x.classes)}
		for w := from; w < to; w++ {
			s.likelihood += x.word(w, updated[w*x.classes:(w+1)*x.classes])
			for a, v := range updated[w*x.classes : (w+1)*x.classes] {
				s.classes[a] += v
			}
		}
		blocks[block] = s
	})
	if err != nil {
		return 0, err
	}
	likelihood, masses := 0.0, make([]float64, x.classes)
	for _, b := range blocks {
		likelihood += b.likelihood
		for a, v := range b.classes {
			masses[a] += v
		}
	}
	err = x.parallel(ctx, x.columns.Len(), func(_, from, to int) {
		acc := make([]float64, x.classes)
		for f := from; f < to; f++ {
			x.context(f, masses, acc)
		}
	})
	if err != nil {
		return 0, err
	}
	n := 0.0
	for _, v := range masses {
		n += v
	}
	for i := range updated {
		updated[i] /= n
	}
	x.words = updated
	return likelihood, x.parallel(ctx, x.rows.Len(), func(_, from, to int) { x.drop(from, to) })
}

// word finds the q of the cells of a word, fills the expected numbers of the word in each class and
// returns Σ_f n ln p(w,f).
func (x *mixture) word(w int, out []float64) float64 {
	ids, counts := x.rows.Row(w)
	at, p, likelihood := x.rows.Start[w], x.words[w*x.classes:(w+1)*x.classes], 0.0
	classes := x.active.of(w)
	for k, f := range ids {
		c := x.contexts[int(f)*x.classes : (int(f)+1)*x.classes]
		s := 0.0
		if classes == nil {
			s = optimize.Dot(p, c)
		} else {
			for _, a := range classes {
				s += p[a] * c[a]
			}
		}
		s = max(s, math.SmallestNonzeroFloat64)
		likelihood += counts[k] * math.Log(s)
		q := min(counts[k]/s, math.MaxFloat64)
		x.q[at+k] = q
		if classes == nil {
			axpy(q, c, out)
			continue
		}
		for _, a := range classes {
			out[a] += q * c[a]
		}
	}
	for a, v := range p {
		out[a] *= v
	}
	return likelihood
}

// context updates p(f|a), with the words as they were when q was found.
func (x *mixture) context(f int, masses, acc []float64) {
	clear(acc)
	for k := x.columns.Start[f]; k < x.columns.Start[f+1]; k++ {
		w, q := int(x.columns.IDs[k]), x.q[x.place[k]]
		p := x.words[w*x.classes : (w+1)*x.classes]
		classes := x.active.of(w)
		if classes == nil {
			axpy(q, p, acc)
			continue
		}
		for _, a := range classes {
			acc[a] += q * p[a]
		}
	}
	row, total := x.contexts[f*x.classes:(f+1)*x.classes], 0.0
	for a := range row {
		row[a] *= acc[a]
		total += row[a]
	}
	for a := range row {
		if row[a] < x.prune*total || masses[a] == 0 {
			row[a] = 0
			continue
		}
		row[a] /= masses[a]
	}
}

// drop leaves out the classes of words whose posterior has become too small.
func (x *mixture) drop(from, to int) {
	for w := from; w < to; w++ {
		row, total := x.words[w*x.classes:(w+1)*x.classes], 0.0
		for _, v := range row {
			total += v
		}
		for a, v := range row {
			if v < x.prune*total {
				row[a] = 0
			}
		}
		x.active.update(w, row)
	}
}

// parallel divides rows into blocks and hands each to a worker.
func (x *mixture) parallel(ctx context.Context, rows int, do func(block, from, to int)) error {
	return parallel.For(ctx, x.workers, parallel.Blocks(rows, blockRows), func(_, b int) error {
		from, to := parallel.Block(b, rows, blockRows)
		do(b, from, to)
		return nil
	})
}

// active is the classes of each word, where they are few enough for a list to be faster.
type active struct{ lists [][]uint32 }

// listed is the share of classes up to which a list is faster than all of them.
const listed = 0.5

func newActive(words, classes int) active { return active{make([][]uint32, words)} }

// of returns the classes of a word, nil for all.
func (a active) of(w int) []uint32 { return a.lists[w] }

func (a active) update(w int, row []float64) {
	n := 0
	for _, v := range row {
		if v != 0 {
			n++
		}
	}
	if float64(n) > listed*float64(len(row)) || a.lists[w] != nil && len(a.lists[w]) == n {
		return
	}
	list := a.lists[w][:0]
	if list == nil {
		list = make([]uint32, 0, n)
	}
	for k, v := range row {
		if v != 0 {
			list = append(list, uint32(k))
		}
	}
	a.lists[w] = list
}

// axpy adds q·a to b.
func axpy(q float64, a, b []float64) {
	b = b[:len(a)]
	for i, v := range a {
		b[i] += q * v
	}
}

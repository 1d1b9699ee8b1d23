package latentclasses

import (
	"context"
	"math"
	"sync"
	"sync/atomic"

	"parlance/algo/lexical/cooccurrence"
	"parlance/algo/numeric/optimize"
	"parlance/algo/numeric/parallel"
)

// One iteration of EM is a map and a reduce. The parameters are p(f|a), and for each word p(a) p(w|a), which nothing
// but its own contexts tell of: so words are cut into shards, each with its words' parameters, and all that shards must
// add up is, for each context, how often it stands with each class.
//
//	map, a shard     E: r(a|w,f) = p(a) p(w|a) p(f|a) / p(w,f)        p(w,f) = Σ_a p(a) p(w|a) p(f|a)
//	                 M: p(a) p(w|a) = Σ_f n r / Σ n                   of its own words
//	                 Sums: Σ_w n r for each f and a, Σ n ln p(w,f)
//	reduce           Sums of all shards;  M: p(f|a) = Σ_w n r / Σ_f Σ_w n r
//
// Sums are whole numbers of a quantum 2^-k, with k as large as all counts together allow. They are added exactly, in
// any order: so all numbers of workers and of shards give the same bytes.

// Contexts is the parameters that shards share.
type Contexts struct {
	Classes int
	p       []float64 // p(f|a) by context and class
	start   []float64 // by class: what the draws of words are multiplied with at the first iteration, nil later
}

// Sums is what shards add up to.
type Sums struct {
	counts     []int64 // Σ_w n r by context and class, in quanta
	classes    []int64 // of a start: sums of the draws of words by class
	likelihood int64   // Σ n ln p(w,f)
	skipped    int64   // pairs that no class foresees, left out
}

// Shard is words with their contexts and parameters.
type Shard struct {
	rows     *cooccurrence.Index // of each word its contexts, by their numbers in all shards
	names    []string
	contexts int
	total    float64   // Σ n of all shards
	words    []float64 // p(a) p(w|a) by word and class
	active   active    // classes of each word with a probability
}

// Cut divides the words of counts among n shards, as equal in pairs as ranges of words allow.
func Cut(m *cooccurrence.Matrix, shards int) []*Shard {
	all := &Shard{rows: m.Rows, names: m.Words, contexts: len(m.Contexts)}
	for _, n := range m.Rows.Counts {
		all.total += n
	}
	return all.cut(shards)
}

// cut divides a shard among n, with the parameters of the words if there are any.
func (s *Shard) cut(shards int) []*Shard {
	from, out := 0, make([]*Shard, 0, shards)
	for i := range shards {
		to := from
		for to < len(s.names) && (i+1 == shards || s.rows.Start[to] < (i+1)*len(s.rows.IDs)/shards) {
			to++
		}
		start, first := make([]int, to-from+1), s.rows.Start[from]
		for w := range start {
			start[w] = s.rows.Start[from+w] - first
		}
		end := s.rows.Start[to]
		rows := &cooccurrence.Index{Start: start, IDs: s.rows.IDs[first:end], Counts: s.rows.Counts[first:end]}
		part := &Shard{rows: rows, names: s.names[from:to], contexts: s.contexts, total: s.total}
		if len(s.words) > 0 {
			classes := len(s.words) / len(s.names)
			part.words = s.words[from*classes : to*classes]
		}
		out, from = append(out, part), to
	}
	return out
}

// quanta is how many of them are 1: a power of two, so that all counts together, and their logarithms, fit.
func quanta(total float64) (counts, likelihoods float64) {
	_, exp := math.Frexp(total + 1)
	return math.Ldexp(1, 61-exp), math.Ldexp(1, 61-exp-11)
}

// blockRows is how many words or contexts a worker takes at once.
const blockRows = 64

// mapping is the shared state of a map.
type mapping struct {
	s       *Shard
	c       *Contexts
	sums    *Sums
	prune   float64
	locks   []sync.Mutex // of contexts, nil with one worker
	quantum float64
	ln      float64 // quanta of the likelihood
}

const stripes = 1 << 12

// Map does one iteration for the words of the shard, whose parameters it changes, and adds what comes of them to the
// sums. Classes with a smaller share of a word than prune are left out for good.
func (s *Shard) Map(ctx context.Context, c *Contexts, sums *Sums, prune float64, workers int) error {
	if sums.counts == nil {
		sums.counts = make([]int64, len(c.p))
	}
	m := &mapping{s: s, c: c, prune: prune, sums: sums}
	m.quantum, m.ln = quanta(s.total)
	if workers > 1 {
		m.locks = make([]sync.Mutex, stripes)
	}
	room := make([]scratch, max(workers, 1))
	return parallel.For(ctx, workers, parallel.Blocks(s.rows.Len(), blockRows), func(worker, b int) error {
		r := &room[worker]
		if r.out == nil {
			all := make([]float64, 4*c.Classes)
			r.out, r.scaled, r.p, r.seen = all[:c.Classes], all[c.Classes:2*c.Classes], all[2*c.Classes:3*c.Classes],
				all[3*c.Classes:]
		}
		r.likelihood, r.skipped = 0, 0
		from, to := parallel.Block(b, s.rows.Len(), blockRows)
		for w := from; w < to; w++ {
			m.word(w, r)
		}
		atomic.AddInt64(&m.sums.likelihood, r.likelihood)
		atomic.AddInt64(&m.sums.skipped, r.skipped)
		return nil
	})
}

// scratch is the memory of a worker.
type scratch struct {
	// By class, or by place in the list of a word's classes; p and seen for lists alone.
	out, scaled, p, seen []float64
	likelihood           int64
	skipped              int64
}

// least is the least p(w,f) that is divided by.
const least = 1e-290

// word does the iteration for a word.
func (m *mapping) word(w int, r *scratch) {
	k := m.c.Classes
	p := m.s.words[w*k : (w+1)*k]
	if m.c.start != nil {
		for a, v := range m.c.start {
			p[a] *= v
		}
	}
	classes := m.s.active.of(w)
	r.begin(p, classes, m.quantum)
	ids, counts := m.s.rows.Row(w)
	for i, f := range ids {
		at := int(f) * k
		m.pair(p, m.c.p[at:at+k], m.sums.counts[at:at+k], classes, counts[i], int(f), r)
	}
	if m.s.active.maximise(w, p, r.out, 1/m.s.total, m.prune) {
		m.s.active.update(w, p)
	}
}

// begin prepares the memory for a word.
func (r *scratch) begin(p []float64, classes []uint32, quantum float64) {
	if classes != nil {
		for i, a := range classes {
			r.out[i], r.p[i], r.scaled[i] = 0, p[a], p[a]*quantum
		}
		return
	}
	clear(r.out)
	for a, v := range p {
		r.scaled[a] = v * quantum
	}
}

// pair adds the pair of a word and a context.
//
//	x(a) = n p(f|a) / p(w,f);   out(a) += x(a);   sum(a) += p(a) p(w|a) x(a)
func (m *mapping) pair(p, c []float64, sum []int64, classes []uint32, n float64, f int, r *scratch) {
	s := 0.0
	if classes == nil {
		s = optimize.Dot(p, c)
	} else {
		seen, p := r.seen[:len(classes)], r.p[:len(classes)]
		for i, a := range classes {
			seen[i] = c[a]
			s += p[i] * seen[i]
		}
	}
	r.likelihood += int64(n * math.Log(max(s, least)) * m.ln)
	if s < least {
		r.skipped++
		return
	}
	q := n / s
	if m.locks != nil {
		m.locks[f%stripes].Lock()
	}
	if classes == nil {
		addDense(q, c, r.scaled, r.out, sum)
	} else {
		seen, out, scaled := r.seen[:len(classes)], r.out[:len(classes)], r.scaled[:len(classes)]
		for i, a := range classes {
			x := q * seen[i]
			out[i] += x
			sum[a] += int64(x * scaled[i])
		}
	}
	if m.locks != nil {
		m.locks[f%stripes].Unlock()
	}
}

// addDense does the sums of a pair for all classes.
func addDense(q float64, c, scaled, out []float64, sum []int64) {
	scaled, out, sum = scaled[:len(c)], out[:len(c)], sum[:len(c)]
	for a, v := range c {
		x := q * v
		out[a] += x
		sum[a] += int64(x * scaled[a])
	}
}

// find finds the classes of words with a probability anew.
func (s *Shard) find(classes int) {
	for w := range s.rows.Len() {
		s.active.update(w, s.words[w*classes:(w+1)*classes])
	}
}

// Add adds the sums of another shard. New sums are 0 throughout.
func (s *Sums) Add(o *Sums) {
	if s.counts == nil {
		s.counts, s.classes = make([]int64, len(o.counts)), make([]int64, len(o.classes))
	}
	addCounts(s.counts, o.counts)
	addCounts(s.classes, o.classes)
	s.likelihood += o.likelihood
	s.skipped += o.skipped
}

// Reduce makes the parameters for the next iteration of the sums of all shards, in the place of those of this one, and
// returns the log-likelihood before it. Classes with a smaller share of a context than prune are left out for good. The
// sums are 0 behind it.
func (s *Sums) Reduce(ctx context.Context, c *Contexts, total, prune float64, workers int) (float64, error) {
	_, ln := quanta(total)
	likelihood, k := float64(s.likelihood)/ln, c.Classes
	blocks := parallel.Blocks(len(s.counts)/k, blockRows)
	masses, parts := make([]int64, k), make([][]int64, blocks)
	err := parallel.Reduce(ctx, workers, blocks, func(_, b int) error {
		parts[b] = make([]int64, k)
		from, to := parallel.Block(b, len(s.counts)/k, blockRows)
		for f := from; f < to; f++ {
			addCounts(parts[b], s.counts[f*k:(f+1)*k])
		}
		return nil
	}, func(b int) {
		addCounts(masses, parts[b])
		parts[b] = nil
	})
	if err != nil {
		return 0, err
	}
	inverse := make([]float64, k)
	for a, v := range masses {
		if v > 0 {
			inverse[a] = 1 / float64(v)
		}
	}
	c.start = nil
	s.likelihood, s.skipped = 0, 0
	return likelihood, parallel.For(ctx, workers, blocks, func(_, b int) error {
		from, to := parallel.Block(b, len(s.counts)/k, blockRows)
		for f := from; f < to; f++ {
			maximiseContext(c.p[f*k:(f+1)*k], s.counts[f*k:(f+1)*k], inverse, prune)
		}
		return nil
	})
}

// maximiseContext makes p(f|a) of the sums of a context, which are 0 then.
func maximiseContext(p []float64, counts []int64, inverse []float64, prune float64) {
	sum := int64(0)
	for _, v := range counts {
		sum += v
	}
	limit := prune * float64(sum)
	for a, v := range counts {
		p[a] = 0
		if x := float64(v); v > 0 && x >= limit {
			p[a] = x * inverse[a]
		}
		counts[a] = 0
	}
}

func addCounts(to, from []int64) {
	to = to[:len(from)]
	for a, v := range from {
		to[a] += v
	}
}

// active is the classes of each word, where they are few enough for a list to be faster.
type active struct{ lists [][]uint32 }

// listed is the share of classes up to which a list is faster than all of them.
const listed = 0.25

func newActive(words int) active { return active{make([][]uint32, words)} }

// of returns the classes of a word, nil for all.
func (a active) of(w int) []uint32 { return a.lists[w] }

// maximise makes p(a) p(w|a) of a word of the sums of its pairs, and tells whether it has lost a class.
func (a active) maximise(w int, p, out []float64, scale, prune float64) bool {
	sum, lost := 0.0, false
	if classes := a.lists[w]; classes != nil {
		for i, k := range classes {
			p[k] *= out[i] * scale
			sum += p[k]
		}
		for _, k := range classes {
			if p[k] < prune*sum {
				p[k] = 0
			}
			lost = lost || p[k] == 0
		}
		return lost
	}
	for k, v := range out {
		p[k] *= v * scale
		sum += p[k]
	}
	for k, v := range p {
		if v < prune*sum {
			p[k] = 0
		}
		lost = lost || p[k] == 0
	}
	return lost
}

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

package aligner

import (
	"context"
	"math"
	"slices"

	"parlance/algo/numeric/parallel"
)

// Sentences are taken in batches of about this many cells, and in blocks within; neither depends on the workers.
const (
	cellsOfBatch = 1 << 20
	block        = 32
)

// parameters are those of one round besides the table: of an HMM, or of a prior by the diagonal.
type parameters struct {
	chain    bool // an HMM
	hmm      [2]hmm
	diagonal [2]diagonal
}

// posteriors fills the posteriors of a sentence in a direction and returns the scales, whose logs sum up to that of the
// likelihood.
func (p *parameters) posteriors(d int, r *room, n, m int, st *statistics, distances *float64) []float64 {
	if p.chain {
		return p.hmm[d].posteriors(r, n, m, st)
	}
	return p.diagonal[d].posteriors(r, n, m, distances)
}

func (p *parameters) best(d int, r *room, n, m int, path []int) {
	if p.chain {
		p.hmm[d].best(r, n, m, path)
		return
	}
	p.diagonal[d].best(r, n, m, path)
}

// trainer runs expectation-maximisation.
type trainer struct {
	c       *corpus
	t       *table
	x       *cells
	counts  *counts
	p       *parameters
	joint   bool
	workers int
	rooms   [][2]room

	batchCells int

	post  [2][]float32 // of the cells of a batch; where the directions agree, the first has products
	null  [2][]float32 // of the words of a batch: that they come from none
	sizes map[lengths]float64
	order []lengths
}

func newTrainer(c *corpus, t *table, x *cells, workers int) *trainer {
	r := &trainer{c: c, t: t, x: x, workers: max(1, workers), batchCells: cellsOfBatch, sizes: map[lengths]float64{}}
	r.rooms = make([][2]room, r.workers)
	for k := range c.size() {
		r.sizes[lengths{len(c.sentence(source, k)), len(c.sentence(target, k))}]++
	}
	for s := range r.sizes {
		r.order = append(r.order, s)
	}
	slices.SortFunc(r.order, func(a, b lengths) int {
		if a.n != b.n {
			return a.n - b.n
		}
		return a.m - b.m
	})
	return r
}

// outcome is what a block of sentences adds up.
type outcome struct {
	log, distance, links [2]float64
	jumps                [2]statistics
}

func (o *outcome) add(b *outcome) {
	for d := range o.log {
		o.log[d] += b.log[d]
		o.distance[d] += b.distance[d]
		o.links[d] += b.links[d]
		o.jumps[d].add(&b.jumps[d])
	}
}

// round is one round of EM, and returns the log likelihood of both directions before it. Where they agree, both take
//
//	q(i,j) = p1(a_j = i) p2(b_i = j)
//
// for expected links, and 1 − Σ q for words from none (Liang, Taskar and Klein 2006, sec. 3.2).
func (r *trainer) round(ctx context.Context, alpha float64) (float64, error) {
	var all outcome
	r.counts.reset()
	for from := 0; from < r.c.size(); {
		to := from + 1
		for to < r.c.size() && r.x.at[to+1]-r.x.at[from] <= r.batchCells {
			to++
		}
		blocks := make([]outcome, parallel.Blocks(to-from, block))
		r.batch(from, to)
		err := parallel.Reduce(ctx, r.workers, len(blocks), func(w, b int) error {
			first, last := parallel.Block(b, to-from, block)
			for k := from + first; k < from+last; k++ {
				r.sentence(&r.rooms[w], from, k, &blocks[b])
				if k&7 == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
			}
			return nil
		}, func(b int) { all.add(&blocks[b]) })
		if err != nil {
			return 0, err
		}
		r.gather(from, to)
		from = to
	}
	r.t.maximise(r.counts, alpha)
	r.maximise(&all)
	return all.log[0] + all.log[1], ctx.Err()
}

// batch makes room for the posteriors of sentences.
func (r *trainer) batch(from, to int) {
	for d := range r.post {
		n := r.x.at[to] - r.x.at[from]
		if cap(r.post[d]) < n {
			r.post[d] = make([]float32, n+n/8)
		}
		words := r.c.starts[1-d][to] - r.c.starts[1-d][from]
		if cap(r.null[d]) < words {
			r.null[d] = make([]float32, words+words/4)
		}
		r.null[d] = r.null[d][:words]
	}
}

// sentence computes the posteriors of a sentence, in the batch that begins at from.
func (r *trainer) sentence(rooms *[2]room, from, k int, o *outcome) {
	sources, targets := r.c.sentence(source, k), r.c.sentence(target, k)
	n, m := len(sources), len(targets)
	entries := r.x.entries[r.x.at[k]:r.x.at[k+1]]
	at := r.x.at[k] - r.x.at[from]
	for d := range rooms {
		of, by := n, m
		if d == 1 {
			of, by = m, n
		}
		q := &rooms[d]
		q.positions(of, by)
		r.t.emissions(d, q, entries, sources, targets)
		for _, s := range r.p.posteriors(d, q, of, by, &o.jumps[d], &o.distance[d]) {
			o.log[d] += math.Log(s)
		}
		o.links[d] += float64(by) - sum(q.nullPost)
	}
	if r.joint {
		r.agree(rooms, from, k, n, m)
		return
	}
	for i := range n {
		for j := range m {
			r.post[0][at+i*m+j] = float32(rooms[0].post[j*n+i])
			r.post[1][at+i*m+j] = float32(rooms[1].post[i*m+j])
		}
	}
	for d := range rooms {
		null := r.null[d][r.c.starts[1-d][k]-r.c.starts[1-d][from]:]
		for i, p := range rooms[d].nullPost {
			null[i] = float32(p)
		}
	}
}

// agree keeps the products of both posteriors.
func (r *trainer) agree(rooms *[2]room, from, k, n, m int) {
	at := r.x.at[k] - r.x.at[from]
	targets := r.null[0][r.c.starts[target][k]-r.c.starts[target][from]:][:m]
	sources := r.null[1][r.c.starts[source][k]-r.c.starts[source][from]:][:n]
	for j := range targets {
		targets[j] = 1
	}
	for i := range sources {
		rest := float32(1)
		for j := range targets {
			q := float32(rooms[0].post[j*n+i] * rooms[1].post[i*m+j])
			r.post[0][at+i*m+j] = q
			rest -= q
			targets[j] -= q
		}
		sources[i] = max(rest, 0)
	}
	for j := range targets {
		targets[j] = max(targets[j], 0)
	}
}

// gather adds the posteriors of a batch to the counts. Each worker has entries of its own, to which it adds in the
// order of the sentences.
func (r *trainer) gather(from, to int) {
	entries := r.x.entries[r.x.at[from]:r.x.at[to]]
	parts := r.workers
	parallel.Each(r.workers, parts, func(_, part int) {
		a, b := parallel.Shard(part, len(r.t.targets), parts)
		low, high := uint32(a), uint32(b)
		for d, links := range r.counts.links {
			if d == 1 && r.joint {
				break
			}
			for i, p := range r.post[d][:len(entries)] {
				if e := entries[i]; e >= low && e < high {
					links[e] += float64(p)
				}
			}
		}
	})
	for d, null := range r.counts.null {
		words := r.c.words[1-d][r.c.starts[1-d][from]:r.c.starts[1-d][to]]
		for i, p := range r.null[d] {
			null[words[i]] += float64(p)
		}
	}
}

// maximise estimates what is not in the table.
func (r *trainer) maximise(o *outcome) {
	for d := range o.jumps {
		switch {
		case r.p.chain:
			r.p.hmm[d].maximise(&o.jumps[d])
		case r.p.diagonal[d].Lambda > 0:
			order, sizes := r.order, r.sizes
			if d == 1 {
				order, sizes = swapped(order, sizes)
			}
			r.p.diagonal[d].maximise(o.distance[d], o.links[d], sizes, order)
		}
	}
}

func swapped(order []lengths, sizes map[lengths]float64) ([]lengths, map[lengths]float64) {
	turned := make(map[lengths]float64, len(sizes))
	list := make([]lengths, len(order))
	for i, s := range order {
		list[i] = lengths{s.m, s.n}
		turned[list[i]] = sizes[s]
	}
	return list, turned
}

// least stands for probabilities that are smaller, so that no sentence is impossible.
const least = 1e-10

// emissions fills the probabilities of the words of a sentence in a direction, from the entries of its cells.
func (t *table) emissions(d int, r *room, entries []uint32, sources, targets []uint32) {
	n, m := len(sources), len(targets)
	prob := t.prob[d]
	observed := targets
	if d == 0 {
		for i := range n {
			for j, e := range entries[i*m : (i+1)*m] {
				r.emit[j*n+i] = max(float64(prob[e]), least)
			}
		}
	} else {
		observed = sources
		for i, e := range entries {
			r.emit[i] = max(float64(prob[e]), least)
		}
	}
	for i, w := range observed {
		r.none[i] = max(float64(t.null[d][w]), least)
	}
}

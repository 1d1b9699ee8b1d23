package transe

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"parlance/algo/kb/triples"
	"parlance/algo/kind"
	"parlance/algo/numeric/parallel"
)

// chunk is how many pairs share a stream of random numbers.
const chunk = 128

// trainer descends on the hinge loss
//
//	Σ weight · max(0, margin + d(fact) − d(corrupted fact))
//
// over facts and their corruptions (Bordes et al. 2013, eq. 1), the mean where a fact has several.
type trainer struct {
	*model
	data    *triples.Data
	known   *triples.Index // of what corrupted triples may not be, or nil
	first   []float64      // chance that the subject is replaced, by relation
	workers int
	seed    uint64
	order   []int32 // of facts
	pairs   []pair
	good    []float64 // gradients of the pairs of a batch
	bad     []float64
}

// pair is a fact and a corruption of it.
type pair struct {
	fact   int32
	bad    triples.Triple
	active bool
	loss   float64
}

func (m *model) trainer(d *triples.Data, known []triples.Triple, t *kind.Training) *trainer {
	tr := &trainer{model: m, data: d, workers: max(1, t.Workers), seed: t.Seed, first: make([]float64, d.Relations.Len())}
	for r := range tr.first {
		tr.first[r] = 0.5
	}
	if m.opt.corruption == "bernoulli" {
		tr.bernoulli()
	}
	if m.opt.filtered {
		known = append(known, d.Facts...)
	}
	if len(known) > 0 {
		tr.known = triples.NewIndex(d.Relations.Len(), known)
	}
	tr.order = make([]int32, len(d.Facts))
	size := (len(d.Facts) + m.opt.batches - 1) / m.opt.batches * m.opt.corruptions
	tr.pairs = make([]pair, size)
	tr.good, tr.bad = make([]float64, size*m.dim), make([]float64, size*m.dim)
	return tr
}

// bernoulli sets the chance that the subject is replaced to
//
//	tph / (tph + hpt)
//
// where tph is the mean number of objects a subject of the relation and hpt that of subjects an
// object (Wang et al. 2014, section 3).
func (tr *trainer) bernoulli() {
	type key struct {
		side     triples.Side
		relation int32
		entity   int32
	}
	seen, different := map[key]bool{}, make([][2]float64, len(tr.first))
	for _, t := range tr.data.Facts {
		for _, side := range []triples.Side{triples.Subject, triples.Object} {
			if k := (key{side, t.Relation, t.At(side)}); !seen[k] {
				seen[k] = true
				different[t.Relation][side]++
			}
		}
	}
	for r, n := range different { // tph = facts / subjects, hpt = facts / objects
		tr.first[r] = n[triples.Object] / (n[triples.Subject] + n[triples.Object])
	}
}

// epoch goes over all facts once, in an order drawn for it, and returns the loss.
func (tr *trainer) epoch(ctx context.Context, n int) (float64, error) {
	for i := range tr.order {
		tr.order[i] = int32(i)
	}
	r := rand.New(rand.NewPCG(tr.seed, uint64(n)<<32))
	r.Shuffle(len(tr.order), func(i, j int) { tr.order[i], tr.order[j] = tr.order[j], tr.order[i] })
	loss, size := 0.0, len(tr.pairs)/tr.opt.corruptions
	for from := 0; from < len(tr.order); from += size {
		part := tr.order[from:min(from+size, len(tr.order))]
		pairs := tr.pairs[:len(part)*tr.opt.corruptions]
		if err := tr.losses(ctx, uint64(n)<<32+uint64(from)+1, part, pairs); err != nil {
			return 0, err
		}
		if err := tr.update(ctx, pairs); err != nil {
			return 0, err
		}
		for _, p := range pairs {
			loss += p.loss
		}
	}
	tr.measure()
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return 0, fmt.Errorf("the training diverges in epoch %d; a lower rate than %v is wanted", n, tr.opt.rate)
	}
	return loss, nil
}

// losses draws the corruptions of a batch and takes the gradients of those that are too near.
func (tr *trainer) losses(ctx context.Context, stream uint64, part []int32, pairs []pair) error {
	return parallel.For(ctx, tr.workers, (len(pairs)+chunk-1)/chunk, func(_, c int) error {
		r := rand.New(rand.NewPCG(tr.seed+uint64(c+1)*0x9e3779b97f4a7c15, stream))
		for i := c * chunk; i < min((c+1)*chunk, len(pairs)); i++ {
			fact := part[i/tr.opt.corruptions]
			p := pair{fact: fact, bad: tr.corrupt(r, tr.data.Facts[fact])}
			d := tr.opt.margin + tr.distance(tr.data.Facts[fact]) - tr.distance(p.bad)
			if p.active = d > 0 && p.bad != tr.data.Facts[fact]; p.active {
				p.loss = tr.weight(fact) * d
				tr.gradient(tr.data.Facts[fact], tr.good[i*tr.dim:(i+1)*tr.dim])
				tr.gradient(p.bad, tr.bad[i*tr.dim:(i+1)*tr.dim])
			}
			if math.IsNaN(d) || math.IsInf(d, 0) {
				p.loss = math.NaN()
			}
			pairs[i] = p
		}
		return nil
	})
}

// tries is how often a corruption is drawn again that is a fact or the fact itself.
const tries = 50

// corrupt replaces the subject or the object of a fact.
func (tr *trainer) corrupt(r *rand.Rand, t triples.Triple) triples.Triple {
	out, n := t, int32(tr.Graph.Entities.Len())
	subject := r.Float64() < tr.first[t.Relation]
	for range tries {
		if subject {
			out.Subject = r.Int32N(n)
		} else {
			out.Object = r.Int32N(n)
		}
		if out != t && (tr.known == nil || !tr.known.Has(out)) {
			return out
		}
	}
	return t
}

// update moves the vectors against the gradients of a batch. Each worker owns entities and relations
// and adds up what concerns them in the order of the batch; entities then get length 1 again.
func (tr *trainer) update(ctx context.Context, pairs []pair) error {
	return parallel.For(ctx, tr.workers, tr.workers, func(_, w int) error {
		own := func(i int32) bool { return int(i)%tr.workers == w }
		var touched []int32
		owned := func(i int32) bool {
			if own(i) {
				touched = append(touched, i)
			}
			return own(i)
		}
		for i := range pairs {
			p := &pairs[i]
			if !p.active {
				continue
			}
			t, step := tr.data.Facts[p.fact], tr.opt.rate*tr.weight(p.fact)
			good, bad := tr.good[i*tr.dim:(i+1)*tr.dim], tr.bad[i*tr.dim:(i+1)*tr.dim]
			if own(t.Relation) {
				addDifference(tr.relation(t.Relation), -step, good, bad)
			}
			shared, sign := triples.Subject, -step
			if p.bad.Subject != t.Subject {
				shared, sign = triples.Object, step
			}
			if e := t.At(shared); owned(e) {
				addDifference(tr.entity(e), sign, good, bad)
			}
			if e := t.At(shared.Other()); owned(e) {
				add(tr.entity(e), -sign, good)
			}
			if e := p.bad.At(shared.Other()); owned(e) {
				add(tr.entity(e), sign, bad)
			}
		}
		slices.Sort(touched)
		for _, i := range slices.Compact(touched) {
			unit(tr.entity(i))
		}
		return nil
	})
}

// weight is that of a corruption of a fact.
func (tr *trainer) weight(fact int32) float64 {
	return tr.data.Weights[fact] / float64(tr.opt.corruptions)
}

// addDifference adds scale · (g − h).
func addDifference(v []float64, scale float64, g, h []float64) {
	g, h = g[:len(v)], h[:len(v)]
	for k := range v {
		v[k] += scale * (g[k] - h[k])
	}
}

// add adds scale · g.
func add(v []float64, scale float64, g []float64) {
	g = g[:len(v)]
	for k := range v {
		v[k] += scale * g[k]
	}
}

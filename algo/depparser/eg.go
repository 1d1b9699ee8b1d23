package depparser

import (
	"context"
	"math"
	"math/rand/v2"
)

// gradientDual is the exponentiated gradient method on the dual of a regularised objective,
//
//	C·Σ loss_i(w) + ½‖w‖²,  C = 1/l2
//
// (Collins, Globerson, Koo, Carreras and Bartlett 2008; Koo et al. 2007, figure 2): each sentence has a
// distribution over its trees, given by a number θ for each part, and the weights are those of the
// distributions, w = C·Σ_i Σ_parts (gold − μ_i)·f.
type gradientDual struct {
	c, initial float64
	margin     bool // the hinge loss, else the log-likelihood
	theta      [][]float64
	mu         [][]float64 // probabilities of parts under theta
	log        []float64   // ln Z of theta
	eta        float64     // of maxmargin: step, over C
	share      []float64   // of loglinear: s, by sentence
	squared    float64     // ‖w‖²
	last       float64     // dual objective of the last epoch
	next       []float64
	nextMu     []float64
}

// newDual begins with steps of one over C and the number of features of an arc, which is what a
// distribution moves the weights by.
func newDual(c, initial float64, margin bool, features, n int) *gradientDual {
	d := &gradientDual{c: c, initial: initial, margin: margin, theta: make([][]float64, n), mu: make([][]float64, n), log: make([]float64, n), eta: 1 / (c * float64(max(1, features))), last: math.Inf(-1)}
	for range n {
		d.share = append(d.share, 0.5)
	}
	return d
}

// start gives gold parts θ = initial and others 0, and makes the weights of that.
func (d *gradientDual) start(ctx context.Context, w *worker, items []*item, l *learner) error {
	for i, it := range items {
		if i&63 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		w.load(&it.sentence, it.keep)
		p := &w.parts
		d.theta[i], d.mu[i] = make([]float64, p.Len()), make([]float64, p.Len())
		w.gold = w.p.factorization.Parts(it.heads, w.gold[:0])
		var u update
		for _, x := range w.gold {
			if k := p.Number(x); k >= 0 {
				d.theta[i][k] = d.initial
			}
			u.g.add(x, d.c)
		}
		d.log[i], _ = w.summer.Marginals(p, d.theta[i], d.mu[i])
		for k, x := range p.All() {
			if d.mu[i][k] != 0 {
				u.g.add(x, -d.c*d.mu[i][k])
			}
		}
		d.apply(w, l, &u)
	}
	return nil
}

// epoch makes a step for each sentence and returns the dual objective.
func (d *gradientDual) epoch(ctx context.Context, w *worker, items []*item, l *learner, rng *rand.Rand) (float64, error) {
	objective := 0.0
	for k, i := range rng.Perm(len(items)) {
		if k&63 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		it := items[i]
		w.load(&it.sentence, it.keep)
		if d.margin {
			d.hinge(w, it, i, l)
		} else {
			d.likelihood(w, i, l)
		}
		objective += d.value(w, it, i)
	}
	objective -= d.squared / 2
	if d.margin && objective < d.last {
		d.eta /= 2
	}
	d.last = objective
	return objective, nil
}

// hinge: θ ← θ + η·C·(cost + w·f), where cost is 1 for an arc that is wrong.
func (d *gradientDual) hinge(w *worker, it *item, i int, l *learner) {
	p := &w.parts
	d.next = append(d.next[:0], d.theta[i]...)
	for k := range d.next {
		d.next[k] += d.eta * d.c * w.score[k]
	}
	for a, m := range p.Mod {
		if it.heads[m] != p.Head[a] {
			d.next[a] += d.eta * d.c
		}
	}
	d.move(w, i, l)
}

// likelihood: θ ← (1−s)·θ + s·w·f; s is halved until the dual of the sentence does not fall.
func (d *gradientDual) likelihood(w *worker, i int, l *learner) {
	old := d.c*d.entropy(i) - d.squared/2
	before := append([]float64(nil), d.theta[i]...)
	for range 30 {
		d.next = append(d.next[:0], before...)
		for k := range d.next {
			d.next[k] += d.share[i] * (w.score[k] - before[k])
		}
		d.move(w, i, l)
		if d.c*d.entropy(i)-d.squared/2 >= old-1e-12*math.Abs(old) {
			return
		}
		d.share[i] /= 2
		d.next = append(d.next[:0], before...)
		d.move(w, i, l)
	}
}

// move takes next as the θ of a sentence and moves the weights by C·Σ (μ − μ')·f.
func (d *gradientDual) move(w *worker, i int, l *learner) {
	p := &w.parts
	d.nextMu = resize(d.nextMu, p.Len())
	d.log[i], _ = w.summer.Marginals(p, d.next, d.nextMu)
	var u update
	for k, x := range p.All() {
		if c := d.mu[i][k] - d.nextMu[k]; c != 0 {
			u.g.add(x, d.c*c)
		}
	}
	copy(d.theta[i], d.next)
	copy(d.mu[i], d.nextMu)
	d.apply(w, l, &u)
}

// apply adds an update to the weights as it is.
func (d *gradientDual) apply(w *worker, l *learner, u *update) {
	u.find(w)
	l.sum(u)
	d.squared += l.add(u, 1)
}

// value is what a sentence adds to the dual objective: C times the expected cost, or the entropy.
func (d *gradientDual) value(w *worker, it *item, i int) float64 {
	if !d.margin {
		return d.c * d.entropy(i)
	}
	sum := 0.0
	for a, m := range w.parts.Mod {
		if it.heads[m] != w.parts.Head[a] {
			sum += d.mu[i][a]
		}
	}
	return d.c * sum
}

// entropy of the distribution of a sentence: ln Z − Σ μ·θ.
func (d *gradientDual) entropy(i int) float64 {
	h := d.log[i]
	for k, x := range d.mu[i] {
		if x != 0 {
			h -= x * d.theta[i][k]
		}
	}
	return h
}

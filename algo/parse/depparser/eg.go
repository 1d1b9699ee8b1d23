package depparser

import (
	"context"
	"math"
	"math/rand/v2"

	"parlance/algo/numeric/buffer"
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
	mu         [][]float64 // probabilities of parts that the weights are made of: those under theta, to leastChange
	log        []float64   // ln Z of theta
	share      []float64   // length of the steps of a sentence, s
	squared    float64     // ‖w‖²
	next       []float64
	nextMu     []float64
	change     update // of the weights, from mu to nextMu
}

// leastChange is by how much the probability of a part changes before the weights do: most of the parts of a
// sentence have nearly none, and the cost of a step is that of the features of those that change.
const leastChange = 1e-6

// grow is what the step of a sentence is multiplied by, up to 1, after one that need not be shortened.
const grow = 2

// newDual begins with η = 1/C for the hinge loss (Koo et al. 2007, figure 2), with ½/C for the likelihood.
func newDual(c, initial float64, margin bool, n int) *gradientDual {
	d := &gradientDual{c: c, initial: initial, margin: margin, theta: make([][]float64, n), mu: make([][]float64, n),
		log: make([]float64, n)}
	for range n {
		if margin {
			d.share = append(d.share, 1)
		} else {
			d.share = append(d.share, 0.5)
		}
	}
	return d
}

// start gives gold parts θ = initial and others 0, and makes the weights of that: those of the gold trees
// themselves, μ = gold, are 0.
func (d *gradientDual) start(ctx context.Context, w *worker, items []*item, l *learner) error {
	for i, it := range items {
		w.load(ctx, &it.sentence, it.keep)
		if err := ctx.Err(); err != nil {
			return err
		}
		p := &w.parts
		d.theta[i], d.mu[i] = make([]float64, p.Len()), make([]float64, p.Len())
		w.gold = w.p.factorization.Parts(it.heads, w.gold[:0])
		for _, x := range w.gold {
			if k := p.Number(x); k >= 0 {
				d.theta[i][k], d.mu[i][k] = d.initial, 1
			}
		}
		d.next = append(d.next[:0], d.theta[i]...)
		d.log[i] = d.propose(w, i, l)
		d.accept(i, l)
	}
	return nil
}

// epoch makes a step for each sentence and returns the dual objective.
func (d *gradientDual) epoch(ctx context.Context, w *worker, items []*item, l *learner,
	rng *rand.Rand) (float64, error) {
	objective := 0.0
	for _, i := range rng.Perm(len(items)) {
		it := items[i]
		w.load(ctx, &it.sentence, it.keep)
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		d.step(w, it, i, l)
		objective += d.value(w, it, i)
	}
	return objective - d.squared/2, nil
}

// step moves the θ of a sentence, with s halved until its dual D does not fall:
//
//	likelihood: θ' = (1−s)·θ + s·w·f,      D = C·H(θ) − ½‖w‖²
//	hinge:      θ' = θ + s·(cost + w·f),   D = C·Σ μ·cost − ½‖w‖²,  cost is 1 for an arc that is wrong
//
// (s = η·C). ½‖w‖² grows by w·Δ + ½‖Δ‖², Δ = C·Σ (μ − μ')·f.
func (d *gradientDual) step(w *worker, it *item, i int, l *learner) {
	old, theta := d.value(w, it, i), d.theta[i]
	for try := range 30 {
		d.aim(w, it, theta, d.share[i])
		log := d.propose(w, i, l)
		product := 0.0
		for k, score := range w.score {
			product += d.c * (d.mu[i][k] - d.nextMu[k]) * score
		}
		gain := d.of(w, it, log, d.next, d.nextMu) - old - product - d.change.norm/2
		if gain >= -1e-12*math.Abs(old) {
			d.log[i] = log
			d.accept(i, l)
			if try == 0 {
				d.share[i] = min(1, grow*d.share[i])
			}
			return
		}
		d.share[i] /= 2
	}
}

// aim sets next for a step of s from theta.
func (d *gradientDual) aim(w *worker, it *item, theta []float64, s float64) {
	d.next = append(d.next[:0], theta...)
	if !d.margin {
		for k := range d.next {
			d.next[k] += s * (w.score[k] - theta[k])
		}
		return
	}
	for k := range d.next {
		d.next[k] += s * w.score[k]
	}
	for a, m := range w.parts.Mod {
		if it.heads[m] != w.parts.Head[a] {
			d.next[a] += s
		}
	}
}

// propose sets the probabilities under next and the change of the weights to them, C·Σ (μ − μ')·f, and
// returns ln Z.
func (d *gradientDual) propose(w *worker, i int, l *learner) float64 {
	p, u := &w.parts, &d.change
	d.nextMu = buffer.Resize(d.nextMu, p.Len())
	log, _ := w.summer.Marginals(p, d.next, d.nextMu)
	u.clear()
	for k, x := range p.All() {
		if c := d.mu[i][k] - d.nextMu[k]; math.Abs(c) > leastChange {
			u.g.add(x, d.c*c)
		} else {
			d.nextMu[k] = d.mu[i][k]
		}
	}
	u.find(w)
	u.pool(&l.rare)
	return log
}

// accept takes next as the θ of a sentence.
func (d *gradientDual) accept(i int, l *learner) {
	copy(d.theta[i], d.next)
	copy(d.mu[i], d.nextMu)
	d.squared += l.add(&d.change, 1, l.steps, 0, 1)
}

// value is what a sentence adds to the dual objective.
func (d *gradientDual) value(w *worker, it *item, i int) float64 {
	return d.of(w, it, d.log[i], d.theta[i], d.mu[i])
}

// of is C times the expected cost of a distribution, or its entropy, ln Z − Σ μ·θ.
func (d *gradientDual) of(w *worker, it *item, log float64, theta, mu []float64) float64 {
	if !d.margin {
		for k, x := range mu {
			if x != 0 {
				log -= x * theta[k]
			}
		}
		return d.c * log
	}
	sum := 0.0
	for a, m := range w.parts.Mod {
		if it.heads[m] != w.parts.Head[a] {
			sum += mu[a]
		}
	}
	return d.c * sum
}

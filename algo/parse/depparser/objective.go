package depparser

import (
	"math"

	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/tree"
	"parlance/algo/parse/tree/dual"
)

// gradient is what a sentence says of the weights: features of parts with their coefficients, the
// direction in which its loss falls.
type gradient struct {
	parts  []tree.Part
	coef   []float64
	labels []labelled // relations, where they are scored with the heads
	loss   float64    // of the objective, before the step
	wrong  int        // tokens with another head than the tree's

	places  []uint32 // features of histories, in the table of pairs
	weights []float64
}

func (g *gradient) reset() {
	g.parts, g.coef, g.loss, g.wrong = g.parts[:0], g.coef[:0], 0, 0
	g.labels = g.labels[:0]
	g.places, g.weights = g.places[:0], g.weights[:0]
}

func (g *gradient) add(x tree.Part, c float64) {
	g.parts, g.coef = append(g.parts, x), append(g.coef, c)
}

// objective is what training minimises, a loss of each sentence.
type objective interface {
	// gradient sets g for a sentence whose parts are scored. It may change the scores.
	gradient(w *worker, it *item, g *gradient)
}

// hinge is the structured hinge loss, max over trees z of score(z) + cost·(heads of z that are wrong)
// − score(gold); with cost 0 it is the loss of the perceptron.
type hinge struct{ cost float64 }

func (o hinge) gradient(w *worker, it *item, g *gradient) {
	p, score := &w.parts, w.score
	if o.cost > 0 {
		for a, m := range p.Mod {
			if it.heads[m] != p.Head[a] {
				score[a] += o.cost
			}
		}
		if w.joint != nil {
			w.joint.augment(it, p, score, o.cost)
		}
	}
	if d, ok := w.decoder.(*dual.Decoder); ok {
		o.independent(w, d, it, g)
		return
	}
	w.heads = buffer.Resize(w.heads, p.N+1)
	best, ok := w.decoder.Best(p, score, w.heads)
	if !ok {
		return
	}
	for m := 1; m <= p.N; m++ {
		if w.heads[m] != it.heads[m] {
			g.wrong++
		}
	}
	renamed := 0
	if w.joint != nil {
		renamed = w.joint.differ(it, p, w.heads, g)
	}
	if g.wrong+renamed == 0 {
		return
	}
	f := w.p.factorization
	w.gold, w.found = f.Parts(it.heads, w.gold[:0]), f.Parts(w.heads, w.found[:0])
	g.loss = best
	if w.memory != nil { // best is by the histories of the chart
		g.loss = 0
		for _, x := range w.found {
			g.loss += w.value(x)
		}
	}
	for _, x := range w.gold {
		g.loss -= w.value(x)
	}
	if w.joint != nil {
		g.loss -= w.joint.gold(it, p)
	}
	g.difference(w)
	if w.memory != nil {
		o.remember(w, it, g)
	}
}

// independent is the gradient of head automata, which choose modifiers and heads each for itself
// (Koo et al. 2010, section 6): no tree is searched in training.
func (o hinge) independent(w *worker, d *dual.Decoder, it *item, g *gradient) {
	var best float64
	w.found, best = d.Independent(&w.parts, w.score, w.found[:0])
	w.gold = w.p.factorization.Parts(it.heads, w.gold[:0])
	for _, x := range w.found {
		if x.Type == tree.Dep && it.heads[x.M] != x.H {
			g.wrong++
		}
	}
	g.loss = best
	for _, x := range w.gold {
		g.loss -= w.value(x)
	}
	g.difference(w)
}

// difference adds the parts that only one of two trees has.
func (g *gradient) difference(w *worker) {
	clear(w.common)
	for _, x := range w.found {
		w.common[x] = true
	}
	for _, x := range w.gold {
		if w.common[x] {
			w.common[x] = false
		} else {
			g.add(x, 1)
		}
	}
	for _, x := range w.found {
		if w.common[x] {
			g.add(x, -1)
		}
	}
}

// likelihood is −ln p(gold), p(y) = exp(score(y)) / Z over the trees of the candidate arcs.
type likelihood struct {
	least float64 // coefficients nearer to 0 are left out
}

func (o likelihood) gradient(w *worker, it *item, g *gradient) {
	p := &w.parts
	w.mu = buffer.Resize(w.mu, p.Len())
	z, ok := w.summer.Marginals(p, w.score, w.mu)
	if !ok {
		return
	}
	if w.joint != nil {
		w.joint.expect(it, p, w.mu, o.least, g)
	}
	w.gold = w.p.factorization.Parts(it.heads, w.gold[:0])
	g.loss = z
	for _, x := range w.gold {
		g.loss -= w.value(x)
		if i := p.Number(x); i >= 0 {
			w.mu[i]--
		} else {
			g.add(x, 1)
		}
	}
	if w.joint != nil {
		g.loss -= w.joint.gold(it, p)
	}
	for i, x := range p.All() {
		if math.Abs(w.mu[i]) > o.least {
			g.add(x, -w.mu[i])
		}
	}
}

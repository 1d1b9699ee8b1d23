package universalschema

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"parlance/algo/kb/triples"
)

// trainer descends on the loss over facts (r, p) and pairs q without r,
//
//	bpr       −log σ(θ(r, p) − θ(r, q))
//	logistic  −log σ(θ(r, p)) − log σ(−θ(r, q))
//
// with l2 on what a step changes; the loss is weighted by the fact, the mean over several q.
type trainer struct {
	*model
	data    *triples.Data
	besides *triples.Index // facts of the role known
	seed    uint64
	order   []int32
}

// tries is how often a pair is drawn again that has the relation.
const tries = 50

// epoch goes over all facts once, in an order drawn for it, and returns the loss before each step.
func (tr *trainer) epoch(ctx context.Context, n int) (float64, error) {
	r := rand.New(rand.NewPCG(tr.seed, uint64(n)))
	tr.order = tr.order[:0]
	for i := range tr.data.Facts {
		tr.order = append(tr.order, int32(i))
	}
	r.Shuffle(len(tr.order), func(i, j int) { tr.order[i], tr.order[j] = tr.order[j], tr.order[i] })
	loss := 0.0
	for i, f := range tr.order {
		if i%1024 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		fact, weight := tr.data.Facts[f], tr.data.Weights[f]/float64(tr.opt.corruptions)
		p := tr.pairs.find(fact.Subject, fact.Object)
		for range tr.opt.corruptions {
			if q := tr.draw(r, fact.Relation); q >= 0 {
				loss += weight * tr.step(fact.Relation, p, q, weight)
			}
		}
	}
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return 0, fmt.Errorf("the training diverges in epoch %d; rate = %v, l2 = %v or the weights of facts are too large", n,
			tr.opt.rate, tr.opt.l2)
	}
	return loss, nil
}

// draw returns a pair without the relation, -1 if none is found.
func (tr *trainer) draw(r *rand.Rand, relation int32) int32 {
	for range tries {
		q := r.Int32N(int32(len(tr.pairs.object)))
		_, has := slices.BinarySearch(tr.pairs.relations(q), relation)
		if !has && !tr.besides.Has(triples.Triple{Subject: tr.pairs.subject[q], Relation: relation,
			Object: tr.pairs.object[q]}) {
			return q
		}
	}
	return -1
}

// step moves against the gradient of the loss of a pair with and one without the relation, and
// returns the loss before.
func (tr *trainer) step(relation, p, q int32, weight float64) float64 {
	with, without := tr.score(relation, p), tr.score(relation, q)
	var up, down, loss float64 // slopes of −loss in both scores
	if tr.opt.loss == "bpr" {
		up = sigmoid(without - with)
		down, loss = -up, softplus(without-with)
	} else {
		up, down = sigmoid(-with), -sigmoid(without)
		loss = softplus(-with) + softplus(without)
	}
	tr.move(relation, p, q, tr.opt.rate*weight*up, tr.opt.rate*weight*down, tr.opt.rate*tr.opt.l2)
	return loss
}

func (tr *trainer) score(relation, pair int32) float64 {
	return tr.known(relation, pair) + tr.at(triples.Subject, relation, tr.pairs.subject[pair]) + tr.at(triples.Object,
		relation, tr.pairs.object[pair])
}

// move adds up times the gradient of θ(r, p) and down times that of θ(r, q), and shrinks what it
// changes.
func (tr *trainer) move(relation, p, q int32, up, down, shrink float64) {
	if tr.Pair != nil {
		factors(row(tr.Column, relation, tr.dim), row(tr.Pair, p, tr.dim), row(tr.Pair, q, tr.dim), up, down, shrink)
	}
	if tr.Neighbour != nil {
		w := row(tr.Neighbour, relation, tr.relations)
		for i, pair := range []int32{p, q} {
			for _, r := range tr.pairs.relations(pair) {
				if r != relation {
					w[r] += []float64{up, down}[i] - shrink*w[r]
				}
			}
		}
	}
	if tr.Entity == nil {
		return
	}
	for side, of := range [][]int32{tr.pairs.subject, tr.pairs.object} {
		factors(row(tr.Place[side], relation, tr.dim), row(tr.Entity, of[p], tr.dim), row(tr.Entity, of[q], tr.dim),
			up, down, shrink)
	}
}

// factors moves a, x and y by up · ∇(a·x) + down · ∇(a·y); x and y may be the same row.
func factors(a, x, y []float64, up, down, shrink float64) {
	x, y = x[:len(a)], y[:len(a)]
	for k := range a {
		ak, xk, yk := a[k], x[k], y[k]
		a[k] += up*xk + down*yk - shrink*ak
		x[k] += up*ak - shrink*xk
		y[k] += down*ak - shrink*yk
	}
}

// sigmoid is 1 / (1 + exp(−x)).
func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// softplus is log(1 + exp(x)).
func softplus(x float64) float64 {
	if x > 0 {
		return x + math.Log1p(math.Exp(-x))
	}
	return math.Log1p(math.Exp(x))
}

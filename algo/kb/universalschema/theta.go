package universalschema

import (
	"context"
	"math/rand/v2"
	"strings"

	"parlance/algo/kb/triples"
	"parlance/algo/kind"
)

// theta holds the parameters of the score of relation r for a pair p of entities s and o (Riedel et
// al. 2013, section 2.2):
//
//	θ(r, p) = v_p·a_r + Σ_{r' of p, r' ≠ r} w_{r,r'} + d_{r,1}·t_s + d_{r,2}·t_o
//
// Parts that are not asked for are nil. A pair without a fact has the last two terms only.
type theta struct {
	dim       int
	relations int
	pairs     pairs
	Pair      []float64    `state:"pair_factors,finite"`     // v
	Column    []float64    `state:"relation_factors,finite"` // a
	Neighbour []float64    `state:"neighbours,finite"`       // w, a row a relation
	Place     [2][]float64 `state:"place_factors,finite"`
	Entity    []float64    `state:"entity_factors,finite"` // t
}

func newTheta(g *triples.Graph, parts string, dim int) theta {
	n, m := g.Entities.Len(), g.Relations.Len()
	t := theta{dim: dim, relations: m, pairs: newPairs(g)}
	if strings.Contains(parts, "f") {
		t.Pair, t.Column = make([]float64, len(t.pairs.object)*dim), make([]float64, m*dim)
	}
	if strings.Contains(parts, "n") {
		t.Neighbour = make([]float64, m*m)
	}
	if strings.Contains(parts, "e") {
		t.Place = [2][]float64{make([]float64, m*dim), make([]float64, m*dim)}
		t.Entity = make([]float64, n*dim)
	}
	return t
}

// parameters lists all, in the order of sections.
func (t *theta) parameters() [][]float64 {
	return [][]float64{t.Pair, t.Column, t.Neighbour, t.Place[0], t.Place[1], t.Entity}
}

// start draws the factors from a normal distribution of deviation 0.1; weights of neighbours are 0.
func (t *theta) start(seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0))
	for i, p := range t.parameters() {
		if i == 2 {
			continue
		}
		for k := range p {
			p[k] = 0.1 * r.NormFloat64()
		}
	}
}

func row(p []float64, i int32, dim int) []float64 { return p[int(i)*dim : (int(i)+1)*dim] }

func dot(a, b []float64) float64 {
	b = b[:len(a)]
	sum := 0.0
	for k, x := range a {
		sum += x * b[k]
	}
	return sum
}

// known is what the score of a pair with facts has besides its entities.
func (t *theta) known(relation, pair int32) float64 {
	sum := 0.0
	if t.Pair != nil {
		sum = dot(row(t.Pair, pair, t.dim), row(t.Column, relation, t.dim))
	}
	if t.Neighbour != nil {
		w := row(t.Neighbour, relation, t.relations)
		for _, r := range t.pairs.relations(pair) {
			if r != relation {
				sum += w[r]
			}
		}
	}
	return sum
}

// at is what an entity at a side of a relation adds.
func (t *theta) at(side triples.Side, relation, entity int32) float64 {
	if t.Entity == nil {
		return 0
	}
	return dot(row(t.Place[side], relation, t.dim), row(t.Entity, entity, t.dim))
}

// Score is θ.
func (t *theta) Score(x triples.Triple) float64 {
	sum := t.at(triples.Subject, x.Relation, x.Subject) + t.at(triples.Object, x.Relation, x.Object)
	if p := t.pairs.find(x.Subject, x.Object); p >= 0 {
		sum += t.known(x.Relation, p)
	}
	return sum
}

// Scores adds up the entities at the open side once for all rows.
func (t *theta) Scores(open triples.Side, relation int32, given []int32, out []float64) {
	n := len(t.pairs.start) - 1
	first := out[:n]
	t.all(open, relation, first)
	for i := len(given) - 1; i >= 0; i-- { // the first row is the last to change
		t.line(open, relation, given[i], first, out[i*n:(i+1)*n])
	}
}

// all sets out to what each entity at a side of a relation adds.
func (t *theta) all(side triples.Side, relation int32, out []float64) {
	for e := range out {
		out[e] = t.at(side, relation, int32(e))
	}
}

// line scores all entities at the open side for a given entity; first is what they add, and may be out.
func (t *theta) line(open triples.Side, relation, given int32, first, out []float64) {
	base := t.at(open.Other(), relation, given)
	for e, x := range first {
		out[e] = x + base
	}
	t.pairs.of(open.Other(), given, func(pair, other int32) { out[other] += t.known(relation, pair) })
}

// Contributions lists the terms of θ.
func (m *model) Contributions(_ context.Context, x triples.Triple) ([]kind.Contribution, error) {
	t, one := &m.theta, func(feature string, weight float64) kind.Contribution {
		return kind.Contribution{Feature: feature, Value: 1, Weight: weight}
	}
	var out []kind.Contribution
	if t.Entity != nil {
		for _, side := range []triples.Side{triples.Subject, triples.Object} {
			out = append(out, one(side.String()+" "+m.Graph.Entities.Name(x.At(side)), t.at(side, x.Relation, x.At(side))))
		}
	}
	p := t.pairs.find(x.Subject, x.Object)
	if p < 0 {
		return out, nil
	}
	if t.Pair != nil {
		out = append(out, one("factors of the pair", dot(row(t.Pair, p, t.dim), row(t.Column, x.Relation, t.dim))))
	}
	if t.Neighbour != nil {
		for _, r := range t.pairs.relations(p) {
			if r != x.Relation {
				out = append(out, one("relation "+m.Graph.Relations.Name(r), row(t.Neighbour, x.Relation, t.relations)[r]))
			}
		}
	}
	return out, nil
}

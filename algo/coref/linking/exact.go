package linking

import (
	"context"
	"math"

	"parlance/algo/engine/zeroone"
)

// ExactOptions say what the 0/1 program of Exact wants.
type ExactOptions struct {
	Rules *Rules
	// Relaxed leaves out that a mention linked to nothing is the first of its cluster: rules may then join what no
	// link joins.
	Relaxed bool
	Nodes   int // of the search
}

// Exact finds the best clusters under rules by eq. 5 of Chang, Samdani and Roth (2013):
//
//	max Σ_{j<i} w_ji B_ji + Σ_{j<i} ρ_ji C_ji
//	C_kj ≥ C_ij + C_ki − 1,  Σ_j B_ji = 1 with B_0i for nothing,  B_ji ≤ C_ji
//
// and B_0i ≤ 1 − C_ji unless Relaxed. It is for documents of some ten mentions, as a measure of Link.
func Exact(ctx context.Context, t *Table, o ExactOptions) (AllClusters, error) {
	n := t.Len()
	if n == 0 {
		return AllClusters{Certified: true}, nil
	}
	var p zeroone.Problem
	c, pulls := make([]int, n*n), make([]float64, n*n)
	for _, r := range o.Rules.list() {
		pulls[int(r.A)*n+int(r.B)] += max(-hard, min(hard, r.Weight))
	}
	for i := range n {
		for j := range i {
			c[j*n+i] = p.Variable(pulls[j*n+i])
			c[i*n+j] = c[j*n+i]
		}
	}
	for i := range n {
		nothing := p.Variable(0)
		choice := []int{nothing}
		for k, w := range t.Row(i) {
			b := p.Variable(w)
			choice = append(choice, b)
			p.Implies("link", b, c[(t.First(i)+k)*n+i])
		}
		p.ExactlyOne("choice", choice...)
		for j := range i {
			if !o.Relaxed {
				p.AtMostOne("first", nothing, c[j*n+i])
			}
			for k := range j {
				triple(&p, DropNone, c[k*n+j], c[j*n+i], c[k*n+i])
			}
		}
	}
	s, err := p.Solve(ctx, zeroone.Options{Nodes: o.Nodes})
	if err != nil {
		return AllClusters{}, err
	}
	labels := make([]int32, n)
	next := int32(0)
	for i := range n {
		labels[i] = next
		for j := range i {
			if s.X[c[j*n+i]] {
				labels[i] = labels[j]
				break
			}
		}
		if labels[i] == next {
			next++
		}
	}
	return AllClusters{labels, s.Value, s.Certified}, nil
}

// RuledValue is the score of clusters as Exact counts it: Value and the weights of the rules inside clusters.
func RuledValue(t *Table, labels []int32, rules *Rules) float64 {
	v := Value(t, labels)
	for _, r := range rules.list() {
		if labels[r.A] == labels[r.B] && !math.IsInf(r.Weight, 0) {
			v += r.Weight
		}
	}
	return v
}

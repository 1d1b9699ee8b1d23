package trescal

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"

	"parlance/algo/kb/triples"
	"parlance/algo/kind"
	"parlance/algo/numeric/tensor"
)

// Contributions splits a score among the facts that made the two vectors. Where training has
// converged, the vector of an entity is a sum over its facts of weight w (the update of A in Chang et
// al. 2014, section 3.2, row by row):
//
//	a_i = Σ_(i,k,j) w H_i⁻¹ R_k a_j + Σ_(j,k,i) w H_i⁻¹ R_k'a_j
//
// so that a_s' R a_o is a sum over the facts of s, and one over the facts of o. Each of them counts half.
// The rest is what training left open; what single precision alone can explain is left out. It costs what one system of
// training does for all relations that either entity may stand in.
func (m *model) Contributions(ctx context.Context, t triples.Triple) ([]kind.Contribution, error) {
	f := m.double()
	e := &explanation{model: m, f: f, systems: tensor.NewSystems(f, m.opt.l2), at: map[triples.Triple]int{}}
	for e.all = nil; len(e.all) < f.Entities; {
		e.all = append(e.all, int32(len(e.all)))
	}
	r, v := m.rank, make([]float64, m.rank)
	for _, side := range []triples.Side{triples.Subject, triples.Object} {
		turn := blas.NoTrans // R a_o for the subject
		if side == triples.Object {
			turn = blas.Trans
		}
		dense.Dgemv(turn, r, r, 1, f.R[t.Relation], r, e.row(t.At(side.Other())), 1, 0, v, 1)
		if err := e.split(ctx, t.At(side), v); err != nil {
			return nil, err
		}
	}
	rest, size := m.Score(t), 0.0
	for _, c := range e.list {
		rest, size = rest-c.Weight, size+math.Abs(c.Weight)
	}
	if math.Abs(rest) > 1e-6*size {
		e.list = append(e.list, kind.Contribution{Feature: "rest", Value: 1, Weight: rest})
	}
	return e.list, nil
}

// double is the factors in the precision of training.
func (f *factors) double() *tensor.Factors {
	n := f.rank * f.rank
	out := &tensor.Factors{Entities: len(f.A) / f.rank, Rank: f.rank, A: make([]float64, len(f.A)),
		R: make([][]float64, len(f.R)/n)}
	for i, x := range f.A {
		out.A[i] = float64(x)
	}
	for k := range out.R {
		out.R[k] = make([]float64, n)
		for i, x := range f.R[k*n : (k+1)*n] {
			out.R[k][i] = float64(x)
		}
	}
	return out
}

// explanation is a score that is split among facts.
type explanation struct {
	*model
	f       *tensor.Factors
	systems *tensor.Systems
	all     []int32
	list    []kind.Contribution
	at      map[triples.Triple]int // where a fact stands in the list
}

func (e *explanation) row(i int32) []float64 {
	return e.f.A[int(i)*e.f.Rank : (int(i)+1)*e.f.Rank]
}

// split adds half of what each fact of an entity gives to v'a_i.
func (e *explanation) split(ctx context.Context, i int32, v []float64) error {
	inverse, err := e.systems.Inverse(ctx, e.uses(i))
	if err != nil {
		return err
	}
	r := e.f.Rank
	u := make([]float64, r)
	dense.Dgemv(blas.NoTrans, r, r, 1, inverse, r, v, 1, 0, u, 1)
	turned := map[[2]int32][]float64{} // R_k'u and R_k u
	for n, t := range e.Graph.Facts {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for _, side := range []triples.Side{triples.Subject, triples.Object} {
			if t.At(side) != i || e.Sets != nil && !e.Sets.AllowsTriple(t) {
				continue
			}
			key := [2]int32{t.Relation, int32(side)}
			if turned[key] == nil {
				turn := blas.Trans
				if side == triples.Object {
					turn = blas.NoTrans
				}
				turned[key] = make([]float64, r)
				dense.Dgemv(turn, r, r, 1, e.f.R[t.Relation], r, u, 1, 0, turned[key], 1)
			}
			e.add(t, e.weight(n)*dense.Ddot(r, turned[key], 1, e.row(t.At(side.Other())), 1)/2)
		}
	}
	return nil
}

// add adds to what a fact contributes.
func (e *explanation) add(t triples.Triple, x float64) {
	n, ok := e.at[t]
	if !ok {
		n = len(e.list)
		e.at[t] = n
		e.list = append(e.list, kind.Contribution{Feature: "fact " + e.Graph.Sentence(t), Value: 1})
	}
	e.list[n].Weight += x
}

// uses lists the relations that an entity may stand in.
func (e *explanation) uses(i int32) []tensor.Use {
	var out []tensor.Use
	for _, side := range []triples.Side{triples.Subject, triples.Object} {
		for k := range int32(e.Graph.Relations.Len()) {
			u := tensor.Use{Relation: int(k), Object: side == triples.Object, Others: e.all}
			if e.Sets != nil {
				if u.Others = e.Sets.Allowed(side.Other(), k); e.opt.update == "exact" && !e.Sets.Allows(side, k, i) {
					continue
				}
			}
			if len(u.Others) > 0 {
				out = append(out, u)
			}
		}
	}
	return out
}

// weight is that of a fact by its number.
func (m *model) weight(n int) float64 {
	if m.Weights == nil {
		return 1
	}
	return float64(m.Weights[n])
}

// Distance is that of two entities, ‖a_i − a_j‖.
func (f *factors) Distance(i, j int32) float64 {
	sum := 0.0
	b := f.row(j)
	for k, x := range f.row(i) {
		d := float64(x - b[k])
		sum += d * d
	}
	return math.Sqrt(sum)
}

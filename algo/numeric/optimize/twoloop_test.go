package optimize

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// inverseHessian applies the BFGS update (Nocedal and Wright 2006, equation 7.16) to γ·I for all pairs, the
// oldest first: H ← (I − s·yᵀ/s·y)·H·(I − y·sᵀ/s·y) + s·sᵀ/s·y.
func inverseHessian(st *State) *mat.Dense {
	n := len(st.X)
	h := mat.NewDense(n, n, nil)
	for i := range n {
		h.Set(i, i, st.gamma)
	}
	for age := st.pairs - 1; age >= 0; age-- {
		j := st.slot(age)
		s, y := mat.NewVecDense(n, st.s[j]), mat.NewVecDense(n, st.y[j])
		rho := 1 / mat.Dot(s, y)
		var left, next, add mat.Dense
		left.Outer(-rho, s, y)
		for i := range n {
			left.Set(i, i, left.At(i, i)+1)
		}
		next.Product(&left, h, left.T())
		add.Outer(rho, s, s)
		next.Add(&next, &add)
		h = &next
	}
	return h
}

// TestDirectionIsBFGS compares the direction with that of the matrix, with rings that are filling and full.
func TestDirectionIsBFGS(t *testing.T) {
	o := &LBFGS{Memory: 4, Iterations: 15}
	seen := 0
	_, err := o.Minimize(context.Background(), rosenbrockStart(6), rosenbrock, func(it Iteration) bool {
		d := newDescent(o, it.State, rosenbrock)
		d.turn()
		var want mat.VecDense
		want.MulVec(inverseHessian(it.State), mat.NewVecDense(len(it.State.G), it.State.G))
		for i, v := range d.d {
			if math.Abs(v+want.AtVec(i)) > 1e-9*mat.Norm(&want, math.Inf(1)) {
				t.Fatalf("step %d: d[%d] = %v, want %v", it.Step, i, v, -want.AtVec(i))
			}
		}
		seen = max(seen, it.State.pairs)
		return false
	})
	if err != nil || seen != 4 {
		t.Fatal(seen, err)
	}
}

// TestPairsWithoutCurvatureAreLeftOut: every pair that is kept has the inner product that is kept with it.
func TestPairsWithoutCurvatureAreLeftOut(t *testing.T) {
	const n, memory = 3, 3
	rng := rand.New(rand.NewPCG(3, 3))
	st, v := newState(make([]float64, n), memory, 0), newVectors(n, 1)
	x0, g0 := make([]float64, n), make([]float64, n)
	for step := range 200 {
		for i := range n {
			x0[i], g0[i] = st.X[i], st.G[i]
			st.X[i], st.G[i] = rng.NormFloat64(), rng.NormFloat64()
		}
		st.push(v, x0, g0)
		for age := range st.pairs {
			j := st.slot(age)
			if ys := Dot(st.s[j], st.y[j]); !(ys > 0) || math.Abs(ys-st.ys[j]) > 1e-12 {
				t.Fatalf("step %d: a pair has s·y = %v, kept as %v", step, ys, st.ys[j])
			}
		}
	}
}

package main

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	kernel "gonum.org/v1/gonum/blas/gonum"

	"parlance/algo/numeric/tensor"
)

// denseIteration does the work of an iteration of RESCAL as it is usually written: with the fast
// step for relations, but with all n rows in every product, whichever entities a relation has. It
// returns the processor seconds. Values are arbitrary, only the cost counts.
func (b *bench) denseIteration(p *tensor.Problem, rank int) (float64, error) {
	n, r, sum := p.Entities, rank, 0.0
	random := rand.New(rand.NewPCG(1, 1))
	a, t, e, f, m := make([]float64, n*r), make([]float64, n*r), make([]float64, n*r), make([]float64, n*r),
		make([]float64, r*r)
	x, h := make([]float64, r*r), make([]float64, r*r)
	for i := range a {
		a[i] = random.NormFloat64()
	}
	start := processor()
	for _, rel := range p.Relations {
		if err := b.ctx.Err(); err != nil {
			return 0, err
		}
		clear(t)
		for c, i := range rel.Subjects {
			plus(t[int(i)*r:int(i+1)*r], a[int(rel.Objects[c])*r:])
		}
		product(true, false, m, a, t, r, n, r) // A' X A
		for range 2 {                          // into the basis of A'A and back
			product(false, false, x, m, h, r, r, r)
			product(true, false, m, h, x, r, r, r)
		}
		product(false, true, f, t, m, n, r, r) // X A R'
		product(false, false, e, a, m, n, r, r)
		for c, i := range rel.Subjects {
			plus(f[int(rel.Objects[c])*r:int(rel.Objects[c]+1)*r], e[int(i)*r:]) // X' A R
		}
		for range 2 { // R A'A R' and R' A'A R
			product(false, false, x, m, h, r, r, r)
			product(false, true, h, x, m, r, r, r)
		}
		sum += f[0]
	}
	product(false, false, t, f, h, n, r, r)
	return processor() - start, nil
}

func plus(a, b []float64) {
	kernel.Implementation{}.Daxpy(len(a), 1, b, 1, a, 1)
}

// product sets c (m×n) to a b, 64 rows at a time.
func product(turnA, turnB bool, c, a, b []float64, m, k, n int) {
	ta, tb, lda, ldb := blas.NoTrans, blas.NoTrans, k, n
	if turnA {
		ta, lda = blas.Trans, m
	}
	if turnB {
		tb, ldb = blas.Trans, k
	}
	for i := 0; i < m; i += 64 {
		from := i * lda
		if turnA {
			from = i
		}
		kernel.Implementation{}.Dgemm(ta, tb, min(64, m-i), n, k, 1, a[from:], lda, b, ldb, 0, c[i*n:], n)
	}
}

package lowrank

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// gramOf returns pᵀ·p, whole.
func gramOf(ctx context.Context, workers int, p *Panel) (*Panel, error) {
	g := NewPanel(p.Cols, p.Cols)
	err := gemm(ctx, workers, blas.Trans, blas.NoTrans, p.general(0, p.Cols), p.general(0, p.Cols),
		g.general(0, g.Cols), true)
	g.mirror()
	return g, err
}

// mirror copies what is above the diagonal below it.
func (p *Panel) mirror() {
	for i := range p.Rows {
		for j := range i {
			p.Data[i*p.Cols+j] = p.Data[j*p.Cols+i]
		}
	}
}

// symmetricEigen decomposes a symmetric panel: eigenvalues by falling value, eigenvectors in columns.
func symmetricEigen(g *Panel) ([]float64, *Panel, bool) {
	n := g.Rows
	if n == 0 {
		return nil, NewPanel(0, 0), true
	}
	if !finite(g.Data) {
		return nil, nil, false
	}
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(n, append([]float64(nil), g.Data...)), true) {
		return nil, nil, false
	}
	var q mat.Dense
	e.VectorsTo(&q)
	up := e.Values(nil)
	values, vectors := make([]float64, n), NewPanel(n, n)
	for j := range n {
		values[j] = up[n-1-j]
		for i := range n {
			vectors.Data[i*n+j] = q.At(i, n-1-j)
		}
	}
	return values, vectors, true
}

func finite(values []float64) bool {
	for _, v := range values {
		if math.IsNaN(v - v) {
			return false
		}
	}
	return true
}

// Orthonormalize replaces the columns of p by an orthonormal basis of their span, in place and in
// their order as a thin QR decomposition does. Where they span less, the basis is completed with
// random vectors of the generator. p has at least as many rows as columns. The cost is
// 4·Rows·Cols² operations where the columns are well apart.
func Orthonormalize(ctx context.Context, workers int, p *Panel, rng *rand.Rand) error {
	_, err := orthonormalize(ctx, workers, p, rng)
	return err
}

// orthonormalize also returns the upper triangular R with old p = new p·R, nil where the span is
// too small or too flat for one.
func orthonormalize(ctx context.Context, workers int, p *Panel, rng *rand.Rand) (*Panel, error) {
	whole := NewPanel(p.Cols, p.Cols)
	for i := range p.Cols {
		whole.Data[i*p.Cols+i] = 1
	}
	// Cholesky QR twice (Yamamoto et al. 2015): the first pass leaves an error of κ²·ε, the second ε.
	for range 2 {
		g, err := gramOf(ctx, workers, p)
		if err != nil {
			return nil, err
		}
		r, ok := choleskyOf(g)
		if !ok {
			return nil, gramSchmidt(ctx, p, rng)
		}
		if err := solveRight(ctx, workers, p, r); err != nil {
			return nil, err
		}
		blas64.Trmm(blas.Left, blas.NoTrans, 1, r, whole.general(0, whole.Cols))
	}
	return whole, nil
}

// spread is Orthonormalize in one pass: columns are orthonormal but for κ²·ε, of which a subspace that
// is iterated on takes no harm, for half the cost.
func spread(ctx context.Context, workers int, p *Panel, rng *rand.Rand) error {
	g, err := gramOf(ctx, workers, p)
	if err != nil {
		return err
	}
	r, ok := choleskyOf(g)
	if !ok {
		return gramSchmidt(ctx, p, rng)
	}
	return solveRight(ctx, workers, p, r)
}

// flat is the least ratio of the diagonal of R at which Cholesky QR is trusted; its square is well above ε.
const flat = 1e-6

// choleskyOf returns the upper R with Rᵀ·R = g, false where g is close to singular.
func choleskyOf(g *Panel) (blas64.Triangular, bool) {
	n := g.Rows
	t, ok := lapack64.Potrf(blas64.Symmetric{Uplo: blas.Upper, N: n, Stride: max(n, 1), Data: g.Data})
	if !ok {
		return t, false
	}
	low, high := math.Inf(1), 0.0
	for i := range n {
		d := g.Data[i*n+i]
		low, high = min(low, d), max(high, d)
	}
	return t, n == 0 || low > flat*high && !math.IsInf(high, 0)
}

// solveRight replaces p by p·R⁻¹.
func solveRight(ctx context.Context, workers int, p *Panel, r blas64.Triangular) error {
	return each(ctx, workers, (p.Rows+rowsPerTask-1)/rowsPerTask, func(t int) {
		from, to := t*rowsPerTask, min(p.Rows, (t+1)*rowsPerTask)
		b := blas64.General{Rows: to - from, Cols: p.Cols, Stride: p.Cols, Data: p.Data[from*p.Cols:]}
		blas64.Trsm(blas.Right, blas.NoTrans, 1, r, b)
	})
}

// gramSchmidt orthonormalizes column by column, each twice, and puts a random vector in the place
// of a column that depends on those before.
func gramSchmidt(ctx context.Context, p *Panel, rng *rand.Rand) error {
	columns := make([]float64, len(p.Data)) // a column after the other
	for i := range p.Rows {
		for j, v := range p.Row(i) {
			columns[j*p.Rows+i] = v
		}
	}
	column := func(j int) blas64.Vector {
		return blas64.Vector{N: p.Rows, Inc: 1, Data: columns[j*p.Rows : (j+1)*p.Rows]}
	}
	for j := range p.Cols {
		if err := ctx.Err(); err != nil {
			return err
		}
		x := column(j)
		for !against(x, j, column) {
			for i := range x.Data {
				x.Data[i] = rng.NormFloat64()
			}
		}
	}
	for i := range p.Rows {
		for j := range p.Cols {
			p.Data[i*p.Cols+j] = columns[j*p.Rows+i]
		}
	}
	return nil
}

// dependent is the part of a vector's length that must be left for it to count as independent.
const dependent = 1e-10

// against subtracts from x its part along the first j columns and gives it length 1, false if
// hardly anything is left.
func against(x blas64.Vector, j int, column func(int) blas64.Vector) bool {
	before := blas64.Nrm2(x)
	if !(before > 0) || math.IsInf(before, 0) {
		return false
	}
	blas64.Scal(1/before, x)
	for range 2 {
		for k := range j {
			c := column(k)
			blas64.Axpy(-blas64.Dot(c, x), c, x)
		}
	}
	after := blas64.Nrm2(x)
	if after <= dependent {
		return false
	}
	blas64.Scal(1/after, x)
	for k := range j {
		c := column(k)
		blas64.Axpy(-blas64.Dot(c, x), c, x)
	}
	blas64.Scal(1/blas64.Nrm2(x), x)
	return true
}

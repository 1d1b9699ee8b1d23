// Package lowrank factors sparse matrices and sparse tensors of three modes at low rank: sparse
// products, orthonormal bases, top eigenvectors by subspace iteration, truncated singular value
// decomposition and the Tucker decomposition of slices that share both sides.
//
// Every function gives the same bits with any number of workers: what is summed is summed in an
// order that depends on the shapes alone. All indexes start at 0.
package lowrank

import (
	"context"
	"math/rand/v2"

	"parlance/algo/numeric/parallel"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Panel is a dense matrix in rows: element (i, j) is Data[i*Cols+j].
type Panel struct {
	Rows, Cols int
	Data       []float64
}

// NewPanel returns a panel of zeros.
func NewPanel(rows, cols int) *Panel {
	return &Panel{rows, cols, make([]float64, rows*cols)}
}

// Row returns row i, which shares memory with the panel.
func (p *Panel) Row(i int) []float64 { return p.Data[i*p.Cols : (i+1)*p.Cols] }

// Clone returns a copy.
func (p *Panel) Clone() *Panel {
	return &Panel{p.Rows, p.Cols, append([]float64(nil), p.Data...)}
}

// general is the view that the kernels take, from column c with n columns.
func (p *Panel) general(c, n int) blas64.General {
	return blas64.General{Rows: p.Rows, Cols: n, Stride: max(p.Cols, 1), Data: p.Data[min(c, len(p.Data)):]}
}

// Gaussian returns a panel of independent normal values, a stream of the seed.
func Gaussian(rows, cols int, rng *rand.Rand) *Panel {
	p := NewPanel(rows, cols)
	for i := range p.Data {
		p.Data[i] = rng.NormFloat64()
	}
	return p
}

// each calls f with 0 to n-1 from some goroutines and returns when all calls have ended. It skips
// what is left when the context ends, and then returns its error.
func each(ctx context.Context, workers, n int, f func(i int)) error {
	return parallel.For(ctx, parallel.Workers(workers), n, func(_, i int) error {
		f(i)
		return nil
	})
}

// Tiles of a product are this large, so that one is computed by one kernel in one goroutine.
const (
	tileRows = 64
	tileCols = 128
)

// gemm adds op(a)·op(b) to c, tile by tile of c. With upper, tiles below the diagonal are left out.
func gemm(ctx context.Context, workers int, ta, tb blas.Transpose, a, b, c blas64.General, upper bool) error {
	down, across := (c.Rows+tileRows-1)/tileRows, (c.Cols+tileCols-1)/tileCols
	if a.Rows == 0 || a.Cols == 0 || b.Cols == 0 {
		return ctx.Err()
	}
	return each(ctx, workers, down*across, func(t int) {
		i, j := t/across*tileRows, t%across*tileCols
		rows, cols := min(tileRows, c.Rows-i), min(tileCols, c.Cols-j)
		if upper && j+cols <= i {
			return
		}
		blas64.Gemm(ta, tb, 1, part(a, ta, i, rows), part(b, flip(tb), j, cols), 1,
			blas64.General{Rows: rows, Cols: cols, Stride: c.Stride, Data: c.Data[i*c.Stride+j:]})
	})
}

func flip(t blas.Transpose) blas.Transpose {
	if t == blas.NoTrans {
		return blas.Trans
	}
	return blas.NoTrans
}

// part is n rows from row i of a, or columns if it is transposed.
func part(a blas64.General, t blas.Transpose, i, n int) blas64.General {
	if t == blas.NoTrans {
		return blas64.General{Rows: n, Cols: a.Cols, Stride: a.Stride, Data: a.Data[i*a.Stride:]}
	}
	return blas64.General{Rows: a.Rows, Cols: n, Stride: a.Stride, Data: a.Data[i:]}
}

// Product returns a·b in 2·a.Rows·a.Cols·b.Cols operations; a.Cols is b.Rows.
func Product(ctx context.Context, workers int, a, b *Panel) (*Panel, error) {
	c := NewPanel(a.Rows, b.Cols)
	return c, gemm(ctx, workers, blas.NoTrans, blas.NoTrans, a.general(0, a.Cols), b.general(0, b.Cols),
		c.general(0, c.Cols), false)
}

// CrossProduct returns aᵀ·b; a.Rows is b.Rows.
func CrossProduct(ctx context.Context, workers int, a, b *Panel) (*Panel, error) {
	c := NewPanel(a.Cols, b.Cols)
	return c, gemm(ctx, workers, blas.Trans, blas.NoTrans, a.general(0, a.Cols), b.general(0, b.Cols),
		c.general(0, c.Cols), false)
}

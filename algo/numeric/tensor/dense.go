package tensor

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	kernel "gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/lapack"
	solver "gonum.org/v1/gonum/lapack/gonum"
)

// All matrices are dense, row after row.
var (
	dense  kernel.Implementation
	linear solver.Implementation
)

// tile bounds the rows and columns of what a product reads again and again, so that it stays in the
// cache.
const tile = 128

// multiply sets C (m×n) to A B, where A is m×k, or k×m if turnA, and B k×n, or n×k if turnB; with
// add, it adds to C. It is a product of B with one row of A after another: on one thread, and on small
// matrices twice as fast as the library's product of matrices.
func multiply(c, a, b []float64, m, k, n int, turnA, turnB, add bool) {
	if k == 0 && !add {
		clear(c[:m*n])
	}
	ra, ca := k, 1 // steps to the next row and column of A
	if turnA {
		ra, ca = 1, m
	}
	for j := 0; j < n; j += tile {
		cols := min(tile, n-j)
		for l := 0; l < k; l += tile {
			deep, beta := min(tile, k-l), 1.0
			if l == 0 && !add {
				beta = 0
			}
			for i := range m {
				row := a[i*ra+l*ca:]
				if turnB {
					dense.Dgemv(blas.NoTrans, cols, deep, 1, b[j*k+l:], k, row, ca, beta, c[i*n+j:], 1)
				} else {
					dense.Dgemv(blas.Trans, deep, cols, 1, b[l*n+j:], n, row, ca, beta, c[i*n+j:], 1)
				}
			}
		}
	}
}

// outer adds A A' to the upper triangle of C (n×n), where A is n×k, or k×n if turned.
func outer(c, a []float64, n, k int, turned bool) {
	for j := 0; j < n; j += tile {
		end := min(n, j+tile)
		for l := 0; l < k; l += tile {
			deep := min(tile, k-l)
			for i := range end {
				from := max(i, j)
				if turned {
					dense.Dgemv(blas.Trans, deep, end-from, 1, a[l*n+from:], n, a[l*n+i:], n, 1, c[i*n+from:], 1)
				} else {
					dense.Dgemv(blas.NoTrans, end-from, deep, 1, a[from*k+l:], k, a[i*k+l:], 1, 1, c[i*n+from:], 1)
				}
			}
		}
	}
}

// mirror copies the upper triangle to the lower one.
func mirror(c []float64, n int) {
	for i := range n {
		for j := i + 1; j < n; j++ {
			c[j*n+i] = c[i*n+j]
		}
	}
}

// eigen decomposes a symmetric matrix, of which the upper triangle is read, in place: columns of c
// are the vectors. Values ascend.
func eigen(c []float64, n int) ([]float64, error) {
	for _, x := range c[:n*n] {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, errNotFinite
		}
	}
	w, size := make([]float64, n), []float64{0}
	linear.Dsyev(lapack.EVCompute, blas.Upper, n, c, max(1, n), w, size, -1)
	work := make([]float64, int(size[0]))
	if !linear.Dsyev(lapack.EVCompute, blas.Upper, n, c, max(1, n), w, work, len(work)) {
		return nil, fmt.Errorf("the eigenvalues of a matrix of order %d do not converge", n)
	}
	return w, nil
}

// clip sets eigenvalues of a matrix that has none below 0, and those that rounding alone can
// explain, to 0.
func clip(w []float64) {
	most := 0.0
	for _, x := range w {
		most = max(most, x)
	}
	least := most * float64(len(w)) * epsilon
	for i, x := range w {
		if x <= least {
			w[i] = 0
		}
	}
}

const epsilon = 2.3e-16

// factor makes the Cholesky factor U of H = U'U in the upper triangle, false where H is singular.
func factor(h []float64, n int) bool {
	if n > 2*tile { // beyond the cache, blocks pay
		if !linear.Dpotrf(blas.Upper, n, h, n) {
			return false
		}
	} else if !factorRows(h, n) {
		return false
	}
	least, most := math.Inf(1), 0.0
	for i := range n {
		d := h[i*n+i]
		least, most = min(least, d), max(most, d)
	}
	return least*least > float64(n)*epsilon*most*most
}

// factorRows makes row after row: u_ij = (h_ij − Σ_k<i u_ki u_kj) / u_ii.
func factorRows(h []float64, n int) bool {
	for i := range n {
		row := h[i*n+i : (i+1)*n]
		if i > 0 {
			dense.Dgemv(blas.Trans, i, n-i, -1, h[i:], n, h[i:], n, 1, row, 1)
		}
		if !(row[0] > 0) || math.IsInf(row[0], 1) {
			return false
		}
		root := math.Sqrt(row[0])
		for j := range row {
			row[j] /= root
		}
	}
	return true
}

// inverse replaces H, of which the upper triangle is read, by its inverse, or its pseudo-inverse
// where it is singular.
func inverse(h []float64, n int) error {
	full := append([]float64(nil), h[:n*n]...)
	if factor(h, n) {
		linear.Dpotri(blas.Upper, n, h, n)
		mirror(h, n)
		return nil
	}
	w, err := eigen(full, n)
	if err != nil {
		return err
	}
	clip(w)
	scaled := append([]float64(nil), full...)
	for j, x := range w {
		if x > 0 {
			x = 1 / x
		}
		for i := range n {
			scaled[i*n+j] *= x
		}
	}
	multiply(h, scaled, full, n, n, n, false, true, false)
	return nil
}

// solve replaces b by U⁻¹ U'⁻¹ b.
func solve(u, b []float64, n int) {
	dense.Dtrsv(blas.Upper, blas.Trans, blas.NonUnit, n, u, n, b, 1)
	dense.Dtrsv(blas.Upper, blas.NoTrans, blas.NonUnit, n, u, n, b, 1)
}

// add adds x times b to a.
func add(a []float64, x float64, b []float64) { dense.Daxpy(len(b), x, b, 1, a, 1) }

// finite reports whether all values are.
func finite(a []float64) bool {
	sum := 0.0
	for _, x := range a {
		sum += x * 0
	}
	return sum == 0
}

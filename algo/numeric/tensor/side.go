package tensor

import (
	"context"

	"parlance/algo/numeric/parallel"

	"gonum.org/v1/gonum/lapack/lapack64"

	"gonum.org/v1/gonum/blas/blas64"
)

// side is A_s'A_s = V S V' of the rows of A of a set s.
type side struct {
	basis  []float64 // V, r×c with orthonormal columns; nil for the identity
	values []float64 // S, c values
	root   []float64 // V S^½, r×c; nil if basis is
}

// width is c, the smaller of r and the size of the set.
func (s *side) width() int { return len(s.values) }

// gather copies rows of A.
func (f *fit) gather(dst []float64, rows []int32) {
	for i, e := range rows {
		copy(dst[i*f.r:(i+1)*f.r], f.a[int(e)*f.r:(int(e)+1)*f.r])
	}
}

// decompose finds the sides of all sets. Without types there is one, and A is turned so that A'A is
// diagonal, which changes neither scores nor objective: no relation then needs a change of basis.
func (f *fit) decompose(ctx context.Context) error {
	if f.t.sets == nil {
		return f.rotate(ctx)
	}
	if err := f.shareGrams(ctx); err != nil {
		return err
	}
	return parallel.For(ctx, f.workers, len(f.t.sets), func(_, s int) (err error) {
		f.sides[s], err = f.sideOf(ctx, s)
		return err
	})
}

// sideOf decomposes through the Gram matrix, of a set of fewer than r entities through
// A_s' = Q T, for A_s'A_s = Q (T T') Q'.
func (f *fit) sideOf(ctx context.Context, number int) (side, error) {
	set := f.t.sets[number]
	r, c := f.r, min(f.r, len(set))
	if c == 0 {
		return side{basis: []float64{}, values: []float64{}, root: []float64{}}, nil
	}
	var s side
	var err error
	if c == r {
		if s.basis, err = f.gram(ctx, number); err != nil {
			return s, err
		}
		if s.values, err = eigen(s.basis, r); err != nil {
			return s, err
		}
	} else if s.basis, s.values, err = f.thin(set); err != nil {
		return s, err
	}
	clip(s.values)
	s.root = make([]float64, r*c)
	scaleColumns(s.root, s.basis, s.values, r)
	return s, nil
}

// thin decomposes A_s'A_s of a set smaller than r.
func (f *fit) thin(set []int32) (basis, values []float64, err error) {
	r, c := f.r, len(set)
	q := make([]float64, r*c)
	for j, e := range set {
		for i, x := range f.a[int(e)*r : (int(e)+1)*r] {
			q[i*c+j] = x
		}
	}
	if !finite(q) {
		return nil, nil, errNotFinite
	}
	t := triangle(q, r, c)
	middle := make([]float64, c*c)
	outer(middle, t, c, c, false)
	if values, err = eigen(middle, c); err != nil {
		return nil, nil, err
	}
	basis = make([]float64, r*c)
	multiply(basis, q, middle, r, c, c, false, false, false)
	return basis, values, nil
}

// triangle replaces Q T (r×c, r ≥ c) by Q with orthonormal columns, and returns T.
func triangle(q []float64, r, c int) []float64 {
	m, tau, size := blas64.General{Rows: r, Cols: c, Stride: c, Data: q}, make([]float64, c), []float64{0}
	lapack64.Geqrf(m, tau, size, -1)
	work := make([]float64, int(size[0]))
	lapack64.Geqrf(m, tau, work, len(work))
	t := make([]float64, c*c)
	for i := range c {
		copy(t[i*c+i:(i+1)*c], q[i*c+i:(i+1)*c])
	}
	lapack64.Orgqr(m, tau, size, -1)
	work = make([]float64, int(size[0]))
	lapack64.Orgqr(m, tau, work, len(work))
	return t
}

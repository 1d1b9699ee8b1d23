package lowrank

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
)

// Operator is a symmetric matrix that is known by its products. Apply sets dst to its product with
// x, both of Size rows.
type Operator interface {
	Size() int
	Apply(ctx context.Context, workers int, dst, x *Panel) error
}

// Symmetric is the operator of a symmetric sparse matrix.
type Symmetric struct{ *Matrix }

// Size is the number of rows.
func (s Symmetric) Size() int { return s.Rows }

// Apply multiplies.
func (s Symmetric) Apply(ctx context.Context, workers int, dst, x *Panel) error {
	return s.Mul(ctx, workers, dst, x)
}

// dense is the operator of a symmetric panel.
type dense struct{ *Panel }

func (d dense) Size() int { return d.Rows }

func (d dense) Apply(ctx context.Context, workers int, dst, x *Panel) error {
	clear(dst.Data)
	return gemm(ctx, workers, blas.NoTrans, blas.NoTrans, d.general(0, d.Cols), x.general(0, x.Cols),
		dst.general(0, dst.Cols), false)
}

// normal is the operator Σ_k W_kᵀ·W_k.
type normal struct{ slices, transposed []*Matrix }

func (n normal) Size() int { return n.transposed[0].Rows }

func (n normal) Apply(ctx context.Context, workers int, dst, x *Panel) error {
	clear(dst.Data)
	y := NewPanel(n.slices[0].Rows, x.Cols)
	for k, w := range n.slices {
		if err := w.Mul(ctx, workers, y, x); err != nil {
			return err
		}
		if err := n.transposed[k].AddMul(ctx, workers, dst, y); err != nil {
			return err
		}
	}
	return nil
}

// EigenOptions steer TopEigen.
type EigenOptions struct {
	Rounds    int     // of subspace iteration at most, 0 for 100
	Tolerance float64 // relative change of the sum of the |eigenvalues| at which it stops, 0 for 1e-10
	Extra     int     // dimensions that are iterated besides those wanted, 0 for 8 + k/8; negative for none
	Start     *Panel  // Size rows, vectors to start from; what they lack is random. nil: all are random
	Seed      uint64
	Workers   int // 0 for all processors
}

// denseSize is the size up to which an operator is decomposed whole.
const denseSize = 256

var errEigen = errors.New("the eigenvalues of a matrix do not converge: its values are too large")

// TopEigen returns the k eigenvalues of the largest absolute value, by falling absolute value, and
// their eigenvectors in the columns of a panel of Size rows, whose largest elements are positive.
// k is cut to the size. It iterates a subspace with Rayleigh-Ritz steps (Saad 2011, section 5.2);
// eigenvectors of equal eigenvalues are any basis of theirs. A round costs one product with the
// operator and 6·Size·k² operations; operators up to 256 rows are decomposed whole.
func TopEigen(ctx context.Context, op Operator, k int, o EigenOptions) ([]float64, *Panel, error) {
	n := op.Size()
	if k < 1 {
		return nil, nil, fmt.Errorf("%d eigenvectors are asked for, at least 1 is wanted", k)
	}
	k = min(k, n)
	if n <= denseSize {
		return wholeEigen(ctx, op, k, o.Workers)
	}
	if o.Rounds == 0 {
		o.Rounds = 100
	}
	if o.Tolerance == 0 {
		o.Tolerance = 1e-10
	}
	if o.Extra == 0 {
		o.Extra = 8 + k/8
	}
	return subspace(ctx, op, k, min(n, k+max(o.Extra, 0)), o)
}

// wholeEigen decomposes a small operator.
func wholeEigen(ctx context.Context, op Operator, k, workers int) ([]float64, *Panel, error) {
	n := op.Size()
	one, a := NewPanel(n, n), NewPanel(n, n)
	for i := range n {
		one.Data[i*n+i] = 1
	}
	if err := op.Apply(ctx, workers, a, one); err != nil {
		return nil, nil, err
	}
	values, vectors, ok := symmetricEigen(a)
	if !ok {
		return nil, nil, errEigen
	}
	order := byAbsolute(values)
	out, top := NewPanel(n, k), make([]float64, k)
	for j, from := range order[:k] {
		top[j] = values[from]
		for i := range n {
			out.Data[i*k+j] = vectors.Data[i*n+from]
		}
	}
	out.positive()
	return top, out, nil
}

func byAbsolute(values []float64) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := math.Abs(values[a]), math.Abs(values[b])
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return order
}

// subspace iterates p vectors and returns the first k.
func subspace(ctx context.Context, op Operator, k, p int, o EigenOptions) ([]float64, *Panel, error) {
	n := op.Size()
	rng := rand.New(rand.NewPCG(o.Seed, 0x51bace))
	x, y := Gaussian(n, p, rng), NewPanel(n, p)
	if o.Start != nil {
		for i := range n {
			copy(x.Row(i), o.Start.Row(i))
		}
	}
	if err := Orthonormalize(ctx, o.Workers, x, rng); err != nil {
		return nil, nil, err
	}
	last := math.Inf(-1)
	for round := 1; ; round++ {
		if err := op.Apply(ctx, o.Workers, y, x); err != nil {
			return nil, nil, err
		}
		values, turn, err := ritz(ctx, o.Workers, x, y)
		if err != nil {
			return nil, nil, err
		}
		sum := 0.0
		for _, v := range values[:k] {
			sum += math.Abs(v)
		}
		if round >= o.Rounds || sum-last <= o.Tolerance*sum {
			top, err := Product(ctx, o.Workers, x, turn.columns(k))
			if err == nil {
				top.positive()
			}
			return values[:k], top, err
		}
		last = sum
		if x, err = Product(ctx, o.Workers, y, turn); err != nil {
			return nil, nil, err
		}
		if err := Orthonormalize(ctx, o.Workers, x, rng); err != nil {
			return nil, nil, err
		}
	}
}

// ritz decomposes xᵀ·A·x = xᵀ·y: eigenvalues by falling absolute value and the eigenvectors in columns.
func ritz(ctx context.Context, workers int, x, y *Panel) ([]float64, *Panel, error) {
	h := NewPanel(x.Cols, x.Cols)
	if err := gemm(ctx, workers, blas.Trans, blas.NoTrans, x.general(0, x.Cols), y.general(0, y.Cols),
		h.general(0, h.Cols), true); err != nil {
		return nil, nil, err
	}
	h.mirror()
	values, vectors, ok := symmetricEigen(h)
	if !ok {
		return nil, nil, errEigen
	}
	order := byAbsolute(values)
	sorted, turn := make([]float64, len(values)), NewPanel(x.Cols, x.Cols)
	for j, from := range order {
		sorted[j] = values[from]
		for i := range x.Cols {
			turn.Data[i*x.Cols+j] = vectors.Data[i*x.Cols+from]
		}
	}
	return sorted, turn, nil
}

// columns returns a copy of the first k columns.
func (p *Panel) columns(k int) *Panel {
	out := NewPanel(p.Rows, k)
	for i := range p.Rows {
		copy(out.Row(i), p.Row(i)[:k])
	}
	return out
}

// positive turns the columns so that the element of the largest absolute value, the first of
// equals, is positive.
func (p *Panel) positive() {
	for j := range p.Cols {
		best := 0.0
		for i := range p.Rows {
			if v := p.Data[i*p.Cols+j]; math.Abs(v) > math.Abs(best) {
				best = v
			}
		}
		if best < 0 {
			for i := range p.Rows {
				p.Data[i*p.Cols+j] = -p.Data[i*p.Cols+j]
			}
		}
	}
}

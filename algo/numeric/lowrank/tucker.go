package lowrank

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
)

// Tucker is a decomposition of slices W_k of one shape, d × n, that share both sides:
//
//	W_k ≈ U · S_k · Vᵀ,  Uᵀ·U = Vᵀ·V = I
//
// the Tucker-2 form of a tensor of three modes. With all m components of the third mode, the full
// Tucker decomposition has the same X, since its third factor is square and orthogonal and cancels.
type Tucker struct {
	U, V *Panel   // d × R1, n × R2, orthonormal columns
	Core []*Panel // S_k, R1 × R2
	// U = [W_1·V | … | W_m·V]·Left at convergence, but for dimensions beyond the data's; nil unless asked for
	Left      *Panel
	Right     *Panel    // V = [W_1ᵀ·U | … | W_mᵀ·U]·Right, in the same way
	Norm      float64   // Σ_k ‖W_k‖²
	Captured  []float64 // Σ_k ‖S_k‖² after each sweep; what is left of Norm is the squared residual
	Converged bool      // the fit changed by less than the tolerance
}

// Fit is 1 − ‖W − X‖/‖W‖ after the last sweep, in [0, 1].
func (t *Tucker) Fit() float64 { return fit(t.Norm, t.last()) }

func (t *Tucker) last() float64 { return t.Captured[len(t.Captured)-1] }

func fit(norm, captured float64) float64 { return 1 - math.Sqrt(max(0, norm-captured)/norm) }

// TuckerOptions steer NewTucker.
type TuckerOptions struct {
	Rank      int     // R1 and R2, cut to what the shapes allow
	Sweeps    int     // at most, 0 for 50
	Tolerance float64 // change of the fit at which it stops, 0 for 1e-4
	// start from random orthonormal V; else from the top eigenvectors of Σ W_kᵀ·W_k, or near them
	Random   bool
	Restarts int                                      // random starts, of which the best is kept; 0 for 1
	Seed     uint64                                   // of random starts and completions
	Workers  int                                      // 0 for all processors
	Project  bool                                     // make Left and Right, for rows and columns that come later
	Report   func(start, sweep int, captured float64) // after each sweep, starts and sweeps from 1; may be nil
	From     *TuckerState                             // state of the same decomposition to go on from; nil: none
	Save     func(*TuckerState) error                 // after sweeps that others of their start follow; may be nil
}

// MaxCore bounds the number of slices times the rank: Gram matrices of this size are decomposed.
const MaxCore = 8192

// NewTucker decomposes by higher-order orthogonal iteration (De Lathauwer et al. 2000), which finds
// a local maximum of Σ‖Uᵀ·W_k·V‖². With one slice it is the truncated singular value decomposition.
//
// A sweep takes O(nnz·R + (d+n)·m²·R² + m²·R³) operations. Memory beside the input is that of U, V,
// the m·R square Gram matrix and blocks of 32 MB.
func NewTucker(ctx context.Context, slices []*Matrix, o TuckerOptions) (*Tucker, error) {
	if len(slices) == 0 {
		return nil, errors.New("there are no slices to decompose")
	}
	d, n, m := slices[0].Rows, slices[0].Cols, len(slices)
	norm := 0.0
	for _, w := range slices {
		if w.Rows != d || w.Cols != n {
			return nil, fmt.Errorf("slices of %d × %d and %d × %d have no common factors", d, n, w.Rows, w.Cols)
		}
		norm += w.SquaredNorm()
	}
	switch {
	case o.Rank < 1:
		return nil, fmt.Errorf("a rank of %d, at least 1 is wanted", o.Rank)
	case !(norm > 0):
		return nil, errors.New("all values of the slices are 0")
	case math.IsInf(norm, 0):
		return nil, errors.New("the values of the slices are too large")
	}
	h := newIteration(slices, o)
	if h.left*m > MaxCore || h.right*m > MaxCore {
		return nil, fmt.Errorf("rank %d with %d slices: their product is at most %d", max(h.left, h.right), m, MaxCore)
	}
	return h.best(ctx, norm)
}

// iteration is what the sweeps share.
type iteration struct {
	TuckerOptions
	slices      []*Matrix
	transposed  []*Matrix
	rows, cols  *side
	left, right int // R1, R2
}

func newIteration(slices []*Matrix, o TuckerOptions) *iteration {
	h := &iteration{TuckerOptions: o, slices: slices}
	if h.Sweeps == 0 {
		h.Sweeps = 50
	}
	if h.Tolerance == 0 {
		h.Tolerance = 1e-4
	}
	h.left, h.right = min(o.Rank, slices[0].Rows), min(o.Rank, slices[0].Cols)
	h.left = min(h.left, len(slices)*h.right)
	h.right = min(h.right, len(slices)*h.left)
	for _, w := range slices {
		h.transposed = append(h.transposed, w.Transposed())
	}
	h.rows, h.cols = newSide(slices, h.right), newSide(h.transposed, h.left)
	return h
}

// best runs from all starts and keeps the decomposition that captures most, the first of equals.
func (h *iteration) best(ctx context.Context, norm float64) (*Tucker, error) {
	starts := 1
	if h.Random {
		starts = max(1, h.Restarts)
	}
	a := &ascent{}
	if h.From != nil {
		if err := h.restore(a, norm); err != nil {
			return nil, err
		}
	}
	for ; a.start < starts; a.start++ {
		if a.t == nil {
			if err := h.begin(ctx, a, norm); err != nil {
				return nil, err
			}
		}
		if err := h.run(ctx, a); err != nil {
			return nil, err
		}
		if a.best == nil || a.t.last() > a.best.last() {
			a.best = a.t
		}
		a.t = nil
	}
	return a.best, nil
}

// ascent is the starts and the sweeps of one of them.
type ascent struct {
	start  int
	t      *Tucker // under way, nil between starts
	core   *Panel  // S_k one below the other, nil before the first sweep
	source *rand.PCG
	best   *Tucker // of the starts that are done
}

// begin makes a start.
func (h *iteration) begin(ctx context.Context, a *ascent, norm float64) error {
	a.source, a.core = rand.NewPCG(h.Seed, uint64(a.start)), nil
	v, err := h.start(ctx, rand.New(a.source))
	a.t = &Tucker{V: v, Norm: norm}
	return err
}

// startRounds of subspace iteration make the start of large tensors, whose sweeps go on from there.
const startRounds = 2

// start returns the first V. Of large tensors it is near the span of the top eigenvectors of
// Σ W_kᵀ·W_k; of small ones it is that.
func (h *iteration) start(ctx context.Context, rng *rand.Rand) (*Panel, error) {
	op := normal{h.slices, h.transposed}
	if !h.Random && op.Size() <= denseSize {
		_, v, err := TopEigen(ctx, op, h.right, EigenOptions{Workers: h.Workers})
		return v, err
	}
	v := Gaussian(op.Size(), h.right, rng)
	if h.Random {
		return v, Orthonormalize(ctx, h.Workers, v, rng)
	}
	next := NewPanel(v.Rows, v.Cols)
	for range startRounds {
		if err := op.Apply(ctx, h.Workers, next, v); err != nil {
			return nil, err
		}
		v, next = next, v
		if err := spread(ctx, h.Workers, v, rng); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// run sweeps until the fit no longer changes.
func (h *iteration) run(ctx context.Context, a *ascent) error {
	var turned, before *Panel // S_kᵀ one below the other, and V before the sweep
	t, rng, last := a.t, rand.New(a.source), math.Inf(-1)
	if len(t.Captured) > 0 {
		last = fit(t.Norm, t.last())
	}
	for sweep := len(t.Captured) + 1; sweep <= h.Sweeps && !t.Converged; sweep++ {
		var err error
		before = t.V
		from := turnedOver(a.core, len(h.slices))
		if t.U, turned, t.Left, err = h.next(ctx, h.rows, t.V, h.left, from, rng); err != nil {
			return err
		}
		from = turnedOver(turned, len(h.slices))
		if t.V, a.core, t.Right, err = h.next(ctx, h.cols, t.U, h.right, from, rng); err != nil {
			return err
		}
		captured := 0.0
		for _, x := range a.core.Data {
			captured += x * x
		}
		t.Core = h.parted(a.core)
		t.Captured = append(t.Captured, captured)
		if h.Report != nil {
			h.Report(a.start+1, sweep, captured)
		}
		now := fit(t.Norm, captured)
		t.Converged = math.Abs(now-last) < h.Tolerance
		last = now
		if h.Save != nil && !t.Converged && sweep < h.Sweeps {
			if err := h.Save(a.state()); err != nil {
				return err
			}
		}
	}
	if !h.Project {
		t.Left, t.Right = nil, nil
		return nil
	}
	return h.turnLeft(ctx, t, before)
}

// parted is the S_k that stand one below the other.
func (h *iteration) parted(core *Panel) (out []*Panel) {
	size := h.left * h.right
	for k := range h.slices {
		out = append(out, &Panel{h.left, h.right, core.Data[k*size : (k+1)*size]})
	}
	return out
}

// turnLeft makes Left, which is for the V before the last sweep, one for V: that sweep has left the
// subspace but for what is not converged, and turned its basis by Vᵀ·before.
func (h *iteration) turnLeft(ctx context.Context, t *Tucker, before *Panel) error {
	turn, err := CrossProduct(ctx, h.Workers, t.V, before)
	if err != nil {
		return err
	}
	out := NewPanel(t.Left.Rows, t.Left.Cols)
	for k := range h.slices {
		from := turn.Rows * k
		block := &Panel{turn.Rows, t.Left.Cols, t.Left.Data[from*t.Left.Cols : (from+turn.Rows)*t.Left.Cols]}
		p, err := Product(ctx, h.Workers, turn, block)
		if err != nil {
			return err
		}
		copy(out.Data[from*t.Left.Cols:], p.Data)
	}
	t.Left = out
	return nil
}

// turnedOver transposes each of m blocks that stand one below the other; nil stays nil.
func turnedOver(p *Panel, m int) *Panel {
	if p == nil {
		return nil
	}
	rows := p.Rows / m
	out := NewPanel(m*p.Cols, rows)
	for k := range m {
		for i := range rows {
			for j, x := range p.Row(k*rows + i) {
				out.Data[(k*p.Cols+j)*rows+i] = x
			}
		}
	}
	return out
}

// Gram matrices up to wholeGram are decomposed whole. Eigenvalues below noise of the largest are
// rounding: vectors with them are random. Below rough, vectors are made orthogonal again.
const (
	wholeGram = 800
	noise     = 1e-13
	rough     = 1e-6
)

// next returns the top r left singular vectors B of Y = [W_1·X | … | W_m·X] and Yᵀ·B. With the
// Gram matrix C = Yᵀ·Y = Q·Λ·Qᵀ they are B = Y·Q·Λ^(−½), and Yᵀ·B = C·Q·Λ^(−½). Start is Yᵀ of
// the last B, nil for none. Q·Λ^(−½) is returned as well, with columns of 0 where Y has too low a rank.
func (h *iteration) next(ctx context.Context, s *side, x *Panel, r int, start *Panel,
	rng *rand.Rand) (b, cross, q *Panel, err error) {
	c, err := s.gram(ctx, h.Workers, x)
	if err != nil {
		return nil, nil, nil, err
	}
	values, q, err := h.top(ctx, c, r, start)
	if err != nil {
		return nil, nil, nil, err
	}
	kept := 0
	for kept < len(values) && values[kept] > noise*values[0] {
		kept++
	}
	q = q.columns(kept)
	for i := range q.Rows {
		for j, v := range q.Row(i) {
			q.Row(i)[j] = v / math.Sqrt(values[j])
		}
	}
	if b, err = s.times(ctx, h.Workers, x, q); err != nil {
		return nil, nil, nil, err
	}
	if kept == r && values[kept-1] > rough*values[0] {
		cross, err = Product(ctx, h.Workers, c, q)
		return b, cross, q, err
	}
	b = b.widened(r)
	if err := Orthonormalize(ctx, h.Workers, b, rng); err != nil {
		return nil, nil, nil, err
	}
	cross, err = s.cross(ctx, h.Workers, x, b)
	return b, cross, q.widened(r), err
}

// Rounds of subspace iteration in a Gram matrix that is not decomposed whole. Those that start from
// the last factor lose nothing of what it captured, and the sweeps go on from there.
const (
	firstRounds = 20
	laterRounds = 4
)

// top returns the r largest eigenvalues of a Gram matrix, fewer if it is smaller, by falling value.
func (h *iteration) top(ctx context.Context, c *Panel, r int, start *Panel) ([]float64, *Panel, error) {
	if c.Rows <= wholeGram {
		values, q, ok := symmetricEigen(c)
		if !ok {
			return nil, nil, errEigen
		}
		r = min(r, len(values))
		return values[:r], q.columns(r), nil
	}
	rounds := firstRounds
	if start != nil {
		rounds = laterRounds
	}
	return TopEigen(ctx, dense{c}, r, EigenOptions{Rounds: rounds, Tolerance: h.Tolerance * 1e-3, Start: start,
		Seed: h.Seed, Workers: h.Workers})
}

// widened returns the panel with columns of 0 up to the width.
func (p *Panel) widened(cols int) *Panel {
	out := NewPanel(p.Rows, cols)
	for i := range p.Rows {
		copy(out.Row(i), p.Row(i))
	}
	return out
}

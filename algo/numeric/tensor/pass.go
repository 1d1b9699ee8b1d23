package tensor

import (
	"context"
	"math"

	"parlance/algo/numeric/parallel"
)

// pass finds the R_k that are best for A, and with more what the next step of A needs. It returns
// the objective, +Inf where values are no longer finite.
func (f *fit) pass(ctx context.Context, more bool) (float64, error) {
	if !finite(f.a) {
		return math.Inf(1), errNotFinite
	}
	if err := f.decompose(ctx); err != nil {
		return 0, err
	}
	f.square = dot(f.a, f.a)
	for i := range f.t.batches {
		b := &f.t.batches[i]
		err := parallel.For(ctx, f.workers, b.to-b.from, func(w, k int) error {
			return f.relation(ctx, b.from+k, f.scratch[w], more)
		})
		if err == nil && more {
			err = f.sum(ctx, b, i == 0)
		}
		if err != nil {
			return 0, err
		}
	}
	if more {
		if err := f.curvature(ctx); err != nil {
			return 0, err
		}
	}
	if value := f.objective(); !math.IsNaN(value) && !math.IsInf(value, 0) {
		return value, nil
	}
	return math.Inf(1), errNotFinite
}

// objective is ½ (‖X‖² − Σ ⟨M_k, R_k⟩) + ½λ‖A‖². It holds for the best R_k only, as then
// G_l R_k G_r + λ R_k = M_k = A_l' X_k A_r, so that half of ⟨M_k, R_k⟩ pays for ‖A_l R_k A_r'‖² + λ‖R_k‖².
func (f *fit) objective() float64 {
	sum := f.t.square
	for _, x := range f.loss {
		sum -= x
	}
	return sum/2 + f.L2*f.square/2
}

// relation finds R_k. T = X_k A takes the cells once; M = A_P' T, and with more what X_k gives to the
// next A stays in the buffers: T R_k' for the rows P, A_P R_k for the columns.
func (f *fit) relation(ctx context.Context, k int, scratch []float64, more bool) error {
	s, r := &f.t.slices[k], f.r
	n := len(s.rows)
	t, p := f.w[s.at*r:(s.at+n)*r], f.e[s.at*r:(s.at+n)*r]
	m := f.rel[k]
	clear(m)
	for b := range parallel.Blocks(n, rowBlock) {
		if err := ctx.Err(); err != nil {
			return err
		}
		from, to := parallel.Block(b, n, rowBlock)
		f.gather(p[from*r:], s.rows[from:to])
		f.cells(t, s, from, to)
		multiply(m, p[from*r:], t[from*r:], r, to-from, r, true, false, true)
	}
	f.loss[k] = f.solveRelation(m, &f.sides[s.rowSet], &f.sides[s.colSet], scratch)
	for b := 0; more && b < parallel.Blocks(n, rowBlock); b++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		from, to := parallel.Block(b, n, rowBlock)
		x := scratch[:(to-from)*r]
		copy(x, t[from*r:to*r])
		multiply(t[from*r:], x, m, to-from, r, r, false, true, false)
		copy(x, p[from*r:to*r])
		multiply(p[from*r:], x, m, to-from, r, r, false, false, false)
	}
	return nil
}

// cells sets rows of T = X_k A.
func (f *fit) cells(t []float64, s *slice, from, to int) {
	r := f.r
	for i := from; i < to; i++ {
		row := t[i*r : (i+1)*r]
		clear(row)
		for c := s.offsets[i]; c < s.offsets[i+1]; c++ {
			e := int(s.cols[c])
			add(row, s.value(c), f.a[e*r:(e+1)*r])
		}
	}
}

// solveRelation replaces M by the R with G_l R G_r + λR = M, elementwise in the bases of both sides:
// R = V_l ((V_l' M V_r) ⊘ (s_l s_r' + λ)) V_r' (Chang et al. 2014, algorithm 1), and returns ⟨M, R⟩.
// Where s_l s_r + λ is 0, R is 0 there.
func (f *fit) solveRelation(m []float64, left, right *side, scratch []float64) float64 {
	r, cl, cr := f.r, left.width(), right.width()
	if left.basis == nil {
		return divide(m, left.values, right.values, f.L2)
	}
	half, y := scratch[:r*r], scratch[r*r:2*r*r]
	multiply(half, left.basis, m, cl, r, r, true, false, false)
	multiply(y, half, right.basis, cl, r, cr, false, false, false)
	product := divide(y[:cl*cr], left.values, right.values, f.L2)
	multiply(half, y, right.basis, cl, cr, r, false, true, false)
	multiply(m, left.basis, half, r, cl, r, false, false, false)
	return product
}

// divide replaces y by y ⊘ (s_l s_r' + λ) and returns the product of both.
func divide(y, left, right []float64, l2 float64) float64 {
	product := 0.0
	for i, a := range left {
		row := y[i*len(right) : (i+1)*len(right)]
		for j, b := range right {
			if d := a*b + l2; d > 0 {
				x := row[j]
				row[j] = x / d
				product += x * row[j]
			} else {
				row[j] = 0
			}
		}
	}
	return product
}

// sum makes F = Σ X_k A R_k' + X_k' A R_k, entity by entity in the order of the terms.
func (f *fit) sum(ctx context.Context, b *batch, first bool) error {
	r := f.r
	size := f.t.share()
	return parallel.For(ctx, f.workers, parallel.Blocks(f.t.n, size), func(_, i int) error {
		from, to := parallel.Block(i, f.t.n, size)
		for e := from; e < to; e++ {
			row := f.f[e*r : (e+1)*r]
			if first {
				clear(row)
			}
			for _, x := range b.terms[b.offsets[e]:b.offsets[e+1]] {
				src := f.w
				if x.cell {
					src = f.e
				}
				add(row, x.value, src[int(x.row)*r:(int(x.row)+1)*r])
			}
		}
		return nil
	})
}

// rotate decomposes A'A = V S V' and turns A to A V.
func (f *fit) rotate(ctx context.Context) error {
	g, err := f.wholeGram(ctx)
	if err != nil {
		return err
	}
	s := &f.sides[0]
	if s.values, err = eigen(g, f.r); err != nil {
		return err
	}
	clip(s.values)
	r, size := f.r, f.t.share()
	turn := func(a []float64) error {
		return parallel.For(ctx, f.workers, parallel.Blocks(f.t.n, size), func(w, b int) error {
			from, to := parallel.Block(b, f.t.n, size)
			x := f.scratch[w][:(to-from)*r]
			copy(x, a[from*r:to*r])
			multiply(a[from*r:], x, g, to-from, r, r, false, false, false)
			return nil
		})
	}
	if f.Safeguard {
		if err := turn(f.last); err != nil {
			return err
		}
	}
	return turn(f.a)
}

// wholeGram is A'A in parts of a fixed size, added in their order.
func (f *fit) wholeGram(ctx context.Context) ([]float64, error) {
	n, r := f.t.n, f.r
	size := max(f.t.share(), (n+15)/16)
	parts := make([][]float64, parallel.Blocks(n, size))
	err := parallel.For(ctx, f.workers, len(parts), func(_, i int) error {
		from, to := parallel.Block(i, n, size)
		parts[i] = make([]float64, r*r)
		outer(parts[i], f.a[from*r:], r, to-from, true)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, p := range parts[1:] {
		add(parts[0], 1, p)
	}
	return parts[0], nil
}

// dot is a'b.
func dot(a, b []float64) float64 { return dense.Ddot(len(a), a, 1, b, 1) }

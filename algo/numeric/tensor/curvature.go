package tensor

import (
	"context"
	"math"

	"parlance/algo/numeric/parallel"
)

// usesPerPart is how many relations one task adds up.
const usesPerPart = 8

// curvature finds for each set what its entities add to their system: B_k = R_k G_r R_k' for each
// relation k that it is the left side of, C_k = R_k' G_l R_k for each that it is the right side of.
func (f *fit) curvature(ctx context.Context) error {
	type part struct {
		set  int
		uses []use
		h    []float64
	}
	var parts []part
	for s, uses := range f.t.uses {
		for b := range parallel.Blocks(len(uses), usesPerPart) {
			from, to := parallel.Block(b, len(uses), usesPerPart)
			parts = append(parts, part{set: s, uses: uses[from:to]})
		}
	}
	err := parallel.For(ctx, f.workers, len(parts), func(w, i int) error {
		parts[i].h = f.part(parts[i].uses, f.scratch[w])
		return nil
	})
	if err != nil {
		return err
	}
	clear(f.h)
	for _, p := range parts {
		if f.h[p.set] == nil {
			f.h[p.set] = p.h
		} else {
			add(f.h[p.set], 1, p.h)
		}
	}
	return nil
}

// part adds up the relations of a task, as a packed triangle.
func (f *fit) part(uses []use, scratch []float64) []float64 {
	r := f.r
	h, x := scratch[:r*r], scratch[r*r:2*r*r]
	clear(h)
	for _, u := range uses {
		s := &f.t.slices[u.relation]
		other := &f.sides[s.colSet]
		if !u.row {
			other = &f.sides[s.rowSet]
		}
		c := other.width()
		m := f.rel[u.relation]
		switch {
		case other.basis != nil:
			multiply(x, m, other.root, r, r, c, !u.row, false, false)
			outer(h, x, r, c, false)
		case u.row:
			scaleColumns(x, m, other.values, r)
			outer(h, x, r, r, false)
		default:
			scaleRows(x, m, other.values)
			outer(h, x, r, r, true)
		}
	}
	return pack(h, r)
}

// scaleColumns sets x to m S^½, m being r×c.
func scaleColumns(x, m, values []float64, r int) {
	c := len(values)
	for j, v := range values {
		root := math.Sqrt(v)
		for i := range r {
			x[i*c+j] = m[i*c+j] * root
		}
	}
}

// scaleRows sets x to S^½ m.
func scaleRows(x, m, values []float64) {
	r := len(values)
	for i, v := range values {
		root := math.Sqrt(v)
		for j, y := range m[i*r : (i+1)*r] {
			x[i*r+j] = y * root
		}
	}
}

// pack copies the upper triangle, row after row.
func pack(h []float64, r int) []float64 {
	p := make([]float64, 0, r*(r+1)/2)
	for i := range r {
		p = append(p, h[i*r+i:(i+1)*r]...)
	}
	return p
}

// unpack sets the upper triangle of h to p + λI.
func unpack(h, p []float64, r int, l2 float64) {
	for i := range r {
		n := copy(h[i*r+i:(i+1)*r], p)
		h[i*r+i] += l2
		p = p[n:]
	}
}

package tensor

import (
	"context"

	"parlance/algo/numeric/parallel"
)

// Use is a relation that an entity may be subject or object of, with what may stand at the other side,
// at least one entity.
type Use struct {
	Relation int
	Object   bool // the entity is the object
	Others   []int32
}

// Systems makes the systems that vectors of entities solve, a_i = H_i⁻¹ f_i. It keeps the product of
// vectors A_o'A_o of each list of others, which it tells apart by where they are stored, and is for one
// goroutine.
type Systems struct {
	factors *Factors
	l2      float64
	grams   map[*int32][]float64
}

// NewSystems takes a decomposition and its λ.
func NewSystems(f *Factors, l2 float64) *Systems {
	return &Systems{f, l2, map[*int32][]float64{}}
}

// Inverse is H⁻¹, its pseudo-inverse where H is singular:
//
//	H = λI + Σ_k R_k A_o'A_o R_k' + Σ_k R_k' A_o'A_o R_k
//
// over the relations that the entity is subject, and object, of. It takes O(r³) operations a use and
// O(r²) an entity of each new list of others.
func (s *Systems) Inverse(ctx context.Context, uses []Use) ([]float64, error) {
	r := s.factors.Rank
	h, x := make([]float64, r*r), make([]float64, r*r)
	for _, u := range uses {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		g, err := s.gram(ctx, u.Others)
		if err != nil {
			return nil, err
		}
		m := s.factors.R[u.Relation]
		multiply(x, m, g, r, r, r, u.Object, false, false)
		multiply(h, x, m, r, r, r, false, !u.Object, true)
	}
	for i := range r {
		h[i*r+i] += s.l2
	}
	return h, inverse(h, r)
}

// gram is A_o'A_o.
func (s *Systems) gram(ctx context.Context, others []int32) ([]float64, error) {
	if g, ok := s.grams[&others[0]]; ok {
		return g, nil
	}
	r := s.factors.Rank
	g, rows := make([]float64, r*r), make([]float64, min(len(others), rowBlock)*r)
	for b := range parallel.Blocks(len(others), rowBlock) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		from, to := parallel.Block(b, len(others), rowBlock)
		for i, e := range others[from:to] {
			copy(rows[i*r:(i+1)*r], s.factors.A[int(e)*r:(int(e)+1)*r])
		}
		outer(g, rows, r, to-from, true)
	}
	mirror(g, r)
	s.grams[&others[0]] = g
	return g, nil
}

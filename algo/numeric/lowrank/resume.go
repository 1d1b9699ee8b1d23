package lowrank

import (
	"errors"
	"math/rand/v2"
)

// TuckerState is what a decomposition goes on from after a sweep. It is live: what saves it copies it.
type TuckerState struct {
	Start     int  // from 0
	Converged bool // the best of the starts before
	Random    *rand.PCG

	// Vectors are Captured, V and S; then Captured, U, V, S, Left and Right of the best start before, if there is one.
	Vectors [][]float64
}

// state is the state between two sweeps.
func (a *ascent) state() *TuckerState {
	s := &TuckerState{Start: a.start, Random: a.source, Vectors: [][]float64{a.t.Captured, a.t.V.Data, a.core.Data}}
	b := a.best
	if b == nil {
		return s
	}
	var core, left, right []float64
	for _, x := range b.Core {
		core = append(core, x.Data...)
	}
	if b.Left != nil {
		left, right = b.Left.Data, b.Right.Data
	}
	s.Converged, s.Vectors = b.Converged, append(s.Vectors, b.Captured, b.U.Data, b.V.Data, core, left, right)
	return s
}

// errState tells that a state is not that of the decomposition.
var errState = errors.New("the state is that of other slices or of another rank")

// restore sets the state.
func (h *iteration) restore(a *ascent, norm float64) error {
	s, ok := h.From, true
	panel := func(data []float64, rows, cols int) *Panel {
		ok = ok && len(data) == rows*cols
		return &Panel{rows, cols, data}
	}
	d, n, m := h.slices[0].Rows, h.slices[0].Cols, len(h.slices)
	if len(s.Vectors) != 3 && len(s.Vectors) != 9 || len(s.Vectors[0]) == 0 || s.Start < 0 {
		return errState
	}
	v := s.Vectors
	a.start, a.source = s.Start, s.Random
	a.t = &Tucker{V: panel(v[1], n, h.right), Norm: norm, Captured: v[0]}
	a.core = panel(v[2], m*h.left, h.right)
	if v = v[3:]; ok && len(v) > 0 {
		core := panel(v[3], m*h.left, h.right)
		a.best = &Tucker{U: panel(v[1], d, h.left), V: panel(v[2], n, h.right), Norm: norm, Captured: v[0],
			Converged: s.Converged}
		if ok = ok && len(v[0]) > 0; ok {
			a.best.Core = h.parted(core)
		}
		if h.Project {
			a.best.Left, a.best.Right = panel(v[4], m*h.right, h.left), panel(v[5], m*h.left, h.right)
		}
	}
	if !ok {
		return errState
	}
	return nil
}

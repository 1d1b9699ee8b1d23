package logistic

import (
	"fmt"

	"parlance/algo/engine/chain"
	"parlance/algo/numeric/optimize"
)

// State is what a fit goes on from after a sweep, with vectors that its method knows. It is live: what saves it
// copies it.
type State struct {
	Sweep     int
	Objective float64
	Active    int // weights that are not 0
	Vectors   [][]float64
}

// save saves the state after a sweep that others follow. S and T are left out: sweeps after which refresh has
// computed them from the weights are the only ones to go on from.
func (f *fit) save(s Sweep) error {
	if f.o.Save == nil || s.Number == f.o.Sweeps || s.Number%f.o.Refresh != 0 && !f.scales() {
		return nil
	}
	return f.o.Save(&State{s.Number, s.Objective, s.Active, [][]float64{f.past, f.st.w, f.plane.move, f.plane.scores}})
}

// restore sets the state that save saved.
func (f *fit) restore(s *State) error {
	if len(s.Vectors) != 4 || s.Sweep < 1 || len(s.Vectors[0]) != s.Sweep+1 || len(s.Vectors[1]) != len(f.st.w) {
		return f.foreign()
	}
	f.past = s.Vectors[0]
	copy(f.st.w, s.Vectors[1])
	f.st.refresh()
	if !f.faster {
		return nil
	}
	f.plane.allocate()
	if len(s.Vectors[2]) != len(f.plane.move) || len(s.Vectors[3]) != len(f.plane.scores) {
		return f.foreign()
	}
	copy(f.plane.move, s.Vectors[2])
	copy(f.plane.scores, s.Vectors[3])
	return nil
}

func (f *fit) foreign() error {
	return fmt.Errorf("%w: the state is not that of %s over %d features", chain.ErrInvalid, f.o.Method, f.p.Features())
}

// boxState takes a state of blmvm apart: objectives, point, gradient, and as many differences of both.
func (f *fit) boxState() (past []float64, box *optimize.BoxState, err error) {
	v := f.o.From.Vectors
	if len(v) < 3 || len(v)%2 == 0 || len(v[0]) != f.o.From.Sweep {
		return nil, nil, f.foreign()
	}
	pairs := (len(v) - 3) / 2
	return v[0], &optimize.BoxState{Iteration: f.o.From.Sweep, Objective: f.o.From.Objective, X: v[1], G: v[2],
		S: v[3 : 3+pairs : 3+pairs], Y: v[3+pairs:]}, nil
}

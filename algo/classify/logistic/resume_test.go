package logistic

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"parlance/algo/engine/chain"
)

// saved fits and copies the states that are saved.
func saved(t *testing.T, p *Problem, o Options) (states []State, w []float64, status Status) {
	t.Helper()
	o.Save = func(s *State) error {
		c := *s
		c.Vectors = nil
		for _, v := range s.Vectors {
			c.Vectors = append(c.Vectors, slices.Clone(v))
		}
		states = append(states, c)
		return nil
	}
	w, status, err := Fit(background, p, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return states, w, status
}

// TestResumes goes on from every state that is saved: weights and the way to end are those of a fit without an
// interruption, and no sweep is done again.
func TestResumes(t *testing.T) {
	for seed := range uint64(4) {
		p := random(t, 500+seed, seed%2 == 0)
		widths := p.Single(0.3)
		for _, m := range methods {
			for _, o := range []Options{
				{Method: m, L2: 0.3, Sweeps: 23, Seed: seed, Refresh: 2},
				{Method: m, L2: 0.1, Plain: true, Cyclic: true, Period: 3, Delta: 1e-3, Refresh: 3},
				{Method: m, L2: 0.1, Widths: widths, Epsilon: 1e-4, Sweeps: 200},
			} {
				if o.Widths != nil && (m == SCGIS || m == GIS || m == IIS) {
					continue
				}
				name := fmt.Sprintf("seed %d, %s, widths %v, plain %v", seed, m, o.Widths != nil, o.Plain)
				states, want, status := saved(t, p, o)
				if o.Sweeps == 23 && len(states) == 0 {
					t.Errorf("%s: no state is saved", name)
				}
				for i := range states {
					from := o
					from.From = &states[i]
					next := states[i].Sweep + 1
					w, again, err := Fit(background, p, from, func(s Sweep) bool {
						if s.Number != next {
							t.Errorf("%s: sweep %d follows %d", name, s.Number, next-1)
						}
						next++
						return false
					})
					if err != nil || again != status || !slices.Equal(w, want) {
						t.Fatalf("%s: from state %d of %d: %s, want %s; weights %v, want %v; %v",
							name, i+1, len(states), again, status, w, want, err)
					}
				}
			}
		}
	}
}

// TestStatesOfOthers: states of other methods or problems are refused.
func TestStatesOfOthers(t *testing.T) {
	p, q := random(t, 1, true), random(t, 2, true)
	for _, m := range methods {
		states, _, _ := saved(t, p, Options{Method: m, L2: 0.1, Sweeps: 12})
		if _, _, err := Fit(background, q, Options{Method: m, L2: 0.1, From: &states[0]}, nil); err == nil {
			t.Errorf("%s takes the state of another problem", m)
		}
		states[0].Vectors = states[0].Vectors[:2]
		_, _, err := Fit(background, p, Options{Method: m, L2: 0.1, From: &states[0]}, nil)
		if !errors.Is(err, chain.ErrInvalid) {
			t.Errorf("%s takes half a state: %v", m, err)
		}
	}
}

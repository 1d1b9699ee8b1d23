package lowrank

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// copied is a state that stays as it is.
func copied(s *TuckerState) *TuckerState {
	source := *s.Random
	c := &TuckerState{Start: s.Start, Converged: s.Converged, Random: &source}
	for _, v := range s.Vectors {
		c.Vectors = append(c.Vectors, slices.Clone(v))
	}
	return c
}

// TestTuckerResumes goes on from every state that is saved, with the same bits.
func TestTuckerResumes(t *testing.T) {
	for name, c := range map[string]struct {
		rows, cols, slices, values int
		o                          TuckerOptions
	}{
		"one start": {20, 15, 3, 60, TuckerOptions{Rank: 4, Sweeps: 6, Project: true}},
		"starts":    {20, 15, 3, 60, TuckerOptions{Rank: 4, Sweeps: 6, Random: true, Restarts: 4, Seed: 1}},
		"projectors": {20, 15, 3, 60,
			TuckerOptions{Rank: 4, Sweeps: 6, Random: true, Restarts: 4, Seed: 2, Project: true}},
		"low ranks":       {30, 30, 2, 3, TuckerOptions{Rank: 9, Sweeps: 6, Random: true, Restarts: 2, Seed: 3}},
		"subspace rounds": {110, 110, 8, 900, TuckerOptions{Rank: 101, Sweeps: 2}},
	} {
		if testing.Short() && c.rows > 100 {
			continue
		}
		var w []*Matrix
		rng := rand.New(rand.NewPCG(31, 1))
		for range c.slices {
			entries := make([]Entry, c.values)
			for i := range entries {
				entries[i] = Entry{uint32(rng.IntN(c.rows)), uint32(rng.IntN(c.cols)), 1 + rng.Float64()}
			}
			m, err := NewMatrix(c.rows, c.cols, entries)
			if err != nil {
				t.Fatal(err)
			}
			w = append(w, m)
		}
		o := c.o
		o.Tolerance, o.Workers = 1e-300, 1
		var states []*TuckerState
		o.Save = func(s *TuckerState) error { states = append(states, copied(s)); return nil }
		want := decompose(t, w, o)
		if len(states) == 0 {
			t.Fatalf("%s: no state is saved", name)
		}
		for i, s := range states {
			o.Save, o.From = nil, s
			next := len(s.Vectors[0]) + 1
			o.Report = func(start, sweep int, _ float64) {
				if start == s.Start+1 && sweep != next {
					t.Errorf("%s: sweep %d follows %d", name, sweep, next-1)
				}
				next++
			}
			if got := decompose(t, w, o); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: from state %d of %d the decomposition differs", name, i+1, len(states))
			}
		}
		for _, s := range states {
			s.Vectors[1] = s.Vectors[1][1:]
			if o.From = s; second(NewTucker(background, w, o)) == nil {
				t.Errorf("%s: the state of other slices is taken", name)
			}
		}
	}
}

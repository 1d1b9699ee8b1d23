package solver

import (
	"math/rand/v2"
	"testing"
)

// TestWorkingSetDecidesAsAll: w·x of a sample is the same from the working set as from all weights,
// with samples outside of it at both bounds, and stays so while passes move the samples.
func TestWorkingSetDecidesAsAll(t *testing.T) {
	x, y := blobs(120)
	for _, squared := range []bool{false, true} {
		o := Linear{C: .3, Squared: squared, Bias: 1, Shrinking: true}
		s := o.start(x, y, NewColumnMap(x.Width))
		rng := rand.New(rand.NewPCG(1, 2))
		for round := range 3 {
			if _, err := s.pass(background, rng); err != nil {
				t.Fatal(err)
			}
			if round > 0 {
				s.active = sequence(len(s.set.ids) / 2)
				s.narrow()
			}
			if _, err := s.pass(background, rng); err != nil {
				t.Fatal(err)
			}
			w, left, beside := s.weights(), 0, 0
			for p, i := range s.set.ids {
				got := s.set.x.dot(s.set.w, p) + s.Bias*s.set.w[s.set.x.Width] + s.set.rest[p] +
					float64(s.y[i])*s.alpha[i]*s.set.own[p]
				near(t, "w·x", got, x.Decide(w, s.Bias, int(i)), 1e-9)
				if s.set.own[p] > 0 {
					left++
				}
				if s.set.rest[p] != 0 {
					beside++
				}
			}
			if round > 0 && (left == 0 || beside == 0) {
				t.Errorf("round %d: no column of one sample is met", round)
			}
		}
	}
}

// TestPassesVisitWhatMoves: the samples that are visited are few of all those of the passes, and the
// optimum is that of visiting all.
func TestPassesVisitWhatMoves(t *testing.T) {
	x, y := blobs(1500)
	o := Linear{C: 1, Squared: true, Bias: 1, Epsilon: .01, Iterations: 1000, Seed: 1}
	want, err := o.Binary(background, x, y, NewColumnMap(x.Width))
	if err != nil {
		t.Fatal(err)
	}
	o.Shrinking = true
	got, err := o.Binary(background, x, y, NewColumnMap(x.Width))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "the dual", got.Dual, want.Dual, 1e-4*want.Dual)
	if want.Visits != int64(want.Iterations*x.Len()) {
		t.Errorf("%d visits in %d passes over all", want.Visits, want.Iterations)
	}
	if !got.Converged || 2*got.Visits > want.Visits {
		t.Errorf("%d visits, %d without shrinking", got.Visits, want.Visits)
	}
}

package metrics

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestAUC: against all pairs of a right and a wrong item, with ties, and with items that stand several times.
func TestAUC(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		n := 2 + rng.IntN(12)
		right, scores, times := make([]bool, n), make([]float64, n), make([]float64, n)
		for i := range n {
			right[i], scores[i], times[i] = rng.IntN(2) == 0, float64(rng.IntN(5)), float64(rng.IntN(3))
		}
		right[0], right[1], times[0], times[1] = true, false, 1, 1
		sum := func(w []float64) float64 {
			hits, pairs := 0.0, 0.0
			for i := range n {
				for j := range n {
					if right[i] && !right[j] {
						pairs += w[i] * w[j]
						switch {
						case scores[i] > scores[j]:
							hits += w[i] * w[j]
						case scores[i] == scores[j]:
							hits += w[i] * w[j] / 2
						}
					}
				}
			}
			return hits / pairs
		}
		m, err := AUC(All, right, scores)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Value(); math.Abs(got-sum(ones(n))) > 1e-12 {
			t.Fatalf("%v %v: %v, want %v", right, scores, got, sum(ones(n)))
		}
		if got := m.Sample.Weighted()(times); math.Abs(got-sum(times)) > 1e-12 {
			t.Fatalf("weighted: %v, want %v", got, sum(times))
		}
	}
	for _, all := range []bool{true, false} {
		if _, err := AUC(All, []bool{all, all}, []float64{1, 2}); err == nil {
			t.Error("items of one sort have an area")
		}
	}
}

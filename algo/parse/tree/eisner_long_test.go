package tree

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestLongSums: ln Z and probabilities of long sentences are those of sums over logarithms, without them.
func TestLongSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, single := range []bool{false, true} {
		for _, c := range []struct {
			n     int
			width float64
		}{{300, 1}, {300, 4}, {300, 30}, {500, 2}} {
			var p Parts
			p.Full(c.n)
			p.Reset(Dep)
			score := make([]float64, p.Len())
			for i := range score {
				score[i] = c.width * rng.NormFloat64()
			}
			e := NewEisner(single)
			mu, want := make([]float64, p.Len()), make([]float64, p.Len())
			z, ok := e.Marginals(&p, score, mu)
			if !ok || e.sum.logs > 0 {
				t.Errorf("single root %v, %d tokens, width %g: summed %v, %d times over logarithms", single, c.n, c.width,
					ok, e.sum.logs)
			}
			wantZ, _ := e.logMarginals(&p, score, want)
			if math.Abs(z-wantZ) > 1e-6*math.Abs(wantZ) {
				t.Errorf("single root %v, %d tokens, width %g: ln Z %g, want %g", single, c.n, c.width, z, wantZ)
			}
			for i := range mu {
				if math.Abs(mu[i]-want[i]) > 1e-7 {
					t.Fatalf("single root %v, %d tokens, width %g: arc %d has %g, want %g", single, c.n, c.width, i, mu[i], want[i])
				}
			}
		}
	}
}

// BenchmarkLongSums sums the trees of 900 tokens.
func BenchmarkLongSums(b *testing.B) {
	rng := rand.New(rand.NewPCG(7, 8))
	var p Parts
	p.Full(900)
	p.Reset(Dep)
	score, mu := make([]float64, p.Len()), make([]float64, p.Len())
	for i := range score {
		score[i] = 2 * rng.NormFloat64()
	}
	e := NewEisner(true)
	b.Run("weights", func(b *testing.B) {
		for range b.N {
			e.Marginals(&p, score, mu)
		}
	})
	b.Run("logarithms", func(b *testing.B) {
		for range b.N {
			e.logMarginals(&p, score, mu)
		}
	})
}

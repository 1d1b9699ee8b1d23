package online

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// drawn returns vectors of n features of value 1 among places.
func drawn(vectors, n, places int) []Vector {
	rng, out := rand.New(rand.NewPCG(1, 1)), make([]Vector, vectors)
	for i := range out {
		var terms []Term
		for range n {
			terms = append(terms, Term{uint64(rng.IntN(places)), 1})
		}
		out[i] = Collect(terms)
	}
	return out
}

// BenchmarkUpdate is a passive-aggressive update by two vectors of 500 features, with the lazy mean and without one.
func BenchmarkUpdate(b *testing.B) {
	for _, places := range []int{100_000, 10_000_000} {
		for _, averaged := range []bool{false, true} {
			b.Run(fmt.Sprintf("places=%d/averaged=%v", places, averaged), func(b *testing.B) {
				v, w := drawn(1000, 500, places), NewWeights(places, averaged)
				for i := 0; b.Loop(); i++ {
					if _, err := w.Update(PassiveAggressive, v[i%1000], v[(i+1)%1000], 1, 0.1); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkCollect brings 500 terms into their order.
func BenchmarkCollect(b *testing.B) {
	v := drawn(1, 500, 1_000_000)[0]
	rng, terms := rand.New(rand.NewPCG(2, 2)), make([]Term, len(v))
	for b.Loop() {
		b.StopTimer()
		copy(terms, v)
		rng.Shuffle(len(terms), func(i, j int) { terms[i], terms[j] = terms[j], terms[i] })
		b.StartTimer()
		Collect(terms)
	}
}

// BenchmarkMIRA is Hildreth's method on the k best outputs, of 500 features each.
func BenchmarkMIRA(b *testing.B) {
	for _, k := range []int{1, 5, 20} {
		b.Run(fmt.Sprintf("k=%d", k), func(b *testing.B) {
			deltas, losses := drawn(k, 500, 100_000), make([]float64, k)
			for j := range losses {
				losses[j] = 3
			}
			for b.Loop() {
				Hildreth(deltas, losses, 1)
			}
		})
	}
}

// BenchmarkPegasos is a step by 500 features.
func BenchmarkPegasos(b *testing.B) {
	v, p := drawn(1000, 500, 100_000), NewPegasos(100_000, 1e-4)
	for i := 0; b.Loop(); i++ {
		if _, err := p.Step(v[i%1000], 1); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMean is the mean of a million weights.
func BenchmarkMean(b *testing.B) {
	w := NewWeights(1_000_000, true)
	w.Next()
	for b.Loop() {
		w.Mean()
	}
}

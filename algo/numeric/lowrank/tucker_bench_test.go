package lowrank

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkSweep sweeps over a tensor of the shape of WordNet's synonyms and antonyms at rank 100.
func BenchmarkSweep(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	slice := func(rows, values int) *Matrix {
		entries := make([]Entry, values)
		for i := range entries {
			entries[i] = Entry{uint32(i % rows), uint32(rng.IntN(147306)), 1 + rng.Float64()}
		}
		m, err := NewMatrix(117659, 147306, entries)
		if err != nil {
			b.Fatal(err)
		}
		return m
	}
	w := []*Matrix{slice(117659, 206978), slice(12000, 40000)}
	for b.Loop() {
		o := TuckerOptions{Rank: 100, Sweeps: 2, Tolerance: 1e-15, Random: true, Workers: 1}
		if _, err := NewTucker(background, w, o); err != nil {
			b.Fatal(err)
		}
	}
}

package depparser

import (
	"math/rand/v2"
	"testing"

	"parlance/algo/engine/online"
)

// BenchmarkSums is what learning asks of the weights: 10,000 are read, at random as hashing does, and 500 moved. It
// tells what single precision is for: table has it, package online does not.
func BenchmarkSums(b *testing.B) {
	const bits, read, moved = 22, 10_000, 500
	rng := rand.New(rand.NewPCG(1, 1))
	places := make([]uint32, 1<<20)
	for i := range places {
		places[i] = rng.Uint32N(1 << bits)
	}
	run := func(name string, at func(uint32) float64, add func(uint32, float64)) {
		b.Run(name, func(b *testing.B) {
			k, sum := 0, 0.0
			for b.Loop() {
				for _, p := range places[k : k+read] {
					sum += at(p)
				}
				for _, p := range places[k : k+moved] {
					add(p, 1)
				}
				if k += read; k+read > len(places) {
					k = 0
				}
			}
			if sum < 0 {
				b.Fatal(sum)
			}
		})
	}
	t, w, step := newTable(bits), online.NewWeights(1<<bits, true), 0.0
	run("table", func(p uint32) float64 { return float64(t.w[p]) }, func(p uint32, d float64) {
		step++
		t.add(p, d, step)
	})
	run("online", func(p uint32) float64 { return w.W[p] }, func(p uint32, d float64) { w.Add(int(p), d); w.Next() })
}

package mrlsa

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"parlance/algo/kind"
)

// BenchmarkRelated asks for the five most related of 150,000 words, of a symmetric relation.
func BenchmarkRelated(b *testing.B) {
	const words = 150_000
	for _, rank := range []int{100, 300} {
		rng := rand.New(rand.NewPCG(1, 1))
		fill := func(n int) []float32 {
			out := make([]float32, n)
			for i := range out {
				out[i] = rng.Float32() + 0.5
			}
			return out
		}
		f := &factored{Rank: rank, Vectors: fill(words * rank), Cross: [][]float32{fill(rank * rank)},
			Lengths: [][]float32{fill(words)}, Slot: []int{0}, Sign: []float32{1}}
		m := &model{degree: f, Slices: []slice{{Name: "antonym", Symmetric: true}}}
		for i := range words {
			m.Words = append(m.Words, fmt.Sprint("w", i))
		}
		m.ready()
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("rank %d, workers %d", rank, workers), func(b *testing.B) {
				for b.Loop() {
					rows, err := m.Open(background, "related", row("w77", "antonym"), &kind.Run{Workers: workers})
					if err != nil {
						b.Fatal(err)
					}
					if _, err := rows.Next(background); err != nil {
						b.Fatal(err)
					}
					rows.Close()
				}
			})
		}
		b.Run(fmt.Sprintf("rank %d, degree", rank), func(b *testing.B) {
			for b.Loop() {
				m.between("w77", "w78", 0)
			}
		})
	}
}

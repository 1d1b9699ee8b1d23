package transitionparser

import (
	"math/rand/v2"
	"testing"

	"parlance/algo/engine/online"
)

// BenchmarkSums is what a decision asks of the weights of four outcomes: 60 rows are summed, at random as hashing does,
// and after every tenth two weights of each are moved. It tells what single precision is for: learner has it, package
// online does not.
func BenchmarkSums(b *testing.B) {
	const bits, rows, mistakes = 21, 60, 10
	rng := rand.New(rand.NewPCG(1, 1))
	list := make([]uint32, 1<<20)
	for i := range list {
		list[i] = rng.Uint32N(1 << bits)
	}
	run := func(name string, sum func([]uint32) float64, move func(row int)) {
		b.Run(name, func(b *testing.B) {
			k, n, total := 0, 0, 0.0
			for b.Loop() {
				total += sum(list[k : k+rows])
				if n++; n%mistakes == 0 {
					for _, r := range list[k : k+rows] {
						move(int(r))
					}
				}
				if k += rows; k+rows > len(list) {
					k = 0
				}
			}
			if total != total {
				b.Fatal(total)
			}
		})
	}
	l, w, now := newLearner(bits, 4), online.NewWeights(4<<bits, true), float32(0)
	var out [4]float32
	run("learner", func(rows []uint32) float64 { l.add4(rows, &out); return float64(out[0]) },
		func(row int) { now++; l.shift(row*4, mistake{right: 1, wrong: 2}, now) })
	run("online", func(rows []uint32) float64 {
		var a, b, c, d float64
		for _, r := range rows {
			x := (*[4]float64)(w.W[4*int(r):])
			a += x[0]
			b += x[1]
			c += x[2]
			d += x[3]
		}
		return a + b + c + d
	}, func(row int) { w.Add(row*4+1, 1); w.Add(row*4+2, -1); w.Next() })
}

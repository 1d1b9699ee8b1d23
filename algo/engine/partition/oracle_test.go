package partition

import (
	"math"
	"math/rand/v2"
)

// partitions yields all partitions of n items, numbered by first items.
func partitions(n int, yield func(labels []int32)) {
	labels := make([]int32, n)
	var walk func(i int, used int32)
	walk = func(i int, used int32) {
		if i == n {
			yield(labels)
			return
		}
		for c := range used + 1 {
			labels[i] = c
			walk(i+1, max(used, c+1))
		}
	}
	walk(0, 0)
}

// valueOf adds up weights inside clusters the slow way: −Inf where an infinite weight is not obeyed.
func valueOf(labels []int32, edges []Edge) (sum float64) {
	for _, e := range edges {
		switch together := labels[e.A] == labels[e.B]; {
		case math.IsInf(e.Weight, 1) && !together, math.IsInf(e.Weight, -1) && together:
			return math.Inf(-1)
		case together && !math.IsInf(e.Weight, 0):
			sum += e.Weight
		}
	}
	return sum
}

// bestOf enumerates.
func bestOf(n int, edges []Edge) float64 {
	best := math.Inf(-1)
	partitions(n, func(labels []int32) { best = max(best, valueOf(labels, edges)) })
	return best
}

// randomEdges draws pairs, some twice, with weights of a kind.
func randomEdges(rng *rand.Rand, n int, density float64, weight func() float64) (edges []Edge) {
	for a := range int32(n) {
		for b := range a {
			for rng.Float64() < density {
				edges = append(edges, Edge{a, b, weight()})
				if rng.IntN(8) > 0 {
					break
				}
			}
		}
	}
	return edges
}

// weights are kinds of weights: normal, tiny, of few values so that they tie, extreme, and with pairs that are decided.
func weights(rng *rand.Rand) []func() float64 {
	return []func() float64{
		rng.NormFloat64,
		func() float64 { return rng.NormFloat64() * 1e-12 },
		func() float64 { return float64(rng.IntN(5)-2) / 2 },
		func() float64 { return float64(rng.IntN(3)-1) * 800 },
		func() float64 {
			if rng.IntN(4) == 0 {
				return math.Inf(1 - 2*rng.IntN(2))
			}
			return rng.NormFloat64()
		},
	}
}

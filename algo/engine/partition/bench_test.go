package partition

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"parlance/algo/testutil/testtime"
)

// BenchmarkMove moves random items to the clusters of others, as samplers do.
func BenchmarkMove(b *testing.B) {
	for _, n := range []int{1_000, 1_000_000} {
		for _, name := range []string{"kept", "rolled back"} {
			b.Run(fmt.Sprintf("items=%d/%s", n, name), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(1, 2))
				labels := make([]int32, n)
				for i := range labels {
					labels[i] = int32(rng.IntN(n/5 + 1))
				}
				p := FromLabels(labels)
				start := testtime.Processor(b)
				for b.Loop() {
					if name != "kept" {
						p.Begin()
					}
					if i := rng.IntN(n); rng.IntN(4) > 0 {
						p.Move(i, p.Cluster(rng.IntN(n)))
					} else {
						p.Isolate(i)
					}
					if name != "kept" {
						p.Rollback()
					}
				}
				b.ReportMetric((testtime.Processor(b)-start)*1e9/float64(b.N), "cpu-ns/move")
			})
		}
	}
}

func BenchmarkSpanningForest(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 4))
	edges := planted(rng, 500, 10, 1, 1)
	start := testtime.Processor(b)
	for b.Loop() {
		if _, err := SpanningForest(context.Background(), 500, edges, 0); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric((testtime.Processor(b)-start)*1e3/float64(b.N), "cpu-ms")
}

// BenchmarkExact grows the component: normal weights are the hardest, clusters under noise are what models give.
func BenchmarkExact(b *testing.B) {
	for _, noise := range []float64{0, 1, 2} {
		for _, n := range []int{10, 14, 18, 22, 26, 30, 40} {
			name := fmt.Sprintf("clusters under noise %v/items=%d", noise, n)
			if noise == 0 {
				name = fmt.Sprintf("normal/items=%d", n)
			}
			b.Run(name, func(b *testing.B) {
				benchCorrelation(b, n, noise, Defaults())
				b.ReportMetric(greedyLoses(b, n, noise), "%greedy-loses")
			})
		}
	}
}

// BenchmarkGreedy clusters without a search.
func BenchmarkGreedy(b *testing.B) {
	for _, noise := range []float64{.3, .5, 1, 2} {
		for _, n := range []int{60, 200, 500} {
			name := fmt.Sprintf("noise=%v/items=%d", noise, n)
			b.Run(name, func(b *testing.B) { benchCorrelation(b, n, noise, Options{}) })
		}
	}
}

// benchGraphs are ten graphs, with normal weights where there is no noise.
func benchGraphs(n int, noise float64) (all [][]Edge) {
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 6))
		if noise > 0 {
			all = append(all, planted(rng, n, 5, 1, noise))
		} else {
			all = append(all, randomEdges(rng, n, 1, rng.NormFloat64))
		}
	}
	return all
}

// greedyLoses returns how far the values without a search are below those with one, in per cent on average.
func greedyLoses(b *testing.B, n int, noise float64) (sum float64) {
	for _, edges := range benchGraphs(n, noise) {
		best, err := Correlation(ctx, n, edges, Defaults())
		if err != nil {
			b.Fatal(err)
		}
		greedy, err := Correlation(ctx, n, edges, Options{})
		if err != nil {
			b.Fatal(err)
		}
		sum += (1 - greedy.Value/best.Value) * 10
	}
	return sum
}

func benchCorrelation(b *testing.B, n int, noise float64, o Options) {
	all := benchGraphs(n, noise)
	start, nodes, certified, gap := testtime.Processor(b), 0, 0, 0.0
	for b.Loop() {
		nodes, certified, gap = 0, 0, 0
		for _, edges := range all {
			c, err := Correlation(ctx, n, edges, o)
			if err != nil {
				b.Fatal(err)
			}
			if nodes += c.Nodes; c.Certified {
				certified++
			}
			gap += c.Gap() / c.Value
		}
	}
	b.ReportMetric((testtime.Processor(b)-start)*1e3/float64(b.N)/10, "cpu-ms/solve")
	b.ReportMetric(float64(nodes)/10, "nodes")
	b.ReportMetric(float64(certified)*10, "%certified")
	b.ReportMetric(gap*10, "%gap")
}

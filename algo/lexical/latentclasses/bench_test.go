package latentclasses

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"parlance/algo/lexical/cooccurrence"
	"parlance/algo/testutil/testtime"
)

// pairsOf draws pairs of words and contexts, both frequent as in text, from planted classes.
func pairsOf(words, contexts, pairs int) *cooccurrence.Matrix {
	rng := rand.New(rand.NewPCG(1, 1))
	zw, zc := rand.NewZipf(rng, 1.1, 20, uint64(words-1)), rand.NewZipf(rng, 1.1, 20, uint64(contexts-1))
	seen := map[uint64]float64{}
	for len(seen) < pairs {
		w, f := zw.Uint64(), zc.Uint64()
		if w%50 == f%50 || rng.IntN(8) == 0 {
			seen[w<<32|f]++
		}
	}
	m := &cooccurrence.Matrix{Words: make([]string, words), Contexts: make([]string, contexts)}
	rows := make([][]uint64, words)
	for key := range seen {
		rows[key>>32] = append(rows[key>>32], key)
	}
	x := &cooccurrence.Index{Start: []int{0}}
	for w := range rows {
		m.Words[w] = fmt.Sprint("w", w)
		for _, key := range rows[w] {
			x.IDs, x.Counts = append(x.IDs, uint32(key)), append(x.Counts, seen[key])
		}
		x.Start = append(x.Start, len(x.IDs))
	}
	for f := range m.Contexts {
		m.Contexts[f] = fmt.Sprint("f", f)
	}
	m.Rows = x.Sorted(contexts)
	return m
}

// BenchmarkIteration is an iteration of EM over a million pairs: cpu-s/op counts what this process computes.
func BenchmarkIteration(b *testing.B) {
	m := pairsOf(80000, 50000, 1000000)
	for _, c := range []struct {
		classes, workers, before int // iterations before those that are measured
		prune                    float64
	}{{50, 1, 1, 0}, {100, 1, 1, 0}, {100, 2, 1, 0}, {200, 1, 1, 0}, {200, 1, 20, 1e-3}} {
		b.Run(fmt.Sprintf("%d classes/%d workers/prune %v/after %d", c.classes, c.workers, c.prune, c.before),
			func(b *testing.B) {
				x := newMixture(m, c.classes, c.workers)
				if err := x.start(context.Background(), 1, 0); err != nil {
					b.Fatal(err)
				}
				step := func(i int) {
					prune := 0.0
					if i >= 3 {
						prune = c.prune
					}
					if _, err := x.step(context.Background(), prune); err != nil {
						b.Fatal(err)
					}
				}
				for i := range c.before {
					step(i)
				}
				cpu := testtime.Processor(b)
				b.ResetTimer()
				for i := range b.N {
					step(c.before + i)
				}
				b.ReportMetric((testtime.Processor(b)-cpu)/float64(b.N), "cpu-s/op")
			})
	}
}

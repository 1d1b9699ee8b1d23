package chart

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/tree"
	"parlance/algo/parse/tree/treetest"
	"parlance/algo/testutil/testtime"
)

// pruned are the candidates of a sentence of n tokens as a pruner leaves them: those of one projective
// tree and others up to arcs for each token, most of them near.
func pruned(p *tree.Parts, n, arcs int, f tree.Factorization, rng *rand.Rand) {
	keep := make([]bool, (n+1)*(n+1))
	w := n + 1
	var grow func(h, l, r int)
	grow = func(h, l, r int) { // all of [l,r] under h
		if l > r {
			return
		}
		m := l + rng.IntN(r-l+1)
		keep[h*w+m] = true
		to := r
		if h > 0 {
			to = m + rng.IntN(r-m+1)
		}
		grow(m, l, m-1)
		grow(m, m+1, to)
		grow(h, to+1, r)
	}
	grow(0, 1, n)
	for m := 1; m <= n; m++ {
		for left := arcs - 1; left > 0; {
			h := m + int(rng.NormFloat64()*4)
			if h >= 0 && h <= n && h != m && !keep[h*w+m] {
				keep[h*w+m] = true
				left--
			} else if rng.IntN(20) == 0 {
				left--
			}
		}
	}
	p.Keep(n, keep)
	p.Reset(f.Types())
}

// benchmark runs one decoder over sentences of 25 tokens, pruned to 3 arcs a token or with all arcs.
func benchmark(b *testing.B, run func(d *Chart, p *tree.Parts, score []float64) bool) {
	for _, f := range charts {
		for _, arcs := range []int{3, 25} {
			b.Run(fmt.Sprintf("%v/arcs=%d", f, arcs), func(b *testing.B) {
				const sentences, n = 20, 25
				rng := rand.New(rand.NewPCG(5, 6))
				ps, scores := make([]tree.Parts, sentences), make([][]float64, sentences)
				for i := range ps {
					if arcs < n {
						pruned(&ps[i], n, arcs, f, rng)
					} else {
						ps[i].Full(n)
						ps[i].Reset(f.Types())
					}
					scores[i] = treetest.Random(&ps[i], rng, 1)
				}
				d, i := New(f, true), 0
				start := testtime.Processor(b)
				for b.Loop() {
					if !run(d, &ps[i%sentences], scores[i%sentences]) {
						b.Fatal("no tree")
					}
					i++
				}
				b.ReportMetric((testtime.Processor(b)-start)*1e9/float64(b.N)/n, "cpu-ns/token")
			})
		}
	}
}

func BenchmarkBest(b *testing.B) {
	heads := make([]int32, 26)
	benchmark(b, func(d *Chart, p *tree.Parts, score []float64) bool {
		_, ok := d.Best(p, score, heads)
		return ok
	})
}

func BenchmarkMarginals(b *testing.B) {
	var mu []float64
	benchmark(b, func(d *Chart, p *tree.Parts, score []float64) bool {
		mu = buffer.Resize(mu, p.Len())
		_, ok := d.Marginals(p, score, mu)
		return ok
	})
}

func BenchmarkKBest(b *testing.B) {
	benchmark(b, func(d *Chart, p *tree.Parts, score []float64) bool {
		return len(d.KBest(p, score, 10, nil)) > 0
	})
}

func BenchmarkHistory(b *testing.B) {
	const n = 25
	rng, heads := rand.New(rand.NewPCG(5, 6)), make([]int32, n+1)
	ps, scores, charts := make([]tree.Parts, 20), make([][]float64, 20), make([]*HistoryChart, 20)
	for i := range ps {
		pruned(&ps[i], n, 3, tree.Carreras, rng)
		scores[i] = treetest.Random(&ps[i], rng, 1)
		charts[i] = NewHistory(true, &hook{p: &ps[i], child: historyFormula}, HistoryOptions{Outside: true})
	}
	start, i := testtime.Processor(b), 0
	for b.Loop() {
		charts[i%20].Best(&ps[i%20], scores[i%20], heads)
		i++
	}
	b.ReportMetric((testtime.Processor(b)-start)*1e9/float64(b.N)/n, "cpu-ns/token")
}

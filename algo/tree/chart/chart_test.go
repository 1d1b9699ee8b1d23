package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/algo/tree"
	"parlance/algo/tree/treetest"
)

var charts = []tree.Factorization{tree.Sibling, tree.Carreras, tree.Model0, tree.Model1, tree.Model2}

// instances calls test with random sentences of few tokens: all arcs or some, for each factorization
// and number of roots.
func instances(t *testing.T, test func(t *testing.T, f tree.Factorization, c treetest.Class, p *tree.Parts, rng *rand.Rand)) {
	for _, f := range charts {
		for _, single := range []bool{true, false} {
			t.Run(fmt.Sprint(f, single), func(t *testing.T) {
				rng, class := rand.New(rand.NewPCG(3, 4)), treetest.Class{Projective: true, Single: single}
				var p tree.Parts
				for try := range 60 {
					n, share := try%6, []float64{1, 0.6, 0.3, 0.15}[try/6%4]
					treetest.Candidates(&p, n, share, f, class, rng)
					test(t, f, class, &p, rng)
				}
			})
		}
	}
}

// TestBest: the best tree is that of enumeration.
func TestBest(t *testing.T) {
	instances(t, func(t *testing.T, f tree.Factorization, c treetest.Class, p *tree.Parts, rng *rand.Rand) {
		d, heads := New(f, c.Single), make([]int32, p.N+1)
		for range 3 {
			score := treetest.Random(p, rng, 3)
			for i := range score {
				if rng.IntN(30) == 0 {
					score[i] = math.Inf(-1)
				}
			}
			want := treetest.Brute(f, c, p, score)
			got, ok := d.Best(p, score, heads)
			if ok != (len(want.Trees) > 0) {
				t.Fatalf("n=%d: found %v of %d trees", p.N, ok, len(want.Trees))
			}
			if !ok {
				continue
			}
			if best := want.Trees[0]; math.Abs(got-best.Score) > 1e-9 || !slices.Equal(heads[1:], best.Heads[1:]) {
				t.Fatalf("n=%d: %v of %v, want %v of %v", p.N, heads[1:], got, best.Heads[1:], best.Score)
			}
		}
	})
}

// TestMarginals: ln Z and the probabilities of parts are those of enumeration, with small scores and
// with those that no product of probabilities holds.
func TestMarginals(t *testing.T) {
	instances(t, func(t *testing.T, f tree.Factorization, c treetest.Class, p *tree.Parts, rng *rand.Rand) {
		d, mu := New(f, c.Single), make([]float64, p.Len())
		for _, scale := range []float64{0, 1, 30, 800} {
			score := treetest.Random(p, rng, scale)
			if scale == 800 {
				for i := range score {
					score[i] = math.Copysign(800, score[i])
				}
			}
			want := treetest.Brute(f, c, p, score)
			z, ok := d.Marginals(p, score, mu)
			if ok != (len(want.Trees) > 0) {
				t.Fatalf("n=%d: found %v of %d trees", p.N, ok, len(want.Trees))
			}
			if ok && math.Abs(z-want.LogZ) > 1e-9*max(1, math.Abs(z)) {
				t.Fatalf("n=%d, scale %v: ln Z %v, want %v", p.N, scale, z, want.LogZ)
			}
			for i, x := range want.Mu {
				if math.Abs(x-mu[i]) > 1e-9 {
					t.Fatalf("n=%d, scale %v: part %d has %v, want %v", p.N, scale, i, mu[i], x)
				}
			}
		}
	})
}

// TestKBest: the k best trees are those of enumeration, all of them where k is large.
func TestKBest(t *testing.T) {
	instances(t, func(t *testing.T, f tree.Factorization, c treetest.Class, p *tree.Parts, rng *rand.Rand) {
		d := New(f, c.Single)
		score := treetest.Random(p, rng, 3)
		want := treetest.Brute(f, c, p, score).Trees
		for _, k := range []int{0, 1, 5, 10000} {
			got := d.KBest(p, score, k, nil)
			if len(got) != min(k, len(want)) {
				t.Fatalf("n=%d: %d of %d best of %d trees", p.N, len(got), k, len(want))
			}
			for i, x := range got {
				if math.Abs(x.Score-want[i].Score) > 1e-9 || !slices.Equal(x.Heads[1:], want[i].Heads[1:]) {
					t.Fatalf("n=%d: %d is %v, want %v", p.N, i, x, want[i])
				}
			}
		}
	})
}

// TestTies: of equal trees Best and KBest find the same one.
func TestTies(t *testing.T) {
	instances(t, func(t *testing.T, f tree.Factorization, c treetest.Class, p *tree.Parts, rng *rand.Rand) {
		score := treetest.Scores(p, func(tree.Part) float64 { return float64(rng.IntN(3)) })
		d, heads := New(f, c.Single), make([]int32, p.N+1)
		if _, ok := d.Best(p, score, heads); !ok {
			return
		}
		if got := d.KBest(p, score, 1, nil); !slices.Equal(got[0].Heads[1:], heads[1:]) {
			t.Fatalf("n=%d: Best finds %v, KBest %v", p.N, heads[1:], got[0].Heads[1:])
		}
	})
}

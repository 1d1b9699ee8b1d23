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

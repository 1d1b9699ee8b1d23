package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/algo/parse/tree"
	"parlance/algo/parse/tree/treetest"
)

var charts = []tree.Factorization{tree.Sibling, tree.Carreras, tree.Model0, tree.Model1, tree.Model2}

// instances calls test with random sentences of few tokens: all arcs or some, for each factorization
// and number of roots.
func instances(t *testing.T, test func(t *testing.T, f tree.Factorization, c treetest.Class, p *tree.Parts,
	rng *rand.Rand)) {
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

// TestLong: in sentences too long for enumeration the best tree is a tree with the score found, no
// listed tree is better, and the probabilities of the heads of a token add up to 1.
func TestLong(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for _, f := range charts {
		for _, single := range []bool{true, false} {
			for _, n := range []int{20, 40, 80} {
				var p tree.Parts
				pruned(&p, n, 4, f, rng)
				score, mu, heads := treetest.Random(&p, rng, 2), make([]float64, p.Len()), make([]int32, n+1)
				d := New(f, single)
				best, ok := d.Best(&p, score, heads)
				if !ok || math.Abs(tree.Score(f, &p, score, heads)-best) > 1e-9 {
					t.Fatalf("%v n=%d: the tree has %v, found as %v", f, n, tree.Score(f, &p, score, heads), best)
				}
				list := d.KBest(&p, score, 50, nil)
				for i, x := range list {
					if math.Abs(tree.Score(f, &p, score, x.Heads)-x.Score) > 1e-9 || x.Score > best+1e-9 ||
						i > 0 && x.Score > list[i-1].Score {
						t.Fatalf("%v n=%d: %d-th tree has %v, listed as %v", f, n, i, tree.Score(f, &p, score, x.Heads), x.Score)
					}
					if !treetest.Tree(x.Heads, treetest.Class{Projective: true, Single: single}) {
						t.Fatalf("%v n=%d: %v is no tree", f, n, x.Heads)
					}
				}
				if len(list) == 0 || !slices.Equal(list[0].Heads[1:], heads[1:]) {
					t.Fatalf("%v n=%d: the first of the list is not the best", f, n)
				}
				if z, _ := d.Marginals(&p, score, mu); z < best {
					t.Fatalf("%v n=%d: ln Z %v is less than the best tree has, %v", f, n, z, best)
				}
				for m := 1; m <= n; m++ {
					sum := 0.0
					for _, a := range p.In(m) {
						sum += mu[a]
					}
					if math.Abs(sum-1) > 1e-9 {
						t.Fatalf("%v n=%d: heads of %d have %v", f, n, m, sum)
					}
				}
			}
		}
	}
}

// TestGoldTree: a tree whose parts alone score is found again, whatever its shape and length.
func TestGoldTree(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 26))
	for _, f := range charts {
		for n := 1; n <= 60; n += 7 {
			var p tree.Parts
			pruned(&p, n, 1, f, rng)
			score, gold, heads := make([]float64, p.Len()), make([]int32, n+1), make([]int32, n+1)
			New(f, true).Best(&p, score, gold)
			pruned(&p, n, 5, f, rng)
			keep := make([]bool, (n+1)*(n+1))
			for a, h := range p.Head {
				keep[int(h)*(n+1)+int(p.Mod[a])] = true
			}
			for m := 1; m <= n; m++ {
				keep[int(gold[m])*(n+1)+m] = true
			}
			p.Keep(n, keep)
			p.Reset(f.Types())
			score = make([]float64, p.Len())
			for _, x := range f.Parts(gold, nil) {
				score[p.Number(x)] = 1
			}
			if _, ok := New(f, true).Best(&p, score, heads); !ok || !slices.Equal(heads[1:], gold[1:]) {
				t.Fatalf("%v n=%d: %v, want %v", f, n, heads[1:], gold[1:])
			}
		}
	}
}

// TestNoTree: candidates and scores that leave no tree are told apart from those that do, and no sum
// or list is made of them.
func TestNoTree(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 28))
	without := 0
	for _, f := range charts {
		for try := range 400 {
			var p tree.Parts
			n, class := try%6, treetest.Class{Projective: true, Single: try%2 == 0}
			keep := make([]bool, (n+1)*(n+1))
			for i := range keep {
				keep[i] = rng.Float64() < 0.4
			}
			p.Keep(n, keep)
			p.Reset(f.Types())
			score := treetest.Random(&p, rng, 1)
			for i := range score {
				if rng.IntN(20) == 0 {
					score[i] = math.Inf(-1)
				}
			}
			want := treetest.Brute(f, class, &p, score)
			d, heads, mu := New(f, class.Single), make([]int32, n+1), make([]float64, p.Len())
			_, ok := d.Best(&p, score, heads)
			z, summed := d.Marginals(&p, score, mu)
			list := d.KBest(&p, score, 3, nil)
			if found := len(want.Trees) > 0; ok != found || summed != found || (len(list) > 0) != found {
				t.Fatalf("%v n=%d: %v, %v and %d, want %v", f, n, ok, summed, len(list), found)
			} else if !found {
				without++
			} else if math.Abs(z-want.LogZ) > 1e-9 {
				t.Fatalf("%v n=%d: ln Z %v, want %v", f, n, z, want.LogZ)
			}
			if f == tree.Carreras {
				h := NewHistory(class.Single, &hook{p: &p, child: historyFormula}, HistoryOptions{Outside: true})
				if _, found := h.Best(&p, score, heads); found != ok {
					t.Fatalf("n=%d: with histories %v, without %v", n, found, ok)
				}
			}
		}
	}
	if without == 0 {
		t.Error("all have trees")
	}
}

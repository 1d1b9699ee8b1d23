package tree_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	. "parlance/algo/parse/tree"
	"parlance/algo/parse/tree/treetest"
)

type firstOrder interface {
	Decoder
	Summer
}

func decoder(c treetest.Class) firstOrder {
	if !c.Projective {
		return NewArborescence(c.Single)
	}
	return NewEisner(c.Single)
}

func classes() []treetest.Class { return treetest.Classes }

// TestFirstOrder: the best tree, ln Z and the probabilities of arcs are those of enumeration, for full
// and sparse candidates and for scores as wide as ±800.
func TestFirstOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var p Parts
	for _, c := range classes() {
		d := decoder(c)
		for try := range 200 {
			n := rng.IntN(7)
			share := []float64{1, 0.7, 0.1}[try%3]
			treetest.Candidates(&p, n, share, Arc, c, rng)
			score := treetest.Random(&p, rng, []float64{1, 10, 400}[try/3%3])
			for i := range score {
				if try%11 == 0 {
					score[i] = float64(rng.IntN(3)-1) * 800
				}
				if try%7 == 0 && rng.IntN(4) == 0 {
					score[i] = math.Inf(-1)
				}
			}
			check(t, c, d, &p, score)
		}
	}
}

func check(t *testing.T, c treetest.Class, d firstOrder, p *Parts, score []float64) {
	t.Helper()
	want := treetest.Brute(Arc, c, p, score)
	heads, mu := make([]int32, p.N+1), make([]float64, p.Len())
	got, ok := d.Best(p, score, heads)
	z, sums := d.Marginals(p, score, mu)
	if ok != (len(want.Trees) > 0) || sums != ok {
		t.Fatalf("%+v, %d tokens: found %v, summed %v, %d trees, scores %v", c, p.N, ok, sums, len(want.Trees), score)
	}
	if !ok {
		return
	}
	if !treetest.Tree(heads, c) || math.Abs(got-want.Trees[0].Score) > 1e-9*(1+math.Abs(got)) ||
		math.Abs(Score(Arc, p, score, heads)-got) > 1e-9*(1+math.Abs(got)) {
		t.Fatalf("%+v: %v scores %v, want %v", c, heads, got, want.Trees[0])
	}
	if math.Abs(z-want.LogZ) > 1e-9*(1+math.Abs(z)) {
		t.Fatalf("%+v: ln Z %v, want %v", c, z, want.LogZ)
	}
	for i, x := range want.Mu {
		if math.Abs(mu[i]-x) > 1e-9 || mu[i] < 0 || mu[i] > 1 {
			t.Fatalf("%+v: arc %d→%d has probability %v, want %v; scores %v", c, p.Head[i], p.Mod[i], mu[i], x, score)
		}
	}
}

// TestMatrixTreeExample: Koo et al. 2007's quantities for three tokens with root weights 1, 3, 1 and
// weights of arcs (0,2,1), (2,0,3), (1,1,0), by enumeration in exact fractions.
func TestMatrixTreeExample(t *testing.T) {
	weight := [][]float64{{0, 1, 3, 1}, {0, 0, 2, 1}, {0, 2, 0, 3}, {0, 1, 1, 0}}
	var p Parts
	p.Full(3)
	p.Reset(Dep)
	score := treetest.Scores(&p, func(x Part) float64 { return math.Log(weight[x.H][x.M]) })
	want := map[treetest.Class][]float64{ // Z, root arcs, 1→2, 1→3, 2→1, 2→3, 3→1, 3→2
		{Projective: true, Single: true}:  {32, 9, 18, 5, 10, 3, 20, 24, 3, 4},
		{Projective: true}:                {53, 24, 36, 17, 12, 3, 26, 33, 3, 5},
		{Projective: false, Single: true}: {47, 9, 33, 5, 10, 9, 26, 33, 12, 4},
		{}:                                {74, 27, 57, 20, 12, 12, 32, 42, 15, 5},
	}
	for _, c := range classes() {
		w := want[c]
		mu := make([]float64, p.Len())
		z, ok := decoder(c).Marginals(&p, score, mu)
		if !ok || math.Abs(math.Exp(z)-w[0]) > 1e-9 {
			t.Errorf("%+v: Z %v, want %v", c, math.Exp(z), w[0])
		}
		for i, arc := range [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 1}, {2, 3}, {3, 1}, {3, 2}} {
			if got := mu[p.Find(arc[0], arc[1])]; math.Abs(got-w[i+1]/w[0]) > 1e-12 {
				t.Errorf("%+v: arc %v %v, want %v/%v", c, arc, got, w[i+1], w[0])
			}
		}
		heads := make([]int32, 4)
		if s, ok := decoder(c).Best(&p, score, heads); c.Single &&
			(!ok || math.Abs(math.Exp(s)-18) > 1e-9 || !slices.Equal(heads[1:], []int32{2, 0, 2})) {
			t.Errorf("%+v: best %v %v", c, heads, math.Exp(s))
		}
	}
}

func benchmark(b *testing.B, c treetest.Class, run func(d firstOrder, p *Parts, score, mu []float64, heads []int32)) {
	var p Parts
	p.Full(25)
	p.Reset(Dep)
	score := treetest.Random(&p, rand.New(rand.NewPCG(1, 1)), 2)
	mu, heads := make([]float64, p.Len()), make([]int32, 26)
	d := decoder(c)
	b.ReportAllocs()
	for b.Loop() {
		run(d, &p, score, mu, heads)
	}
}

func BenchmarkBest(b *testing.B) {
	for _, c := range classes() {
		b.Run(name(c), func(b *testing.B) {
			benchmark(b, c, func(d firstOrder, p *Parts, score, _ []float64, heads []int32) { d.Best(p, score, heads) })
		})
	}
}

func BenchmarkMarginals(b *testing.B) {
	for _, c := range classes() {
		b.Run(name(c), func(b *testing.B) {
			benchmark(b, c, func(d firstOrder, p *Parts, score, mu []float64, _ []int32) { d.Marginals(p, score, mu) })
		})
	}
}

func name(c treetest.Class) string {
	out := "multi"
	if c.Single {
		out = "single"
	}
	if c.Projective {
		return "projective-" + out
	}
	return "crossing-" + out
}

// TestSparse: arcs that are no candidates are as arcs that score −∞.
func TestSparse(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 28))
	for try := range 60 {
		c := treetest.Classes[try%4]
		n := 10 + rng.IntN(30)
		keep := make([]bool, (n+1)*(n+1))
		for m := 1; m <= n; m++ {
			keep[rng.IntN(m)*(n+1)+m] = true
			keep[rng.IntN(n+1)*(n+1)+m] = true
			if m > 1 {
				keep[(m-1)*(n+1)+m] = true
			}
		}
		var all, some Parts
		all.Full(n)
		all.Reset(Dep)
		some.Keep(n, keep)
		some.Reset(Dep)
		wide := treetest.Random(&all, rng, 1)
		var narrow []float64
		for a := range wide {
			if !keep[int(all.Head[a])*(n+1)+int(all.Mod[a])] {
				wide[a] = math.Inf(-1)
			}
		}
		for a, h := range some.Head {
			narrow = append(narrow, wide[all.Find(int(h), int(some.Mod[a]))])
		}
		d, one, two := decoder(c), make([]int32, n+1), make([]int32, n+1)
		x, ok := d.Best(&all, wide, one)
		y, same := d.Best(&some, narrow, two)
		if ok != same || ok && (x != y || !slices.Equal(one[1:], two[1:])) {
			t.Fatalf("%+v: %v %v over all arcs, %v %v over candidates", c, one, x, two, y)
		}
		list, l := d.(Lister).KBest(&all, wide, 5, nil), d.(Lister).KBest(&some, narrow, 5, nil)
		for i := range list {
			if !slices.Equal(list[i].Heads, l[i].Heads) {
				t.Fatalf("%+v: tree %d is %v over all arcs, %v over candidates", c, i, list[i], l[i])
			}
		}
	}
}

package chart

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"parlance/algo/parse/tree"
	"parlance/algo/parse/tree/treetest"
	"parlance/algo/testutil/testtime"
)

// set scores the parts of some types by formula, the others 0.
func set(types tree.Type) func(tree.Part) float64 {
	return func(x tree.Part) float64 {
		if x.Type&types == 0 {
			return 0
		}
		return treetest.Formula(x)
	}
}

const all = ^tree.Type(0)

// formulas are worked values under the formula scores: with all arcs of n tokens the score of the best
// tree (0: not given), that tree where there is one only, and ln Z.
var formulas = []struct {
	f      tree.Factorization
	types  tree.Type
	single bool
	n      int
	max    float64
	heads  []int32
	logZ   float64
}{
	{tree.Sibling, tree.Dep, true, 4, 9, nil, 10.229276},
	{tree.Sibling, tree.Dep, false, 4, 0, nil, 10.817633},
	{tree.Sibling, tree.Dep, true, 5, 12, nil, 13.421322},
	{tree.Sibling, tree.Dep, false, 5, 0, nil, 13.877804},
	{tree.Carreras, tree.Dep, true, 5, 12, nil, 13.421322},
	{tree.Carreras, tree.Dep, false, 5, 0, nil, 13.877804},
	{tree.Sibling, all, true, 4, 16, []int32{2, 0, 2, 2}, 16.102363},
	{tree.Sibling, all, false, 4, 0, nil, 16.755794},
	{tree.Sibling, all, true, 5, 21, []int32{2, 0, 2, 2, 2}, 21.032520},
	{tree.Sibling, all, false, 5, 0, nil, 21.074101},
	{tree.Carreras, tree.Dep | tree.Sib, true, 5, 21, []int32{2, 0, 2, 2, 2}, 21.032520},
	{tree.Carreras, tree.Dep | tree.Sib, false, 5, 0, nil, 21.074101},
	{tree.Carreras, all, true, 4, 19, []int32{2, 0, 2, 2}, 19.021083},
	{tree.Carreras, all, false, 4, 19, []int32{2, 0, 2, 2}, 19.047949},
	{tree.Carreras, all, true, 5, 22, nil, 22.755889},
	{tree.Carreras, all, false, 5, 0, nil, 22.784739},
	{tree.Model0, all, true, 4, 14, []int32{2, 3, 4, 0}, 14.066538},
	{tree.Model0, all, false, 4, 0, nil, 14.419528},
	{tree.Model0, all, true, 5, 15, nil, 16.540192},
	{tree.Model0, all, false, 5, 0, nil, 16.847396},
	{tree.Model1, all, true, 4, 18, nil, 18.817738},
	{tree.Model1, all, false, 4, 22, []int32{2, 0, 4, 0}, 22.210705},
	{tree.Model1, all, true, 5, 27, []int32{2, 0, 2, 2, 2}, 27.133552},
	{tree.Model1, all, false, 5, 0, nil, 27.269436},
	{tree.Model2, all, true, 4, 25, []int32{2, 4, 2, 0}, 25.052066},
	{tree.Model2, all, false, 4, 0, nil, 25.059741},
	{tree.Model2, all, true, 5, 30, []int32{2, 0, 2, 2, 2}, 30.100894},
	{tree.Model2, all, false, 5, 0, nil, 30.148201},
	{tree.Model2, all &^ (tree.Grand | tree.GrandSib), true, 4, 25, []int32{2, 4, 2, 0}, 25.000520},
	{tree.Model2, all &^ (tree.Grand | tree.GrandSib), false, 4, 0, nil, 25.018717},
	{tree.Model2, all &^ (tree.Grand | tree.GrandSib), true, 5, 26, []int32{2, 4, 2, 0, 4}, 26.003802},
	{tree.Model2, all &^ (tree.Grand | tree.GrandSib), false, 5, 0, nil, 26.718664},
}

func TestFormulas(t *testing.T) {
	for _, x := range formulas {
		p := full(x.n, x.f)
		score := treetest.Scores(p, set(x.types))
		d, heads, mu := New(x.f, x.single), make([]int32, x.n+1), make([]float64, p.Len())
		best, _ := d.Best(p, score, heads)
		if x.max != 0 && best != x.max {
			t.Errorf("%v %v n=%d: best %v, want %v", x.f, x.single, x.n, best, x.max)
		}
		if x.heads != nil && !slices.Equal(heads[1:], x.heads) {
			t.Errorf("%v %v n=%d: best tree %v, want %v", x.f, x.single, x.n, heads[1:], x.heads)
		}
		if z, _ := d.Marginals(p, score, mu); math.Abs(z-x.logZ) > 1e-6 {
			t.Errorf("%v %v n=%d: ln Z %v, want %v", x.f, x.single, x.n, z, x.logZ)
		}
	}
}

func full(n int, f tree.Factorization) *tree.Parts {
	p := new(tree.Parts)
	p.Full(n)
	p.Reset(f.Types())
	return p
}

// TestFormulaMarginals has those of four arcs, and the score of one tree.
func TestFormulaMarginals(t *testing.T) {
	for _, x := range []struct {
		f     tree.Factorization
		types tree.Type
		mu    [4]float64 // 2→1, 0→2, 0→4, 2→4
		score float64    // of (2,0,2,2)
	}{
		{tree.Sibling, tree.Dep, [4]float64{0.859727, 0.624594, 0.236086, 0.348624}, 9},
		{tree.Sibling, all, [4]float64{0.993648, 0.947756, 0.045895, 0.902924}, 16},
		{tree.Model0, all, [4]float64{0.972106, 0.029745, 0.950987, 0.023599}, 9},
		{tree.Model1, all, [4]float64{0.989528, 0.523147, 0.468569, 0.463426}, 18},
		{tree.Model2, all, [4]float64{0.999863, 0.003219, 0.996663, 0.002353}, 19},
	} {
		p := full(4, x.f)
		score := treetest.Scores(p, set(x.types))
		mu := make([]float64, p.Len())
		New(x.f, true).Marginals(p, score, mu)
		for i, arc := range [4][2]int{{2, 1}, {0, 2}, {0, 4}, {2, 4}} {
			if got := mu[p.Find(arc[0], arc[1])]; math.Abs(got-x.mu[i]) > 1e-6 {
				t.Errorf("%v: arc %v has %v, want %v", x.f, arc, got, x.mu[i])
			}
		}
		if got := tree.Score(x.f, p, score, []int32{0, 2, 0, 2, 2}); got != x.score {
			t.Errorf("%v: score %v, want %v", x.f, got, x.score)
		}
	}
}

// TestCounts: with scores of 0 Z is the number of projective trees, and every arc of a modifier adds
// up to 1.
func TestCounts(t *testing.T) {
	for _, f := range charts {
		for n := 1; n <= 7; n++ {
			p := full(n, f)
			score, mu := make([]float64, p.Len()), make([]float64, p.Len())
			for _, single := range []bool{true, false} {
				want := []float64{1, 3, 12, 55, 273, 1428, 7752}[n-1]
				if single {
					want = []float64{1, 2, 7, 30, 143, 728, 3876}[n-1]
				}
				z, _ := New(f, single).Marginals(p, score, mu)
				if math.Abs(math.Exp(z)-want) > 1e-9*want {
					t.Errorf("%v %v: %v trees of %d tokens, want %v", f, single, math.Exp(z), n, want)
				}
				for m := 1; m <= n; m++ {
					sum := 0.0
					for _, a := range p.In(m) {
						sum += mu[a]
					}
					if math.Abs(sum-1) > 1e-12 {
						t.Errorf("%v %v: heads of %d of %d have %v", f, single, m, n, sum)
					}
				}
			}
		}
	}
}

// TestDegenerate: a factorization whose other parts score 0 finds what a smaller one finds.
func TestDegenerate(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, x := range []struct {
		large, small tree.Factorization
		types        tree.Type
	}{
		{tree.Carreras, tree.Sibling, tree.Dep | tree.Sib},
		{tree.Model1, tree.Sibling, tree.Dep | tree.Sib},
		{tree.Model2, tree.Sibling, tree.Dep | tree.Sib},
		{tree.Model1, tree.Model0, tree.Dep | tree.Grand},
		{tree.Model0, tree.Sibling, tree.Dep},
		{tree.Model1, tree.Carreras, tree.Dep | tree.Sib},
	} {
		for try := range 20 {
			table := map[tree.Part]float64{}
			of := func(y tree.Part) float64 {
				if y.Type&x.types == 0 {
					return 0
				}
				if _, ok := table[y]; !ok {
					table[y] = rng.NormFloat64()
				}
				return table[y]
			}
			agree(t, 8+try%5, try%2 == 0, x.large, x.small, of, of)
		}
	}
}

// TestCarrerasByModel2: with the grandchild scores on the grand-siblings of the outermost pair Model 2
// is the factorization of Carreras (Koo and Collins 2010, section 6.1).
func TestCarrerasByModel2(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for try := range 20 {
		table := map[tree.Part]float64{}
		of := func(y tree.Part) float64 {
			if y.Type == tree.Leaf {
				return 0
			}
			if _, ok := table[y]; !ok {
				table[y] = rng.NormFloat64()
			}
			return table[y]
		}
		agree(t, 4+try%9, try%2 == 0, tree.Model2, tree.Carreras, func(y tree.Part) float64 {
			switch {
			case y.Type == tree.Dep || y.Type == tree.Sib:
				return of(y)
			case y.Type == tree.GrandSib && y.G != tree.None:
				return of(tree.Part{Type: tree.Grand, G: y.G, H: y.H, M: y.M, S: tree.None, T: tree.None})
			}
			return 0
		}, of)
	}
}

// agree checks that two factorizations find the same under their scores.
func agree(t *testing.T, n int, single bool, f, g tree.Factorization, fScore, gScore func(tree.Part) float64) {
	t.Helper()
	p, q := full(n, f), full(n, g)
	q2, p2 := treetest.Scores(q, gScore), treetest.Scores(p, fScore)
	a, b := make([]int32, n+1), make([]int32, n+1)
	x, _ := New(f, single).Best(p, p2, a)
	y, _ := New(g, single).Best(q, q2, b)
	if math.Abs(x-y) > 1e-9 || !slices.Equal(a, b) {
		t.Fatalf("n=%d %v: %v finds %v of %v, %v finds %v of %v", n, single, f, a[1:], x, g, b[1:], y)
	}
	mu, nu := make([]float64, p.Len()), make([]float64, q.Len())
	x, _ = New(f, single).Marginals(p, p2, mu)
	y, _ = New(g, single).Marginals(q, q2, nu)
	if math.Abs(x-y) > 1e-9 {
		t.Fatalf("n=%d %v: ln Z of %v is %v, of %v %v", n, single, f, x, g, y)
	}
	for i := range p.Arcs.Len() {
		if math.Abs(mu[i]-nu[i]) > 1e-9 {
			t.Fatalf("n=%d %v: arc %d has %v by %v and %v by %v", n, single, i, mu[i], f, nu[i], g)
		}
	}
}

// TestGradient: the probability of a part is the derivative of ln Z by its score.
func TestGradient(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, f := range charts {
		p := full(7, f)
		score := treetest.Random(p, rng, 1)
		d, mu, other := New(f, true), make([]float64, p.Len()), make([]float64, p.Len())
		d.Marginals(p, score, mu)
		const h = 1e-5
		for range 40 {
			i := rng.IntN(p.Len())
			score[i] += h
			up, _ := d.Marginals(p, score, other)
			score[i] -= 2 * h
			down, _ := d.Marginals(p, score, other)
			score[i] += h
			if got := (up - down) / (2 * h); math.Abs(got-mu[i]) > 1e-8 {
				t.Errorf("%v: part %d has %v, the derivative is %v", f, i, mu[i], got)
			}
		}
	}
}

// TestLogarithms: sums of logarithms find what sums of products find.
func TestLogarithms(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for _, f := range charts {
		for try := range 10 {
			var p tree.Parts
			n := 10 + try
			if try%2 == 0 {
				pruned(&p, n, 4, f, rng)
			} else {
				p.Full(n)
				p.Reset(f.Types())
			}
			score := treetest.Random(&p, rng, 2)
			d, mu, nu := New(f, true), make([]float64, p.Len()), make([]float64, p.Len())
			x, _ := d.Marginals(&p, score, mu)
			if d.summer == nil || !d.summer.safe() {
				t.Errorf("%v: out of range", f)
			}
			d.build(&p, score)
			y := d.graph.marginals(nu)
			if math.Abs(x-y) > 1e-9 {
				t.Errorf("%v: ln Z %v and %v", f, x, y)
			}
			for i := range mu {
				if math.Abs(mu[i]-nu[i]) > 1e-10 {
					t.Errorf("%v: part %d has %v and %v", f, i, mu[i], nu[i])
				}
			}
		}
	}
}

// TestGrowth: with all arcs twice the tokens cost at most about 2⁴ times as much.
func TestGrowth(t *testing.T) {
	if os.Getenv("PARLANCE_SLOW") == "" {
		t.Skip("PARLANCE_SLOW is not set: this measures time")
	}
	rng := rand.New(rand.NewPCG(15, 16))
	for _, f := range charts {
		cost := func(n int) float64 {
			p, heads := full(n, f), make([]int32, n+1)
			score, d := treetest.Random(p, rng, 1), New(f, true)
			best := time.Hour
			for range 5 {
				watch := testtime.Start()
				d.Best(p, score, heads)
				best = min(best, watch.Took())
			}
			return best.Seconds()
		}
		if x := cost(40) / cost(20); x > 32 {
			t.Errorf("%v: twice the tokens take %.1f times as long", f, x)
		}
	}
}

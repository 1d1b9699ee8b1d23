package dual

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/algo/parse/tree"
	"parlance/algo/parse/tree/treetest"
)

var both = []tree.Factorization{tree.HeadAutomata, tree.GrandparentSibling}

func decoder(t testing.TB, f tree.Factorization, c treetest.Class, o Options) *Decoder {
	var trees tree.Decoder = tree.NewArborescence(c.Single)
	if c.Projective {
		trees = tree.NewEisner(c.Single)
	}
	d, err := New(f, trees, o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func solve(t testing.TB, d *Decoder, p *tree.Parts, score []float64) Result {
	r, err := d.Solve(context.Background(), p, score, make([]int32, p.N+1))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func full(n int, f tree.Factorization) *tree.Parts {
	var p tree.Parts
	p.Full(n)
	p.Reset(f.Types())
	return &p
}

// TestFormula: quantities under the formula by enumeration. Among them are a unique best tree that is
// certified by agreement, one of three that only the gap certifies, and two that only branching does.
func TestFormula(t *testing.T) {
	for _, c := range []struct {
		f       tree.Factorization
		n       int
		z, best float64
		heads   []int32
		relaxed bool // the dual value reaches that of the best tree
	}{
		{tree.HeadAutomata, 5, 45, 21, []int32{2, 0, 2, 2, 2}, true},
		{tree.HeadAutomata, 4, 29, 16, nil, true},
		{tree.GrandparentSibling, 4, 57, 26, []int32{2, 0, 0, 1}, false},
		{tree.GrandparentSibling, 5, 91, 34, []int32{2, 0, 0, 1, 1}, false},
	} {
		p := full(c.n, c.f)
		score := treetest.Scores(p, treetest.Formula)
		if _, z := decoder(t, c.f, treetest.Class{}, Defaults()).Independent(p, score, nil); z != c.z {
			t.Errorf("%v, %d tokens: the automata alone reach %v, want %v", c.f, c.n, z, c.z)
		}
		for s := Polyak; s <= Decreasing; s++ {
			o := Options{Step: s, Iterations: 300, Beta: 0.001}
			if !c.relaxed {
				o.Iterations = 3000
			}
			r := solve(t, decoder(t, c.f, treetest.Class{}, o), p, score)
			if r.Certified != c.relaxed || r.Bound < c.best || r.Score > c.best || c.relaxed && r.Score != c.best {
				t.Errorf("%v, %d tokens, step %v: %+v, want %v", c.f, c.n, s, r, c.best)
			}
			o.Subproblems, o.Iterations = 1000, 100
			r = solve(t, decoder(t, c.f, treetest.Class{}, o), p, score)
			if !r.Certified || r.Score != c.best || c.heads != nil && !slices.Equal(r.Heads[1:], c.heads) {
				t.Errorf("%v, %d tokens, step %v, branching: %+v, want %v", c.f, c.n, s, r, c.best)
			}
		}
	}
}

// TestBruteForce: bounds bound, certificates hold, and branching finds the best tree of every class,
// for full and sparse candidates.
func TestBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	var p tree.Parts
	certified, missed := 0, 0
	const tries = 200
	for try := range tries {
		f, c := both[try%2], treetest.Classes[try/2%4]
		treetest.Candidates(&p, 1+rng.IntN(5), []float64{1, 0.6}[try/8%2], f, c, rng)
		score := treetest.Random(&p, rng, 1)
		for i := range score {
			if try%5 == 0 {
				score[i] = math.Round(score[i])
			}
			if try%3 == 0 && rng.IntN(12) == 0 {
				score[i] = math.Inf(-1)
			}
		}
		o := Options{Step: Step(try / 4 % 2), Iterations: 200, Beta: []float64{0, 0.001, 0.5, 1}[try%4]}
		want := treetest.Brute(f, c, &p, score)
		best := math.Inf(-1)
		if len(want.Trees) > 0 {
			best = want.Trees[0].Score
		}
		r := solve(t, decoder(t, f, c, o), &p, score)
		if r.Bound < best-1e-9 || r.Score > best+1e-9 || r.Certified && r.Score < best-1e-5*(1+math.Abs(best)) {
			t.Fatalf("%v, %+v: %+v, the best tree %v", f, c, r, best)
		}
		if r.Score > math.Inf(-1) && math.Abs(tree.Score(f, &p, score, r.Heads)-r.Score) > 1e-9 {
			t.Fatalf("%v: %v does not score %v", f, r.Heads, r.Score)
		}
		if r.Certified {
			certified++
		}
		o.Eager = true
		if e := solve(t, decoder(t, f, c, o), &p, score); e.Score != r.Score || e.Iterations != r.Iterations ||
			e.Bound != r.Bound {
			t.Fatalf("lazily %+v, eagerly %+v", r, e)
		}
		o.Subproblems, o.Iterations = 2+try%7, 4 // too few for most
		e := solve(t, decoder(t, f, c, o), &p, score)
		if e.Bound < best-1e-9 || math.IsInf(e.Bound, 1) || e.Certified && e.Score < best-1e-5*(1+math.Abs(best)) {
			t.Fatalf("%v, %+v: %d subproblems: %+v, the best tree %v", f, c, o.Subproblems, e, best)
		}
		if !e.Certified && e.Score < best-1e-5 {
			missed++
		}
		o.Subproblems, o.Iterations = 100000, 200
		if e := solve(t, decoder(t, f, c, o), &p, score); !e.Certified ||
			math.Abs(e.Score-best) > 1e-5*(1+math.Abs(best)) && e.Score != best || e.Bound < best-1e-9 {
			t.Fatalf("%v, %+v: branching %+v, the best tree %v", f, c, e, best)
		}
	}
	t.Logf("%d of %d certified without branching; %d missed by a few subproblems", certified, tries, missed)
	if missed == 0 {
		t.Error("a few subproblems always find the best tree: nothing tests their certificates")
	}
}

// TestArcsOnly: with scores of arcs alone the tree is that of the decoder of trees.
func TestArcsOnly(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for try := range 40 {
		f, c := both[try%2], treetest.Classes[try/2%4]
		p := full(2+rng.IntN(9), f)
		score := make([]float64, p.Len())
		for i := range p.Arcs.Len() {
			score[i] = rng.NormFloat64()
		}
		d := decoder(t, f, c, Options{Iterations: 2000, Beta: 0.5})
		want, _ := d.trees.Best(p, score, make([]int32, p.N+1))
		if r := solve(t, d, p, score); math.Abs(r.Score-want) > 1e-5 {
			t.Errorf("%v, %+v: %+v, the best tree %v", f, c, r, want)
		}
	}
}

// TestIndependent: the parts add up to the score, which no tree exceeds; under scores that prefer one
// tree by far they are its parts.
func TestIndependent(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for try := range 60 {
		f := both[try%2]
		p := full(1+rng.IntN(5), f)
		score := treetest.Random(p, rng, 1)
		d := decoder(t, f, treetest.Class{}, Defaults())
		parts, value := d.Independent(p, score, nil)
		sum := 0.0
		for _, x := range parts {
			sum += score[p.Number(x)]
		}
		best := treetest.Brute(f, treetest.Class{}, p, score).Trees[0]
		if math.Abs(sum-value) > 1e-9 || value < best.Score-1e-9 {
			t.Fatalf("%v: the parts add up to %v, value %v, best tree %v", f, sum, value, best.Score)
		}
		gold := f.Parts(best.Heads, nil)
		for _, x := range gold {
			score[p.Number(x)] += 100
		}
		parts, _ = d.Independent(p, score, parts[:0])
		if !slices.Equal(sorted(p, gold), sorted(p, parts)) {
			t.Fatalf("%v: parts %v, gold %v", f, parts, gold)
		}
	}
}

// TestEndedLoad: parts whose context has ended are not summed, whatever stands between head and modifier, and the
// search ends with an error.
func TestEndedLoad(t *testing.T) {
	for _, f := range []tree.Factorization{tree.HeadAutomata, tree.GrandparentSibling} {
		p := full(4, f)
		ctx, cancel := context.WithCancel(context.Background())
		p.Within(ctx)
		cancel()
		d := decoder(t, f, treetest.Class{}, Defaults())
		_, err := d.Solve(ctx, p, make([]float64, p.Len()), make([]int32, p.N+1))
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v: %v", f, err)
		}
		d.load(f, p, make([]float64, p.Len()), 0)
	}
}

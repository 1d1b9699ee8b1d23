package belief

import (
	"math"
	"math/rand/v2"
	"testing"
)

// enumerate calls visit for each assignment with its score.
func enumerate(f *Forest, visit func(h []int32, score float64)) {
	h := make([]int32, len(f.Parent))
	var walk func(v int, score float64)
	walk = func(v int, score float64) {
		if v == len(h) {
			visit(h, score)
			return
		}
		for x, s := range f.Single[v] {
			h[v] = int32(x)
			add := s
			if u := f.Parent[v]; u >= 0 && f.Pair[v] != nil {
				add += f.Pair[v][int(h[u])*len(f.Single[v])+x]
			}
			walk(v+1, score+add)
		}
	}
	walk(0, 0)
}

// random is a forest of up to seven variables with up to four values.
func random(rng *rand.Rand, scale float64) *Forest {
	f := &Forest{}
	for v := range 1 + rng.IntN(7) {
		single := make([]float64, 1+rng.IntN(4))
		for x := range single {
			single[x] = scale * rng.NormFloat64()
		}
		parent, pair := int32(-1), []float64(nil)
		if v > 0 && rng.IntN(5) > 0 {
			parent = int32(rng.IntN(v))
			if rng.IntN(6) > 0 {
				pair = make([]float64, len(single)*len(f.Single[parent]))
				for i := range pair {
					pair[i] = scale * rng.NormFloat64()
				}
			}
		}
		f.Parent, f.Single, f.Pair = append(f.Parent, parent), append(f.Single, single), append(f.Pair, pair)
	}
	return f
}

// TestAgainstEnumeration: sums, shares and the best assignment of random forests, with scores that no exponential of
// them could be added up with as well.
func TestAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	b := &Beliefs{}
	for n := range 400 {
		f := random(rng, []float64{1, 0, 20, 800}[n%4])
		z, best := math.Inf(-1), math.Inf(-1)
		enumerate(f, func(_ []int32, s float64) {
			best = max(best, s)
			z = max(z, s) + math.Log1p(math.Exp(-math.Abs(z-s)))
		})
		if got := b.Sum(f); math.Abs(got-z) > 1e-10*max(1, math.Abs(z)) {
			t.Fatalf("log Z %v, want %v", got, z)
		}
		checkMarginals(t, b, f, z)
		score, h := b.Best(f, nil)
		found := math.NaN()
		enumerate(f, func(g []int32, s float64) {
			same := true
			for v := range g {
				same = same && g[v] == h[v]
			}
			if same {
				found = s
			}
		})
		if math.Abs(score-best) > 1e-9*max(1, math.Abs(best)) || !(math.Abs(found-best) <= 1e-9*max(1, math.Abs(best))) {
			t.Fatalf("best score %v of an assignment with %v, want %v", score, found, best)
		}
	}
}

func checkMarginals(t *testing.T, b *Beliefs, f *Forest, z float64) {
	t.Helper()
	singles, pairs := make([][]float64, len(f.Parent)), make([][]float64, len(f.Parent))
	for v, u := range f.Parent {
		singles[v] = make([]float64, len(f.Single[v]))
		if u >= 0 {
			pairs[v] = make([]float64, len(f.Single[v])*len(f.Single[u]))
		}
	}
	enumerate(f, func(h []int32, s float64) {
		p := math.Exp(s - z)
		for v, u := range f.Parent {
			singles[v][h[v]] += p
			if u >= 0 {
				pairs[v][int(h[u])*len(f.Single[v])+int(h[v])] += p
			}
		}
	})
	seen := 0
	b.Marginals(func(v int, single, pair []float64) {
		seen++
		compare(t, single, singles[v])
		compare(t, pair, pairs[v])
	})
	if seen != len(f.Parent) {
		t.Fatalf("%d variables were visited of %d", seen, len(f.Parent))
	}
}

func compare(t *testing.T, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d shares, want %d", len(got), len(want))
	}
	for i, x := range want {
		if !(math.Abs(got[i]-x) <= 1e-10) {
			t.Fatalf("share %v, want %v", got, want)
		}
	}
}

// TestRoot: which variable is the root makes no difference.
func TestRoot(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	chain := &Forest{Parent: []int32{-1, 0, 1}, Pair: [][]float64{nil, nil, nil}}
	back := &Forest{Parent: []int32{-1, 0, 1}, Pair: [][]float64{nil, nil, nil}}
	for range 3 {
		s := []float64{rng.NormFloat64(), rng.NormFloat64()}
		chain.Single, back.Single = append(chain.Single, s), append([][]float64{s}, back.Single...)
	}
	for v := 1; v <= 2; v++ {
		p := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		chain.Pair[v], back.Pair[3-v] = p, []float64{p[0], p[2], p[1], p[3]}
	}
	b := &Beliefs{}
	if x, y := b.Sum(chain), b.Sum(back); math.Abs(x-y) > 1e-12 {
		t.Errorf("log Z %v from one end, %v from the other", x, y)
	}
	// The product of the matrices of a chain is its sum.
	want := 0.0
	for x := range 2 {
		for y := range 2 {
			for z := range 2 {
				want += math.Exp(chain.Single[0][x] + chain.Pair[1][2*x+y] + chain.Single[1][y] + chain.Pair[2][2*y+z] +
					chain.Single[2][z])
			}
		}
	}
	if got := b.Sum(chain); math.Abs(got-math.Log(want)) > 1e-12 {
		t.Errorf("log Z %v, want %v", got, math.Log(want))
	}
}

// TestKoo has three words with two values each under three trees, of which the third has the best assignment and the
// second the greatest sum.
func TestKoo(t *testing.T) {
	one, two, three := []float64{.2, -.1}, []float64{0, .5}, []float64{.3, -.3}
	a, c := []float64{.5, -.2, .1, .4}, []float64{0, 1, -1, .2}
	for i, x := range []struct {
		f       Forest
		z, best float64
		ones    []float64
		pair    []float64 // of variable 1
	}{
		{Forest{[]int32{-1, 0, 0}, [][]float64{one, two, three}, [][]float64{nil, a, c}}, 2.82372649, 1.4,
			[]float64{.268437, .514540, .611296}, []float64{.402238, .329325, .083222, .185215}},
		{Forest{[]int32{-1, 0, 1}, [][]float64{one, two, three}, [][]float64{nil, a, a}}, 2.92297906, 1.5,
			[]float64{.463084, .541036, .328536}, nil},
		{Forest{[]int32{-1, 0, 0}, [][]float64{two, one, three}, [][]float64{nil, c, a}}, 2.83795551, 1.7,
			[]float64{.389673, .684851, .296539}, nil},
	} {
		b := &Beliefs{}
		if z := b.Sum(&x.f); math.Abs(z-x.z) > 1e-8 {
			t.Errorf("tree %d: log Z %.8f, want %.8f", i+1, z, x.z)
		}
		b.Marginals(func(v int, single, pair []float64) {
			if math.Abs(single[1]-x.ones[v]) > 1e-6 {
				t.Errorf("tree %d: variable %d has %.6f, want %.6f", i+1, v, single[1], x.ones[v])
			}
			if v == 1 && x.pair != nil {
				for k := range pair {
					if math.Abs(pair[k]-x.pair[k]) > 1e-6 {
						t.Errorf("tree %d: pairs %v, want %v", i+1, pair, x.pair)
					}
				}
			}
		})
		if s, _ := b.Best(&x.f, nil); math.Abs(s-x.best) > 1e-12 {
			t.Errorf("tree %d: the best score is %v, want %v", i+1, s, x.best)
		}
	}
}

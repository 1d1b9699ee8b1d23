package chart

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/algo/parse/tree"
	"parlance/algo/parse/tree/treetest"
)

// hook scores children by a function; left tells that the arc goes left, inT that the child is one of T.
type hook struct {
	p     *tree.Parts
	child func(s, t, c int, left, inT, outside bool) float64
	punct []int
	heads func(h, m int) bool
}

func (x *hook) Punct(i int) bool { return slices.Contains(x.punct, i) }

func (x *hook) Governs(h, m int) bool { return x.heads != nil && x.heads(h, m) }

func (x *hook) Score(arc int, h *History) float64 {
	return x.sum(x.p.Direction(arc) == tree.Left, h)
}

func (x *hook) sum(left bool, h *History) float64 {
	sum := 0.0
	for i, list := range [][]int32{h.SHI, h.THI, h.SHO, h.THO} {
		for _, c := range list {
			sum += x.child(h.S, h.T, int(c), left, i%2 == 1, i > 1)
		}
	}
	return sum
}

func historyFormula(s, t, c int, left, inT, _ bool) float64 {
	x := s + 2*t + 3*c
	if left {
		x++
	}
	if inT {
		x++
	}
	return float64(x%5 - 2)
}

// TestHistoryFormula has worked values; that of all types of parts is the best of all trees.
func TestHistoryFormula(t *testing.T) {
	for _, x := range []struct {
		n     int
		types tree.Type
		best  float64
		heads []int32
	}{
		{4, all, 22, []int32{2, 0, 2, 2}},
		{5, all, 26, []int32{2, 0, 2, 2, 2}},
		{3, tree.Dep, 7, []int32{2, 0, 2}},
		{4, tree.Dep, 12, nil},
		{5, tree.Dep, 16, []int32{2, 0, 2, 2, 2}},
	} {
		p := full(x.n, tree.Carreras)
		c, heads := NewHistory(false, &hook{p: p, child: historyFormula}, HistoryOptions{}), make([]int32, x.n+1)
		got, ok := c.Best(p, treetest.Scores(p, set(x.types)), heads)
		if !ok || got != x.best || x.heads != nil && !slices.Equal(heads[1:], x.heads) {
			t.Errorf("n=%d: %v of %v, want %v of %v", x.n, heads[1:], got, x.heads, x.best)
		}
	}
}

// TestWithoutHistory: a history that scores 0 or that no arc has changes nothing.
func TestWithoutHistory(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	var p tree.Parts
	for try := range 200 {
		n, single := 1+try%6, try%2 == 0
		treetest.Candidates(&p, n, 0.5, tree.Carreras, treetest.Class{Projective: true, Single: single}, rng)
		score := treetest.Random(&p, rng, 1)
		nothing := &hook{p: &p, child: func(_, _, _ int, _, _, _ bool) float64 { return 0 }}
		random := &hook{p: &p, child: historyFormula}
		want := make([]int32, n+1)
		best, _ := New(tree.Carreras, single).Best(&p, score, want)
		for _, c := range []*HistoryChart{
			NewHistory(single, nothing, HistoryOptions{Outside: true}),
			NewHistory(single, random, HistoryOptions{Distance: n + 1}),
			NewHistory(single, random, HistoryOptions{Clauses: true}),
		} {
			heads := make([]int32, n+1)
			got, ok := c.Best(&p, score, heads)
			if !ok || math.Abs(got-best) > 1e-9 || !slices.Equal(heads, want) {
				t.Fatalf("n=%d: %v of %v, want %v of %v", n, heads[1:], got, want[1:], best)
			}
		}
	}
}

// TestHistoryScore: with inside histories the score is that of the tree, which is projective, at most
// that of the best tree and mostly equal to it; the histories of the chart are those of the tree.
func TestHistoryScore(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	best := 0
	const tries = 200
	var p tree.Parts
	for try := range tries {
		n := 2 + try%4
		class := treetest.Class{Projective: true, Single: try%3 == 0}
		treetest.Candidates(&p, n, 1, tree.Carreras, class, rng)
		score := treetest.Scores(&p, func(x tree.Part) float64 {
			if x.Type == tree.Dep {
				return rng.NormFloat64()
			}
			return rng.NormFloat64() / 2
		})
		table := map[[5]int]float64{}
		h := &hook{p: &p, child: func(s, t, c int, left, inT, _ bool) float64 {
			key := [5]int{s, t, c}
			if left {
				key[3] = 1
			}
			if inT {
				key[4] = 1
			}
			if _, ok := table[key]; !ok {
				table[key] = rng.NormFloat64() / 2
			}
			return table[key]
		}}
		c, heads := NewHistory(class.Single, h, HistoryOptions{}), make([]int32, n+1)
		got, ok := c.Best(&p, score, heads)
		if !ok || !treetest.Tree(heads, class) {
			t.Fatalf("n=%d: %v", n, heads)
		}
		total := func(heads []int32) float64 {
			sum := tree.Score(tree.Carreras, &p, score, heads)
			for m := 1; m <= n; m++ {
				a := p.Find(int(heads[m]), m)
				sum += h.Score(a, c.OfTree(heads, int(heads[m]), m))
			}
			return sum
		}
		if math.Abs(total(heads)-got) > 1e-9 {
			t.Fatalf("n=%d: %v has %v, found as %v", n, heads[1:], total(heads), got)
		}
		for m := 1; m <= n; m++ {
			x := c.Of(p.Find(int(heads[m]), m))
			shi, thi := slices.Clone(x.SHI), slices.Clone(x.THI)
			x = c.OfTree(heads, int(heads[m]), m)
			if !slices.Equal(shi, x.SHI) || !slices.Equal(thi, x.THI) {
				t.Fatalf("arc to %d of %v: %v %v, want %v %v", m, heads[1:], shi, thi, x.SHI, x.THI)
			}
		}
		most := math.Inf(-1)
		for y := range treetest.Enumerate(n, class) {
			most = max(most, total(y))
		}
		if got > most+1e-9 {
			t.Fatalf("n=%d: %v is more than the best tree has, %v", n, got, most)
		}
		if got > most-1e-9 {
			best++
		}
	}
	if best < tries*3/4 {
		t.Errorf("%d of %d are best", best, tries)
	}
}

func TestBounds(t *testing.T) {
	c := NewHistory(false, &hook{punct: []int{3, 11}}, HistoryOptions{})
	c.n = 12
	for _, x := range []struct{ s, t, bs, bt, ls, lt int }{ // a bound at s or t itself: nothing there
		{4, 8, 4, 10, 3, 11}, {5, 7, 4, 8, 4, 8}, {2, 9, 1, 10, 0, 11},
		{6, 7, 6, 7, 5, 8}, {3, 10, 1, 10, 0, 11}, {1, 5, 1, 8, 0, 8},
	} {
		c.options.Literal = false
		if bs, bt := c.bounds(x.s, x.t); bs != x.bs || bt != x.bt {
			t.Errorf("(%d,%d): %d and %d, want %d and %d", x.s, x.t, bs, bt, x.bs, x.bt)
		}
		c.options.Literal = true
		if bs, bt := c.bounds(x.s, x.t); bs != x.ls || bt != x.lt {
			t.Errorf("(%d,%d) literally: %d and %d, want %d and %d", x.s, x.t, bs, bt, x.ls, x.lt)
		}
	}
}

// TestOutside: outside histories are what the best spans of the bounds have, and fixed when an arc is
// scored.
func TestOutside(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for _, o := range []HistoryOptions{{Outside: true}, {Outside: true, Boundary: true}, {Outside: true, Literal: true}} {
		nonempty := 0
		for range 30 {
			const n = 9
			p := full(n, tree.Carreras)
			seen := map[int]History{}
			x := &hook{p: p, punct: []int{3, 7},
				child: func(s, t, c int, left, inT, _ bool) float64 { return float64((s+t+c)%3) - 1 }}
			x.heads = func(h, m int) bool { return (h+2*m)%3 == 0 }
			record := &recorder{x, seen}
			c, heads := NewHistory(true, record, o), make([]int32, n+1)
			if _, ok := c.Best(p, treetest.Random(p, rng, 1), heads); !ok {
				t.Fatal("no tree")
			}
			for a, h := range seen {
				got := c.Of(a)
				if got.S != h.S || got.T != h.T || !slices.Equal(got.SHO, h.SHO) || !slices.Equal(got.THO, h.THO) ||
					!slices.Equal(got.SHI, h.SHI) {
					t.Fatalf("arc %d: %v, was %v", a, got, h)
				}
				nonempty += len(got.SHO) + len(got.THO)
				for _, m := range got.SHO {
					if int(m) >= got.S || got.S-int(m) >= got.T-got.S {
						t.Fatalf("%v", got)
					}
				}
				for _, m := range got.THO {
					if int(m) <= got.T || int(m)-got.T >= got.T-got.S {
						t.Fatalf("%v", got)
					}
				}
			}
		}
		if nonempty == 0 {
			t.Errorf("%+v: nothing is outside", o)
		}
	}
}

type recorder struct {
	*hook
	seen map[int]History
}

func (r *recorder) Score(arc int, h *History) float64 {
	r.seen[arc] = History{h.S, h.T, slices.Clone(h.SHI), slices.Clone(h.THI), slices.Clone(h.SHO), slices.Clone(h.THO)}
	return r.hook.Score(arc, h)
}

package treekernel

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// mine mines trees.
func mine(t testing.TB, k Kernel, o Mining, shapes []*Shape) ([]*Tree, *Mined) {
	t.Helper()
	names := NewAlphabet()
	var trees []*Tree
	for _, s := range shapes {
		trees = append(trees, s.Tree(names))
	}
	m, err := Mine(context.Background(), k, o, trees, names)
	if err != nil {
		t.Fatal(err)
	}
	return trees, m
}

// product is the product of the vectors of two trees.
func (m *Mined) product(i, j int) float64 {
	of := map[int]float64{}
	m.Each(j, func(g int, c float64) { of[g] = c })
	sum := 0.0
	m.Each(i, func(g int, c float64) { sum += m.Groups[g].Weight * c * of[g] })
	return sum
}

// TestMinedIsKernel compares products of vectors with kernels, for all pairs that are not direct.
func TestMinedIsKernel(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	compared := [3]int{}
	for round := range 400 {
		var shapes []*Shape
		for range 8 {
			shapes = append(shapes, random(r, 9, round%2 == 0))
		}
		o := Mining{Size: []int{1, 2, 3, 4, 6, 100}[r.IntN(6)], Ratio: []float64{1, 2, 1e9}[r.IntN(3)],
			Searches: 1 << 30, Lean: r.IntN(2) == 0}
		for f := range Family(3) {
			k := Kernel{Family: f, Decay: 0.7, Marked: round%4 < 2}
			if round%3 == 0 {
				k.Weights = map[string]float64{"0": 40, "1": 7}
			}
			trees, m := mine(t, k, o, shapes)
			g, err := NewGram(t.Context(), k, trees, m, true)
			if err != nil {
				t.Fatal(err)
			}
			plain, _ := NewGram(t.Context(), k, trees, nil, true)
			plain.Plain()
			got, want := make([]float64, 8), make([]float64, 8)
			for i := range trees {
				g.Row(i, got)
				plain.Row(i, want)
				for j := range trees {
					if !near(got[j], want[j], 1e-12) {
						t.Fatalf("%v %v: row %d of the matrix has %g at %d, want %g", k, o, i, got[j], j, want[j])
					}
					if m.Direct.Has(int32(i), int32(j)) {
						continue
					}
					v := NewEvaluator(k).Value(k.Prepare(trees[i]), k.Prepare(trees[j]))
					if p := m.product(i, j); !near(p, v, 1e-12) {
						t.Fatalf("%v %v: trees %d and %d: product %g, kernel %g", k, o, i, j, p, v)
					}
					if v > 0 {
						compared[f]++
					}
				}
			}
			if o.Size == 100 && o.Ratio == 1e9 && m.Direct.Rate() > 0 {
				t.Fatalf("%v: without limits %g of the pairs are direct", k, m.Direct.Rate())
			}
		}
	}
	if slices.Min(compared[:]) < 700 {
		t.Errorf("only %v pairs were compared", compared)
	}
}

// TestWorkedMining has groups that were found by hand.
func TestWorkedMining(t *testing.T) {
	shapes := []*Shape{read(t, "(S (NP*1) (VP (V*0) (NP)))"), read(t, "(S (NP*1) (VP (V*0)))"), read(t, "(S (NP) "+
		"(VP (V*0) (NP*1)))")}
	for _, c := range []struct {
		size, subtrees int
		direct         [][2]int32
		texts          []string
	}{
		{20, 7, nil, []string{"(NP*1)", "(S (NP*1))"}},
		{4, 4, [][2]int32{{0, 1}}, nil},
		{3, 0, [][2]int32{{0, 1}, {0, 2}, {1, 2}}, nil}, // nothing is left to search for
	} {
		_, m := mine(t, Kernel{Family: Partial, Decay: 1, Marked: true},
			Mining{Size: c.size, Ratio: 20, Searches: 1000, Lean: true}, shapes)
		total, direct := 0, 0
		for _, g := range m.Groups {
			total += g.Subtrees
		}
		for i := range int32(3) {
			for j := range i {
				if m.Direct.Has(i, j) {
					direct++
				}
			}
		}
		if total != c.subtrees || direct != len(c.direct) {
			t.Errorf("size %d: %d subtrees, %d direct pairs; want %d, %d", c.size, total, direct, c.subtrees,
				len(c.direct))
		}
		for _, p := range c.direct {
			if !m.Direct.Has(p[0], p[1]) {
				t.Errorf("size %d: pair %v is not direct", c.size, p)
			}
		}
		if c.texts != nil {
			if len(m.Groups) != 2 || m.product(0, 1) != 7 || m.product(0, 2) != 4 {
				t.Errorf("%d groups, products %g and %g", len(m.Groups), m.product(0, 1), m.product(0, 2))
			}
			var texts []string
			for g := range m.Groups {
				texts = append(texts, m.Text(g))
			}
			if slices.Sort(texts); !slices.Equal(texts, c.texts) {
				t.Errorf("groups are written %q, want %q", texts, c.texts)
			}
		}
	}
}

// TestManySubtrees ends the search, and all pairs are direct.
func TestManySubtrees(t *testing.T) {
	shapes := []*Shape{read(t, "(S (A) (B (C)))"), read(t, "(S (A) (B (C)))")}
	trees, m := mine(t, Kernel{Family: Partial, Decay: 0.5, Marked: false},
		Mining{Size: 20, Ratio: 20, Searches: 3}, shapes)
	if m.Whole || len(m.Groups) > 0 || m.Direct.Rate() != 1 {
		t.Errorf("whole %v, %d groups, %g direct", m.Whole, len(m.Groups), m.Direct.Rate())
	}
	g, err := NewGram(t.Context(), m.Kernel, trees, m, true)
	if err != nil {
		t.Fatal(err)
	}
	row := make([]float64, 2)
	if g.Row(0, row); math.Abs(row[1]-1) > 1e-12 {
		t.Errorf("equal trees: %g, want 1", row[1])
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	names := NewAlphabet()
	var many []*Tree
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		many = append(many, random(r, 9, false).Tree(names))
	}
	for f := range Family(3) {
		if _, err := Mine(ctx, Kernel{Family: f, Decay: 0.5, Marked: false},
			Mining{Size: 20, Ratio: 20, Searches: 1 << 30}, many,
			names); !errors.Is(err, context.Canceled) {
			t.Errorf("%v: a search that was stopped says %v", f, err)
		}
	}
}

// TestPatternsAreWritten writes a subtree of each family, the smallest of its group.
func TestPatternsAreWritten(t *testing.T) {
	shapes := []*Shape{read(t, "(S (NP (D) (N)) (VP (V)))"), read(t, "(X (S (NP (D) (N)) (VP (V))))")}
	for f, want := range []string{"(NP (D) (N))", "(NP (D) (N))", "(D)"} {
		_, m := mine(t, Kernel{Family: Family(f), Decay: 0.5}, Mining{Size: 20, Ratio: 20, Searches: 1000}, shapes)
		var texts []string
		for g := range m.Groups {
			texts = append(texts, m.Text(g))
		}
		if len(texts) != 1 { // all are in both trees once
			t.Errorf("%v: groups %q", Family(f), texts)
		}
		if len(texts[0]) > len(want)+6 {
			t.Errorf("%v: written %q, want one as short as %q", Family(f), texts[0], want)
		}
	}
}

// TestAllSubtrees lists every subtree up to a size that two trees have, however much these have in common.
func TestAllSubtrees(t *testing.T) {
	shapes := []*Shape{read(t, "(S (A) (B (C)))"), read(t, "(S (A) (B (C)))"), read(t, "(S (A) (B (D)))")}
	for f, want := range []int{2, 3, 9} {
		_, m := mine(t, Kernel{Family: Family(f), Decay: 0.5}, Mining{Size: 3, Ratio: 1, Searches: 1000, All: true}, shapes)
		total := 0
		for _, g := range m.Groups {
			total += g.Subtrees
		}
		if total != want {
			t.Errorf("%v: %d subtrees, want %d", Family(f), total, want)
		}
	}
}

package hypergraph

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// random draws a graph whose last node has some hundred derivations.
func random(rng *rand.Rand) *Graph {
	g := &Graph{}
	g.Reset(nil)
	for g.Nodes() < 8 {
		n := g.Nodes()
		for range 1 + rng.IntN(3) {
			g.Add(int32(rng.IntN(n)), int32(rng.IntN(n)), rng.NormFloat64(), int32(n))
		}
		if g.Node() != int32(n) {
			panic("a node is wanted")
		}
	}
	return g
}

// count is the number of derivations of the last node.
func count(g *Graph) float64 {
	n := []float64{1}
	for v := int32(1); int(v) < g.Nodes(); v++ {
		sum := 0.0
		for i, to := g.Of(v); i < to; i++ {
			sum += n[g.Edges[i].Tail[0]] * n[g.Edges[i].Tail[1]]
		}
		n = append(n, sum)
	}
	return n[len(n)-1]
}

// derivations enumerates the scores of the derivations of a node, with how often each has a node.
func derivations(g *Graph, v int32, visit func(score float64, has map[int32]float64)) {
	if v == 0 {
		visit(0, map[int32]float64{})
		return
	}
	from, to := g.Of(v)
	for i := from; i < to; i++ {
		e := g.Edges[i]
		derivations(g, e.Tail[0], func(a float64, x map[int32]float64) {
			derivations(g, e.Tail[1], func(b float64, y map[int32]float64) {
				has := map[int32]float64{v: 1}
				for k, c := range x {
					has[k] += c
				}
				for k, c := range y {
					has[k] += c
				}
				visit(a+b+e.Weight, has)
			})
		})
	}
}

// TestAgainstEnumeration compares the best, all by rank, the sum and the masses of nodes with those over all
// derivations.
func TestAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 300 {
		g := random(rng)
		root := int32(g.Nodes() - 1)
		if count(g) > 3000 {
			continue
		}
		var scores []float64
		z, mass := 0.0, make([]float64, g.Nodes())
		derivations(g, root, func(s float64, has map[int32]float64) {
			scores = append(scores, s)
			z += math.Exp(s)
			for v, c := range has {
				mass[v] += c * math.Exp(s)
			}
		})
		slices.Sort(scores)
		slices.Reverse(scores)
		if got := g.Best(nil); math.Abs(got-scores[0]) > 1e-9 {
			t.Fatalf("best %v, want %v", got, scores[0])
		}
		if got := g.Marginals(); math.Abs(got-math.Log(z)) > 1e-9 {
			t.Fatalf("ln Z %v, want %v", got, math.Log(z))
		}
		for v := 1; v < g.Nodes(); v++ {
			if math.Abs(g.Mass[v]-mass[v]/z) > 1e-9 {
				t.Fatalf("node %d has %v, want %v", v, g.Mass[v], mass[v]/z)
			}
		}
		l := NewLister(g)
		for k, want := range scores {
			if !l.Find(root, int32(k)) {
				t.Fatalf("%d derivations of %d", k, len(scores))
			}
			if got := l.At(root, int32(k)).Score; math.Abs(got-want) > 1e-9 {
				t.Fatalf("derivation %d has %v, want %v", k, got, want)
			}
		}
		if l.Find(root, int32(len(scores))) {
			t.Fatal("there is one too many")
		}
	}
}

// TestExtremes: scores far from 0, nodes without edges, work that is to end.
func TestExtremes(t *testing.T) {
	g := &Graph{}
	g.Reset(nil)
	if g.Add(Impossible, 0, 0, 0) || g.Add(0, 0, math.Inf(-1), 0) || g.Node() != Impossible {
		t.Error("an impossible node")
	}
	g.Add(0, 0, -800, 0)
	g.Add(0, 0, -801, 1)
	v := g.Node()
	g.Add(v, v, 1600, 0)
	g.Node()
	if z := g.Marginals(); math.Abs(z-2*math.Log(1+math.Exp(-1))) > 1e-9 {
		t.Errorf("ln Z is %v", z)
	}
	g.Reset(func() bool { return true })
	for range 100 {
		g.Add(0, 0, 0, 0)
		g.Node()
	}
	if !math.IsInf(g.Marginals(), -1) || !math.IsInf(g.Best(nil), -1) || NewLister(g).Find(5, 0) {
		t.Error("work that is to end goes on")
	}
}

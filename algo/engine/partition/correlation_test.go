package partition

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

var ctx = context.Background()

func close9(a, b, scale float64) bool { return math.Abs(a-b) <= 1e-9*scale }

func scaleOf(edges []Edge) (sum float64) {
	for _, e := range edges {
		if !math.IsInf(e.Weight, 0) {
			sum += math.Abs(e.Weight)
		}
	}
	return sum
}

// TestCorrelationEnumerates compares with all partitions.
func TestCorrelationEnumerates(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	searched, uncertain, contradictions := 0, 0, 0
	for kind, weight := range weights(rng) {
		for range 250 {
			n := rng.IntN(9)
			edges := randomEdges(rng, n, .3+.7*rng.Float64(), weight)
			want := bestOf(n, edges)
			for _, o := range []Options{Defaults(), {}, {Exact: 10, Nodes: 1 + rng.IntN(30)}} {
				c, err := Correlation(ctx, n, edges, o)
				var contradiction *Contradiction
				if errors.As(err, &contradiction) {
					if contradictions++; !math.IsInf(want, -1) {
						t.Fatalf("kind %d: %v, but a partition has value %v", kind, err, want)
					}
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				checkClustering(t, c, n, edges, want, o.Exact > 10)
				if searched += c.Nodes; !c.Certified {
					uncertain++
				}
				if t.Failed() {
					t.Fatalf("kind %d: %+v, want value %v, options %v: %v", kind, c, want, o, edges)
				}
			}
		}
	}
	if searched < 10_000 || uncertain < 100 || contradictions < 10 {
		t.Errorf("%d nodes, %d uncertain, %d contradictions", searched, uncertain, contradictions)
	}
}

func checkClustering(t *testing.T, c Clustering, n int, edges []Edge, want float64, exact bool) {
	t.Helper()
	scale := scaleOf(edges)
	if len(c.Labels) != n || !slices.Equal(c.Labels, appendLabels(nil, c.Labels)) {
		t.Errorf("labels %v of %d items", c.Labels, n)
	}
	if v := valueOf(c.Labels, edges); !close9(v, c.Value, scale) {
		t.Errorf("value %v, labels have %v", c.Value, v)
	}
	if c.Bound < want-1e-9*scale || c.Value > want+1e-9*scale {
		t.Errorf("value %v and bound %v around the best, %v", c.Value, c.Bound, want)
	}
	if (c.Certified || exact) && !close9(c.Value, want, scale) || exact && !c.Certified || c.Certified && c.Gap() != 0 {
		t.Errorf("certified %v with %v, the best is %v", c.Certified, c.Value, want)
	}
}

func TestCorrelationWorked(t *testing.T) {
	for _, c := range []struct {
		n     int
		edges []Edge
		value float64
		want  []int32
	}{
		{0, nil, 0, nil},
		{1, nil, 0, []int32{0}},
		{3, nil, 0, []int32{0, 1, 2}},
		{4, []Edge{{0, 1, 2}, {0, 2, -3}, {1, 2, 1.5}, {0, 3, -1}, {1, 3, -.5}, {2, 3, .4}}, 2.4, []int32{0, 0, 1, 1}},
		{3, []Edge{{0, 1, math.Inf(1)}, {1, 2, 1}, {0, 2, -3}, {0, 1, -5}}, -5, []int32{0, 0, 1}},
		{3, []Edge{{0, 1, math.Inf(-1)}, {1, 2, 1}, {0, 2, 3}}, 3, []int32{0, 1, 0}},
		{2, []Edge{{0, 1, 2}, {1, 0, -1}}, 1, []int32{0, 0}},
	} {
		got, err := Correlation(ctx, c.n, c.edges, Defaults())
		if err != nil || math.Abs(got.Value-c.value) > 1e-12 || !slices.Equal(got.Labels, c.want) || !got.Certified {
			t.Errorf("%v: %+v %v", c.edges, got, err)
		}
	}
	for _, e := range []Edge{{0, 0, 1}, {0, 2, 1}, {-1, 0, 1}, {0, 1, math.NaN()}} {
		if _, err := Correlation(ctx, 2, []Edge{e}, Defaults()); !errors.Is(err, ErrInvalid) {
			t.Errorf("%v: %v", e, err)
		}
	}
}

// planted is clusters of a size whose pairs attract each other, with noise.
func planted(rng *rand.Rand, n, size int, density, noise float64) (edges []Edge) {
	for a := range int32(n) {
		for b := range a {
			if rng.Float64() < density {
				w := -1.0
				if int(a)/size == int(b)/size {
					w = 1
				}
				edges = append(edges, Edge{a, b, w + noise*rng.NormFloat64()})
			}
		}
	}
	return edges
}

// TestCorrelationLarge: beyond the exact limit clusters are found, the gap is told, and nothing depends on chance.
func TestCorrelationLarge(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	edges := planted(rng, 200, 10, 1, 1)
	c, err := Correlation(ctx, 200, edges, Defaults())
	if err != nil || c.Bound < c.Value || c.Certified && c.Gap() > 0 {
		t.Fatalf("%+v %v", c, err)
	}
	truth := make([]int32, 200)
	for i := range truth {
		truth[i] = int32(i / 10)
	}
	if v := valueOf(truth, edges); c.Value < .99*v || c.Bound < v {
		t.Errorf("value %v, bound %v, planted %v", c.Value, c.Bound, v)
	}
	again, err := Correlation(ctx, 200, edges, Defaults())
	if err != nil || !slices.Equal(again.Labels, c.Labels) || again.Bound != c.Bound {
		t.Errorf("another answer: %v", err)
	}
}

// TestGreedyIsLocallyBest: no single move and no merge of what greedy finds gains.
func TestGreedyIsLocallyBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	improved := 0
	for range 200 {
		n := 2 + rng.IntN(12)
		edges := randomEdges(rng, n, .8, rng.NormFloat64)
		c, err := Correlation(ctx, n, edges, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for v := range n {
			for to := range int32(n) {
				other := slices.Clone(c.Labels)
				if other[v] = to; valueOf(other, edges) > c.Value+1e-9 {
					t.Fatalf("item %d moves from %d to %d and gains", v, c.Labels[v], to)
				}
				for u, y := range c.Labels {
					if other[u] = y; y == c.Labels[v] {
						other[u] = to
					}
				}
				if valueOf(other, edges) > c.Value+1e-9 {
					t.Fatalf("clusters %d and %d merge and gain", c.Labels[v], to)
				}
			}
		}
		if best, err := Correlation(ctx, n, edges, Defaults()); err != nil || best.Value < c.Value-1e-9 {
			t.Fatalf("%v is worse than greedy, %v, %v", best.Value, c.Value, err)
		} else if best.Value > c.Value+1e-9 {
			improved++
		}
	}
	if improved == 0 {
		t.Error("the search never beats the greedy way")
	}
}

// TestSearchFromNothing: the search needs no good partition to begin with.
func TestSearchFromNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 300 {
		n := 2 + rng.IntN(6)
		edges := randomEdges(rng, n, .6, func() float64 { return float64(rng.IntN(9) - 5) })
		alone := New(n).Labels(nil)
		b := newBranching(newGraph(alone, edges), alone, 0, 1_000_000)
		if err := b.run(ctx); err != nil {
			t.Fatal(err)
		}
		if want := bestOf(n, edges); b.value != want || valueOf(b.best, edges) != want {
			t.Fatalf("%v of value %v, said to be %v, want %v: %v", b.best, valueOf(b.best, edges), b.value, want, edges)
		}
	}
}

// TestJoinedPairsCount: weights between items that must be together count in the value and in the bound.
func TestJoinedPairsCount(t *testing.T) {
	edges := planted(rand.New(rand.NewPCG(11, 12)), 30, 5, 1, 2)
	plain, err := Correlation(ctx, 30, edges, Options{})
	if err != nil || plain.Certified {
		t.Fatalf("%+v %v", plain, err)
	}
	joined, err := Correlation(ctx, 32, append(edges, Edge{30, 31, math.Inf(1)}, Edge{31, 30, 5}), Options{})
	if err != nil || !close9(joined.Value, plain.Value+5, 100) || !close9(joined.Bound, plain.Bound+5, 1000) {
		t.Errorf("%v of %v, without the pair %v of %v, %v", joined.Value, joined.Bound, plain.Value, plain.Bound, err)
	}
}

func TestCorrelationEndsWithItsContext(t *testing.T) {
	done, cancel := context.WithCancel(ctx)
	cancel()
	edges := planted(rand.New(rand.NewPCG(7, 8)), 60, 5, 1, 3)
	for _, exact := range []int{0, 100} {
		_, err := Correlation(done, 60, edges, Options{Exact: exact, Nodes: 1 << 40})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	}
	b := newBranching(newGraph(New(60).Labels(nil), edges), New(60).Labels(nil), 0, 1<<40)
	if err := b.run(done); !errors.Is(err, context.Canceled) {
		t.Errorf("search: %v", err)
	}
}

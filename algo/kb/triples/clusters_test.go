package triples

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/storage/value"

	"pgregory.net/rapid"
)

// planted has groups of entities; entity i of group g stands in some of the relations of its group and of
// those of the next one.
func planted(groups, size int) string {
	r := rand.New(rand.NewPCG(5, 5))
	var list []string
	for g := range groups {
		for i := range size {
			for k := range 6 {
				if r.IntN(3) > 0 || k == 0 {
					list = append(list, fmt.Sprintf("g%d_%02d r%d_%d g%d_%02d", g, i, g, k, (g+1)%groups, r.IntN(size)))
				}
			}
		}
	}
	return strings.Join(list, ";")
}

// TestClustersFindGroups: groups that stand in other relations are found, though most of their entities stand in
// different ones of them.
func TestClustersFindGroups(t *testing.T) {
	d := read(t, kind.Tables{"triples": facts(planted(5, 30))})
	if n := d.profiles().len(); n < 50 {
		t.Fatalf("only %d profiles", n)
	}
	found, err := d.clusters(context.Background(), 5, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	group := map[string]int32{}
	for e, c := range found {
		g := d.Entities.Name(int32(e))[:2]
		if at, ok := group[g]; ok && at != c {
			t.Errorf("%s stands in cluster %d, others of its group in %d", d.Entities.Name(int32(e)), c, at)
		}
		group[g] = c
	}
	if len(group) != 5 {
		t.Errorf("%d groups", len(group))
	}
	s := sets(t, d, "induced", arg("clusters", value.Int(5)))
	r, _ := d.Relations.Find("r3_0")
	if a, b := s.Allowed(Subject, r), s.Allowed(Object, r); len(a) != 30 || len(b) != 30 {
		t.Errorf("%d subjects and %d objects are allowed, want the 30 of each group", len(a), len(b))
	}
}

// TestClustersAreFixed: every profile is in the cluster whose mean, taken anew, has the greatest cosine with it.
func TestClustersAreFixed(t *testing.T) {
	d := read(t, kind.Tables{"triples": facts(planted(4, 20))})
	p := d.profiles()
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 30).Draw(t, "clusters")
		found, err := p.clustered(context.Background(), k, rapid.Uint64().Draw(t, "seed"), 2)
		if err != nil {
			t.Fatal(err)
		}
		means := make([][]float64, k)
		for i, c := range found.cluster {
			if means[c] == nil {
				means[c] = make([]float64, p.sides)
			}
			p.each(i, func(s int32, x float64) { means[c][s] += p.count[i] * x })
		}
		cosine := func(i int, mean []float64) float64 {
			dot, square := 0.0, 0.0
			p.each(i, func(s int32, x float64) { dot += x * mean[s] })
			for _, y := range mean {
				square += y * y
			}
			return dot / math.Sqrt(square)
		}
		for i, c := range found.cluster {
			for j, mean := range means {
				if mean != nil && cosine(i, mean) > cosine(i, means[c])+1e-9 {
					t.Fatalf("profile %d is nearer to cluster %d than to its own, %d", i, j, c)
				}
			}
		}
	})
}

// TestClustersByHand: entities with the same sides are one cluster, and where there is room others are not.
func TestClustersByHand(t *testing.T) {
	d := read(t, kind.Tables{"triples": facts("a r x; b r y; a r y; c s x; c s y; c s a"), "entities": rows("z _")})
	found, err := d.clusters(context.Background(), 4, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	a, b, c, x, y, z := found[0], found[1], found[2], found[3], found[4], found[5]
	if x != y || z != -1 || len(slices.Compact(slices.Sorted(slices.Values([]int32{a, b, c, x})))) != 4 {
		t.Errorf("clusters are %v", found)
	}
	p := d.profiles()
	got, want := fmt.Sprint(p.start, p.side, p.count, p.members), "[0 1 3 5 6] [0 0 3 1 3 2] [1 1 2 1] [[1] [0] [3 4] [2]]"
	if got != want {
		t.Errorf("profiles are %s", got)
	}
	// of five entities, two are subjects of r, two its objects, one is a subject of s, three its objects
	n, o := math.Log(6.0/2), math.Log(6.0/3)
	n, o = n/math.Hypot(n, o), o/math.Hypot(n, o)
	for i, want := range []float64{1, n, o, n, o, 1} {
		near(t, fmt.Sprint("value ", i), p.value[i], want)
	}
}

// TestClustersByWorkers: any number of workers finds the same sets, and a context ends the search.
func TestClustersByWorkers(t *testing.T) {
	d := read(t, kind.Tables{"triples": facts(planted(40, 30))})
	if n := d.profiles().len(); n <= 2*assignChunk {
		t.Fatalf("%d profiles are too few to be shared", n)
	}
	var want []int32
	for workers := 1; workers <= 5; workers++ {
		found, err := d.clusters(context.Background(), 60, 7, workers)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = found
		}
		if !slices.Equal(found, want) {
			t.Errorf("%d workers find other clusters", workers)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := d.Sets(ctx, typesBy(t, "clusters"), 1, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
}

// TestSetsHoldFacts: where types are induced, no fact of the input is refused, and what stands nowhere and has no
// type is allowed everywhere.
func TestSetsHoldFacts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in, _, _ := drawn(t)
		in["entities"] = rows("lone _")
		for e := range rapid.IntRange(0, 4).Draw(t, "typed") {
			in["entities"] = append(in["entities"], rows(fmt.Sprintf("e%d t%d", e, rapid.IntRange(0, 2).Draw(t, "type")))...)
		}
		d := read(t, in)
		lone, _ := d.Entities.Find("lone")
		for _, types := range []string{"induced", "clusters"} {
			s := sets(t, d, types, arg("clusters", value.Int(int64(rapid.IntRange(0, 4).Draw(t, "clusters")))))
			for _, f := range d.Facts {
				if !s.AllowsTriple(f) {
					t.Fatalf("%s refuses the fact %v", types, f)
				}
			}
			for r := range int32(d.Relations.Len()) {
				if !s.Allows(Subject, r, lone) || !s.Allows(Object, r, lone) {
					t.Fatalf("%s refuses an entity of which nothing is known", types)
				}
			}
		}
	})
}

// TestInducedByTypesAndClusters: where some entities have types, those let their entities in, and clusters the others.
func TestInducedByTypesAndClusters(t *testing.T) {
	d := read(t, kind.Tables{
		"triples":  facts("ann knows bob; cid knows ann; dan likes tea; eve likes tea; ann drinks tea"),
		"entities": rows("ann person; zoe person")})
	knows, _ := d.Relations.Find("knows")
	allows := func(s *Sets, side Side, relation int32) string {
		var out []string
		for _, e := range s.Allowed(side, relation) {
			out = append(out, d.Entities.Name(e))
		}
		return strings.Join(out, " ")
	}
	many, all := []option.Arg{arg("clusters", value.Int(10))}, "ann bob cid dan eve tea zoe"
	for _, c := range []struct {
		types, want string
		args        []option.Arg
	}{
		{"induced", "ann cid zoe", many}, {"clusters", "ann cid zoe", many},
		{"induced", all, nil}, {"clusters", all, nil}, {"stored", all, nil}, {"observed", "ann cid", nil},
	} {
		if got := allows(sets(t, d, c.types, c.args...), Subject, knows); got != c.want {
			t.Errorf("%s allows %s as subjects, want %s", c.types, got, c.want)
		}
	}
	drinks, _ := d.Relations.Find("drinks") // of which only ann, who has a type, is a subject
	one := sets(t, d, "induced", arg("clusters", value.Int(1)))
	if got := allows(one, Subject, drinks); got != all {
		t.Errorf("with one cluster %s are allowed", got)
	}
	likes, _ := d.Relations.Find("likes")
	a, b := allows(sets(t, d, "induced", many...), Subject, likes), allows(sets(t, d, "clusters", many...), Subject, likes)
	if a != "dan eve" || b != "dan eve zoe" {
		t.Errorf("induced allows %s, clusters allow %s", a, b)
	}
}

package hypernym

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
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/storage/value"
)

func count(word, context string, n float64) []value.Value {
	return []value.Value{value.Str(word), value.Str(context), value.Real(n)}
}

func up(low, high string) []value.Value { return []value.Value{value.Str(low), value.Str(high), {}} }

func edges(rows ...[]value.Value) kind.Input { return kind.Tables{"edges": rows} }

func tried(in kind.Input, roles map[string]kind.Input, notice func(string), args ...option.Arg) (*model, error) {
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply(args); err != nil {
		return nil, err
	}
	return m, m.Train(context.Background(), &kind.Training{On: in, Roles: roles, Workers: 2, Seed: 1,
		Report: func(kind.Progress) {}, Notice: notice})
}

func train(t testing.TB, in kind.Input, taxonomy kind.Input, args ...option.Arg) *model {
	t.Helper()
	m, err := tried(in, map[string]kind.Input{"taxonomy": taxonomy}, func(string) {}, args...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func near(a, b float64) bool { return math.Abs(a-b) < 5e-9 }

var all = kindtest.Arg("min_contexts", 1)

// TestSimilarity: the worked example of three words, and bounds.
func TestSimilarity(t *testing.T) {
	n1, w1 := logProfile([]uint32{0, 1, 2}, []float64{10, 5, 1})
	n2, w2 := logProfile([]uint32{0, 1, 3}, []float64{4, 2, 1})
	n3, _ := logProfile([]uint32{1, 4, 5}, []float64{1, 9, 3})
	for i, want := range []float64{0.477803, 0.377522, 0.144675} {
		if math.Abs(n1.P[i]-want) > 5e-7 {
			t.Errorf("P(%d|n1) = %v, want %v", i, n1.P[i], want)
		}
	}
	if got := similarity(n1, n2); !near(got, 0.828210498) {
		t.Errorf("sim(n1,n2) = %.9f", got)
	}
	if got := similarity(n3, n1); !near(got, 0.235063030) {
		t.Errorf("sim(n3,n1) = %.9f", got)
	}
	if similarity(n1, n1) < 1-1e-12 || similarity(n1, profile{[]uint32{7}, []float64{1}}) != 0 {
		t.Error("a word is like itself, and unlike one without a common context")
	}
	avg := average([]profile{n1, n2}, []float64{16, 7})
	for i, want := range []float64{0.475366, 0.364073, 0.100644, 0.059918} {
		if math.Abs(avg.P[i]-want) > 5e-7 {
			t.Errorf("P_child(%d) = %v, want %v", i, avg.P[i], want)
		}
	}
	if got := similarity(avg, n3); !near(got, 0.231604043) {
		t.Errorf("sim(children, n3) = %.9f", got)
	}
	if w1 <= w2 {
		t.Errorf("the sums of modified counts are %v and %v", w1, w2)
	}
}

// TestDivergence: the similarity is 1 minus the divergence by its definition, and the index finds what comparing with
// all finds.
func TestDivergence(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var list []profile
	for range 40 {
		var ids []uint32
		var n []float64
		for f := range uint32(12) {
			if rng.IntN(3) == 0 || f == 11 && len(ids) == 0 {
				ids, n = append(ids, f), append(n, float64(1+rng.IntN(20)))
			}
		}
		p, _ := logProfile(ids, n)
		list = append(list, p)
	}
	x, s := newIndex(list, 12), &search{}
	for i, p := range list {
		var want []float64
		for j, q := range list {
			if v := 1 - divergence(p, q); i != j && v >= 0.2 {
				want = append(want, v)
			}
			if got := similarity(p, q); math.Abs(got-1+divergence(p, q)) > 1e-12 ||
				math.Abs(got-similarity(q, p)) > 1e-15 {
				t.Fatalf("sim %v, 1 − JS %v", got, 1-divergence(p, q))
			}
		}
		slices.Sort(want)
		slices.Reverse(want)
		got := x.nearest(p, 7, 0.2, i, s)
		if len(got) != min(7, len(want)) {
			t.Fatalf("%d neighbours, want %d", len(got), min(7, len(want)))
		}
		for k, g := range got {
			if math.Abs(g.Score-want[k]) > 1e-12 || math.Abs(g.Score-similarity(p, list[g.ID])) > 1e-12 ||
				int(g.ID) == i {
				t.Fatalf("neighbour %d of %d is %v, want %v", k, i, g, want[k])
			}
		}
	}
}

// divergence is the Jensen-Shannon divergence to base 2 from its definition.
func divergence(p, q profile) (sum float64) {
	dense := func(x profile) []float64 {
		out := make([]float64, 12)
		for k, f := range x.IDs {
			out[f] = x.P[k]
		}
		return out
	}
	a, b := dense(p), dense(q)
	for f := range a {
		m := (a[f] + b[f]) / 2
		if a[f] > 0 {
			sum += a[f] * math.Log2(a[f]/m) / 2
		}
		if b[f] > 0 {
			sum += b[f] * math.Log2(b[f]/m) / 2
		}
	}
	return sum
}

// picture is the hierarchy of the paper's picture, and a target whose similarities are those that are given.
func picture(t testing.TB, d float64, names ...string) []answer {
	m := &model{}
	s := &option.Set{}
	m.Options(s)
	if err := s.Apply([]option.Arg{kindtest.Arg("d", d), all}); err != nil {
		t.Fatal(err)
	}
	sims := map[string]float64{"opel astra": 0.5, "tvr tuscan": 0.4, "renault lutecia": 0.3, "mitsubishi minica": 0.45}
	b := &builder{up: map[string][]string{}}
	for _, h := range []string{"opel astra", "tvr tuscan", "renault lutecia", "mini-vehicle", "hybrid vehicle"} {
		b.add(h, "car")
	}
	b.add("mitsubishi minica", "mini-vehicle")
	b.add("toyota prius", "hybrid vehicle")
	m.Words = []string{"car", "mini-vehicle", "hybrid vehicle", "citroen ax"}
	m.Words = append(m.Words, names...)
	m.Profiles = []profile{{[]uint32{0}, []float64{1}}, {[]uint32{0}, []float64{1}}, {[]uint32{0}, []float64{1}}, {}}
	m.Weight = make([]float64, len(m.Words))
	m.Columns = 1
	for _, n := range names {
		// A context that only this name and the target have, so weighted that the similarity is the one that is wanted.
		p := sims[n] // ½·(2p·log₂ 2p − 2p·log₂ p) = p
		m.Columns += 2
		m.Profiles[3].IDs = append(m.Profiles[3].IDs, uint32(m.Columns-2))
		m.Profiles[3].P = append(m.Profiles[3].P, p)
		m.Profiles = append(m.Profiles, profile{[]uint32{uint32(m.Columns - 2), uint32(m.Columns - 1)},
			[]float64{p, 1 - p}})
	}
	m.number(b)
	if err := m.ready(context.Background()); err != nil {
		t.Fatal(err)
	}
	return m.attach(3, 10, m.room())
}

// TestVotes: the picture of the paper.
func TestVotes(t *testing.T) {
	cars := []string{"opel astra", "tvr tuscan", "renault lutecia", "mitsubishi minica"}
	for _, want := range []struct {
		d         float64
		names     []string
		car, mini float64
	}{
		{0.6, cars, 1.47, 0.45}, {0, cars, 1.2, 0.45}, {1, cars, 1.65, 0.45}, {0.6, cars[3:], 0.27, 0.45},
	} {
		got := map[uint32]float64{}
		list := picture(t, want.d, want.names...)
		for _, a := range list {
			got[a.Node] = a.Score
		}
		// Nodes by name: car, hybrid vehicle, mini-vehicle, …
		if !near(got[0], want.car) || !near(got[2], want.mini) || len(list) != 2 {
			t.Errorf("d = %v: %v, want car %v, mini-vehicle %v", want.d, list, want.car, want.mini)
		}
		if first := list[0].Node; want.car > want.mini != (first == 0) {
			t.Errorf("d = %v: the first is node %d", want.d, first)
		}
	}
}

// random is counts of words in contexts, and a random hierarchy over some of them and senses.
func random(seed uint64) (counts kind.Tables, taxonomy kind.Input, parents map[string][]string) {
	rng := rand.New(rand.NewPCG(seed, 5))
	var rows [][]value.Value
	for w := range 40 {
		rows = append(rows, count(fmt.Sprint("w", w), fmt.Sprint("f", rng.IntN(10)), 1))
		for f := range 10 {
			if rng.IntN(3) == 0 {
				rows = append(rows, count(fmt.Sprint("w", w), fmt.Sprint("f", f), float64(1+rng.IntN(9))))
			}
		}
	}
	parents = map[string][]string{}
	var list [][]value.Value
	for w := 1; w < 30; w++ { // a word has parents of smaller number, so there is no cycle
		for range 1 + rng.IntN(3) {
			low, high := fmt.Sprint("w", w), fmt.Sprint("w", rng.IntN(w))
			list = append(list, up(low, high))
			if !slices.Contains(parents[low], high) {
				parents[low] = append(parents[low], high)
			}
		}
	}
	return kind.Tables{"counts": rows}, edges(list...), parents
}

// steps is the length of the shortest path up, by enumerating all of them, 0 for none.
func steps(parents map[string][]string, low, high string) int {
	best := 0
	for _, p := range parents[low] {
		n := 1
		if p != high {
			if n = steps(parents, p, high); n == 0 {
				continue
			}
			n++
		}
		if best == 0 || n < best {
			best = n
		}
	}
	return best
}

// TestBruteForce: scores are those of the formula over all descendants and shortest paths, on random graphs.
func TestBruteForce(t *testing.T) {
	for seed := range uint64(6) {
		counts, taxonomy, parents := random(seed)
		m := train(t, counts, taxonomy, all, kindtest.Arg("k", 12), kindtest.Arg("answers", 1000),
			kindtest.Arg("max_depth", 100))
		if len(m.Answers) != 10 {
			t.Fatalf("%d words are attached", len(m.Answers))
		}
		for _, a := range m.Answers {
			type other struct {
				name string
				sim  float64
			}
			var list []other
			for h := range parents {
				if s := similarity(m.Profiles[a.Word], m.Profiles[m.word[h]]); s >= 0.05 {
					list = append(list, other{h, s})
				}
			}
			slices.SortFunc(list, func(a, b other) int {
				if a.sim != b.sim {
					return int(math.Copysign(1, b.sim-a.sim))
				}
				return strings.Compare(a.name, b.name)
			})
			want := map[string]float64{}
			for _, o := range list[:min(12, len(list))] {
				for i := range 30 {
					if r := steps(parents, o.name, fmt.Sprint("w", i)); r > 0 {
						want[fmt.Sprint("w", i)] += math.Pow(0.6, float64(r-1)) * o.sim
					}
				}
			}
			if len(want) != len(a.List) {
				t.Fatalf("%d hypernyms, want %d", len(a.List), len(want))
			}
			for _, x := range a.List {
				if math.Abs(want[m.Nodes[x.Node]]-x.Score) > 1e-12 {
					t.Errorf("score of %s for %s is %v, want %v", m.Nodes[x.Node], m.Words[a.Word], x.Score,
						want[m.Nodes[x.Node]])
				}
				sum := 0.0
				voters := m.votersOf(int(a.Word), x.Node, m.room())
				for _, v := range voters {
					sum += v.vote
				}
				if math.Abs(sum-x.Score) > 1e-12 || len(voters) != x.Voters {
					t.Errorf("%d voters give %v, want %d and %v", len(voters), sum, x.Voters, x.Score)
				}
			}
		}
	}
}

// TestNearestIsOneVote: the parents of the nearest word are those that win with k = 1 and d = 0.
func TestNearestIsOneVote(t *testing.T) {
	counts, taxonomy, _ := random(3)
	m := train(t, counts, taxonomy, all, kindtest.Arg("method", "nearest"))
	votes := train(t, counts, taxonomy, all, kindtest.Arg("k", 1), kindtest.Arg("d", 0.0),
		kindtest.Arg("answers", 1000))
	if len(m.Answers) == 0 || len(m.Answers) != len(votes.Answers) {
		t.Fatalf("%d and %d words", len(m.Answers), len(votes.Answers))
	}
	for i, a := range m.Answers {
		if b := votes.Answers[i]; a.Word != b.Word || !slices.Equal(a.List, b.List) {
			t.Errorf("%v, want %v", a, b)
		}
	}
}

// TestRootWins: with all votes in full the root has the sum of all similarities, and no score is greater.
func TestRootWins(t *testing.T) {
	counts, taxonomy, parents := random(4)
	m := train(t, counts, taxonomy, all, kindtest.Arg("k", 1000), kindtest.Arg("s_min", 0.0), kindtest.Arg("d", 1.0))
	for _, a := range m.Answers {
		sum := 0.0
		for h := range parents {
			sum += similarity(m.Profiles[a.Word], m.Profiles[m.word[h]])
		}
		root := m.scoreOf(int(a.Word), 0) // w0 is above all, and the first by name
		if m.Nodes[0] != "w0" || math.Abs(root.Score-sum) > 1e-12 || root.Score < a.List[0].Score-1e-12 {
			t.Errorf("the root has %v, all similarities are %v, the best %v", root.Score, sum, a.List[0].Score)
		}
	}
}

// TestMonotone: a higher least similarity and fewer voters lower no score that is raised by them, a greater d lowers
// none.
func TestMonotone(t *testing.T) {
	counts, taxonomy, _ := random(5)
	scores := func(k int, least, d float64) map[[2]uint32]float64 {
		m := train(t, counts, taxonomy, all, kindtest.Arg("k", k), kindtest.Arg("s_min", least), kindtest.Arg("d", d),
			kindtest.Arg("answers", 1000))
		out := map[[2]uint32]float64{}
		for _, a := range m.Answers {
			for _, x := range a.List {
				out[[2]uint32{a.Word, x.Node}] = x.Score
			}
		}
		return out
	}
	most := scores(20, 0.05, 0.6)
	for _, less := range []map[[2]uint32]float64{scores(8, 0.05, 0.6), scores(20, 0.4, 0.6), scores(20, 0.05, 0.3)} {
		lower := 0
		for k, v := range less {
			if v > most[k]+1e-12 {
				t.Fatalf("%v is above %v", v, most[k])
			}
			if v < most[k] {
				lower++
			}
		}
		if lower == 0 {
			t.Error("no score fell")
		}
	}
}

// TestBounds: what lies on a bound counts, and equal votes go to the hypernym with fewer descendants.
func TestBounds(t *testing.T) {
	in := kind.Tables{"counts": {count("rose", "f", 1), count("tulip", "f", 1), count("a", "g", 1),
		count("b", "g", 1), count("top", "g", 1),
		count("new", "f", 1)}}
	tree := edges(up("rose", "a"), up("rose", "b"), up("tulip", "b"), up("tulip", "a"), up("x", "a"), up("b", "top"))
	first := func(args ...option.Arg) []string {
		m := train(t, in, tree, append(args, all)...)
		var out []string
		for _, a := range m.Answers {
			for _, x := range a.List {
				out = append(out, m.Nodes[x.Node])
			}
		}
		return out
	}
	for _, c := range []struct {
		args []option.Arg
		want []string
	}{
		{nil, []string{"b", "a", "top"}}, // a has three descendants, b two
		{[]option.Arg{kindtest.Arg("s_min", 1.0)}, []string{"b", "a", "top"}},
		{[]option.Arg{kindtest.Arg("max_depth", 1)}, []string{"b", "a"}},
		{[]option.Arg{kindtest.Arg("method", "children_avg"), kindtest.Arg("min_children", 1)}, []string{"b", "a"}},
		{[]option.Arg{kindtest.Arg("method", "children_avg"), kindtest.Arg("min_children", 2)}, nil},
		{[]option.Arg{kindtest.Arg("answers", 1)}, []string{"b"}},
	} {
		if got := first(c.args...); !slices.Equal(got, c.want) {
			t.Errorf("%v gives %q, want %q", c.args, got, c.want)
		}
	}
}

// TestCycles: an edge that would close a cycle is left out and told, loops and repeated edges are left out.
func TestCycles(t *testing.T) {
	var told []string
	in := kind.Tables{"counts": {count("a", "f", 1), count("b", "f", 2), count("c", "f", 1), count("new", "f", 1)}}
	m, err := tried(in, map[string]kind.Input{"taxonomy": edges(up("a", "b"), up("b", "c"), up("a", "a"),
		up("a", "b"), up("c", "a"),
		up("b", "a"))}, func(s string) { told = append(told, s) }, all)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Edges) != 2 || len(told) != 1 ||
		!strings.Contains(told[0], "2 edges close a cycle and are left out, the first from 'c' up to 'a'") {
		t.Errorf("%v %v", m.Edges, told)
	}
}

// TestCompounds: what compounds end in is above them, without what is no word.
func TestCompounds(t *testing.T) {
	in := kind.Tables{"counts": {count("opel", "f", 1), count("car maker", "f", 1), count("maker", "f", 1),
		count("vauxhall", "f", 1)}}
	taxonomy := edges(up("opel", "german car maker"), up("x", "old maker"), up("rose", "a b"))
	m := train(t, in, taxonomy, all, kindtest.Arg("compounds", true))
	var got []string
	for _, e := range m.Edges {
		got = append(got, m.Nodes[e.Low]+" < "+m.Nodes[e.High])
	}
	want := []string{"car maker < maker", "german car maker < car maker", "old maker < maker",
		"opel < german car maker",
		"rose < a b", "x < old maker"}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	// German car maker is no word of the counts and is walked through: opel votes for car maker with 0.6 and for maker
	// with 0.36, car maker for maker with 1.
	if a := m.Answers; len(a) != 1 || m.Words[a[0].Word] != "vauxhall" || len(a[0].List) != 2 ||
		m.Nodes[a[0].List[0].Node] != "maker" ||
		!near(a[0].List[0].Score, 1.36) || !near(a[0].List[1].Score, 0.6) {
		t.Errorf("%v", a)
	}
}

// TestSenses: senses are answers by their words, and are walked through without one.
func TestSenses(t *testing.T) {
	in := kind.Tables{"counts": {count("rose", "f", 1), count("plant", "g", 1), count("flower", "g", 1),
		count("lily", "f", 1)}}
	named := func(low, high, word string) []value.Value { return append(up(low, high)[:2], value.Str(word)) }
	m := train(t, in, edges(named("rose", "n1", "shrub"), named("n1", "n2", "plant"), named("n1", "n2", "flora")), all)
	rows := kindRows(t, m, "attach")
	if len(rows) != 1 {
		t.Fatalf("%v", rows)
	}
	if r := rows[0]; r[0].S != "lily" || r[1].S != "n2" || r[2].S != "plant" || !near(r[3].Float(), 0.6) {
		t.Errorf("%v", r)
	}
	m = train(t, in, edges(named("rose", "n1", "shrub"), named("n1", "n2", "plant")), all, option.Arg{Name: "exclude",
		List: []option.Arg{{Value: value.Str("plant")}}})
	if len(m.Answers) != 0 {
		t.Errorf("an excluded hypernym is an answer: %v", m.Answers)
	}
}

// kindRows is the rows of a relation.
func kindRows(t testing.TB, m *model, name string, args ...value.Value) (out [][]value.Value) {
	t.Helper()
	rows, err := m.Open(context.Background(), name, args, &kind.Run{})
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for {
		b, err := rows.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if b == nil {
			return out
		}
		for i := range b.N {
			out = append(out, b.Row(nil, i))
		}
	}
}

// TestClasses: with classes words are compared by them, and words without one are left out.
func TestClasses(t *testing.T) {
	in := kind.Tables{"counts": {count("rose", "f", 1), count("lily", "g", 1), count("plant", "h", 1),
		count("stone", "f", 1)}}
	class := func(w, c string, p float64) []value.Value {
		return []value.Value{value.Str(w), value.Str(c), value.Real(p)}
	}
	roles := map[string]kind.Input{"taxonomy": edges(up("rose", "plant")), "classes": kind.Tables{"memberships": {
		class("rose", "1", 0.5), class("rose", "2", 0.5), class("lily", "1", 0.25), class("lily", "2", 0.25),
		class("plant", "3", 1)}}}
	m, err := tried(in, roles, func(string) {}, all)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Answers) != 1 || m.Words[m.Answers[0].Word] != "lily" || !near(m.Answers[0].List[0].Score, 1) {
		t.Errorf("%v", m.Answers)
	}
}

// TestEvaluate: precision of answers that are known, by hand.
func TestEvaluate(t *testing.T) {
	in := kind.Tables{"counts": {count("rose", "f", 2), count("plant", "g", 1), count("lily", "f", 1),
		count("iris", "f", 1),
		count("iris", "g", 1)}}
	m := train(t, in, edges(up("rose", "plant")), all, kindtest.Arg("near", 1))
	row := func(w, h string, n int64) []value.Value {
		return []value.Value{value.Str(w), value.Str(h), value.Int(n)}
	}
	got, err := m.Evaluate(context.Background(),
		kind.Tables{"hidden": {row("lily", "plant", 1), row("iris", "plant", 2),
			row("iris", "colour", 1), row("lily", "plant", 3), row("unknown", "plant", 1)}}, &kind.Run{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"near_of_all": 0.5, "any_of_all": 1, "shuffled_of_all": 0.5, "coverage": 2.0 / 3}
	for _, x := range got {
		if math.Abs(x.Value()-want[x.Name]) > 1e-6 {
			t.Errorf("%s is %v, want %v", x.Name, x.Value(), want[x.Name])
		}
		delete(want, x.Name)
	}
	if len(want) > 0 {
		t.Errorf("not given: %v", want)
	}
}

// TestPlanted: classes of words below hypernyms at two depths; votes are above the nearest word and the hypernym
// itself.
func TestPlanted(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	var rows, tree, gold [][]value.Value
	for c := range 12 {
		class, area := fmt.Sprint("class", c), fmt.Sprint("area", c/4)
		tree = append(tree, up(class, area), up(area, "thing"))
		rows = append(rows, count(class, fmt.Sprintf("f%d-0", (c+5)%12), 3), count(area, "f1-1", 2),
			count("thing", "f2-2", 1))
		for w := range 20 {
			word := fmt.Sprintf("%s-word%d", class, w)
			for range 12 {
				f := fmt.Sprintf("f%d-%d", c, rng.IntN(15))
				if rng.IntN(10) < 4 {
					f = fmt.Sprintf("f%d-%d", rng.IntN(12), rng.IntN(15))
				}
				rows = append(rows, count(word, f, 1))
			}
			if w < 5 {
				gold = append(gold, append(up(word, class)[:2], value.Int(1)))
				continue
			}
			if w%4 == 0 { // the hierarchy has mistakes, which are what one neighbour alone is misled by
				tree = append(tree, up(word, fmt.Sprint("class", rng.IntN(12))))
				continue
			}
			tree = append(tree, up(word, class))
		}
	}
	score := func(args ...option.Arg) float64 {
		m := train(t, kind.Tables{"counts": rows}, edges(tree...), append(args, all)...)
		list, err := m.Evaluate(context.Background(), kind.Tables{"hidden": gold}, &kind.Run{})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range list {
			if x.Name == "near_of_all" {
				return x.Value()
			}
		}
		return math.NaN()
	}
	votes := score(kindtest.Arg("k", 10))
	nearest := score(kindtest.Arg("method", "nearest"))
	children := score(kindtest.Arg("method", "children_avg"), kindtest.Arg("min_children", 5))
	itself := score(kindtest.Arg("method", "hypernym_sim"))
	if !(votes > 0.85 && votes > nearest+0.1 && children > 0.8 && itself < 0.2) {
		t.Errorf("votes %v, nearest %v, children %v, itself %v", votes, nearest, children, itself)
	}
}

func TestFaults(t *testing.T) {
	in := kind.Tables{"counts": {count("rose", "f", 1), count("lily", "f", 1)}}
	tree := edges(up("rose", "plant"))
	bad := func(name string, rows ...[]value.Value) map[string]kind.Input {
		roles := map[string]kind.Input{"taxonomy": tree}
		table := "edges"
		if name == "classes" {
			table = "memberships"
		}
		roles[name] = kind.Tables{table: rows}
		return roles
	}
	for _, c := range []struct {
		roles map[string]kind.Input
		args  []option.Arg
		want  string
	}{
		{bad("taxonomy"), nil, "the taxonomy has no edges"},
		{bad("taxonomy", []value.Value{value.Str("rose"), {}, {}}), nil, "row 1 of the taxonomy: hyponym and hypernym"},
		{bad("taxonomy", up("Rose", "Plant")), nil, "none of the 1 hyponyms is a word of the counts"},
		{bad("taxonomy", up("rose", "plant")), []option.Arg{kindtest.Arg("min_contexts", 3)},
			"none of 2 words has 3 contexts"},
		{bad("classes", []value.Value{value.Str("x"), value.Str("1"), value.Real(1)}), nil,
			"no word of the counts has a class"},
		{bad("classes", []value.Value{value.Str("rose"), value.Str("1"), value.Real(2)}), nil,
			"row 1 of the classes: prob is 2"},
	} {
		args := c.args
		if args == nil {
			args = []option.Arg{all}
		}
		if _, err := tried(in, c.roles, func(string) {}, args...); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	m := train(t, in, tree, all)
	var unknown *kind.Unknown
	if _, err := m.Open(context.Background(), "hypernyms", []value.Value{value.Str("lilly")},
		&kind.Run{}); !errors.As(err, &unknown) ||
		!strings.Contains(err.Error(), "did you mean lily") {
		t.Errorf("%v", err)
	}
}

func TestIsWord(t *testing.T) {
	m := &model{}
	m.opt.maxLength = 8
	for w, want := range map[string]bool{"rose": true, "2nd": true, "1990": false, "-x": false, "x.": false,
		"rosebushes": false, "": false, "nœud": true} {
		if m.isWord(w) != want {
			t.Errorf("%q: %v", w, !want)
		}
	}
}

func TestKind(t *testing.T) {
	counts, taxonomy, _ := random(7)
	var classes, gold [][]value.Value
	for w := range 40 {
		classes = append(classes, []value.Value{value.Str(fmt.Sprint("w", w)), value.Str(fmt.Sprint(w % 4)),
			value.Real(0.7)},
			[]value.Value{value.Str(fmt.Sprint("w", w)), value.Str(fmt.Sprint(w % 3)), value.Real(0.3)})
		gold = append(gold, []value.Value{value.Str(fmt.Sprint("w", w)), value.Str(fmt.Sprint("w", w%7)),
			value.Int(int64(w%3 + 1))})
	}
	word := []value.Value{value.Str("w33")}
	m := train(t, counts, taxonomy, all, kindtest.Arg("method", "nearest"))
	pair := []value.Value{value.Str("w33"), {}}
	for _, a := range m.Answers {
		if m.Words[a.Word] == "w33" {
			pair[1] = value.Str(m.Nodes[a.List[0].Node])
		}
	}
	queries := []kindtest.Query{{Relation: "hypernyms", Args: word},
		{Relation: "hypernyms", Args: []value.Value{value.Str("w3"), value.Int(50)}},
		{Relation: "voters", Args: pair}, {Relation: "score", Args: pair}}
	for _, method := range []string{"ksim", "nearest", "hypernym_sim", "children_avg"} {
		args := []option.Arg{all, kindtest.Arg("method", method)}
		if method == "children_avg" {
			args = append(args, kindtest.Arg("min_children", 0))
		}
		roles := map[string]kind.Input{"taxonomy": taxonomy}
		if method == "ksim" || method == "children_avg" {
			roles["classes"] = kind.Tables{"memberships": classes}
		}
		kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: args, Tables: counts, Roles: roles,
			Gold:    kind.Tables{"hidden": gold},
			Queries: queries})
	}
}

// TestExplain: contributions add up to the score.
func TestExplain(t *testing.T) {
	counts, taxonomy, _ := random(7)
	m := train(t, counts, taxonomy, all)
	e, err := m.Explain(context.Background(), nil,
		kind.At{Relation: "score", Args: []value.Value{value.Str("w33"), value.Str("w1")}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, c := range e.Decisions[0].Contributions {
		sum += c.Value * c.Weight
	}
	if d := e.Decisions[0]; sum == 0 || math.Abs(sum-d.Margin) > 1e-12 || d.Outcome != "w1" || d.RunnerUp == "w1" {
		t.Errorf("%v adds up to %v", d, sum)
	}
}

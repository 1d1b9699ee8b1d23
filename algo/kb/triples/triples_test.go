package triples

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kind/state"
	"parlance/algo/metrics"
	"parlance/algo/option"
	"parlance/storage/value"

	"pgregory.net/rapid"
)

// facts is a table of triples, written "a r b; c r d".
func facts(s string) [][]value.Value {
	var out [][]value.Value
	for _, f := range strings.Split(s, ";") {
		w := strings.Fields(f)
		out = append(out, []value.Value{value.Str(w[0]), value.Str(w[1]), value.Str(w[2]), {}, {}})
	}
	return out
}

// rows is a table of texts, written "a b; c d"; _ is NULL.
func rows(s string) [][]value.Value {
	var out [][]value.Value
	for _, f := range strings.Split(s, ";") {
		var row []value.Value
		for _, w := range strings.Fields(f) {
			if w == "_" {
				row = append(row, value.Value{})
			} else {
				row = append(row, value.Str(w))
			}
		}
		out = append(out, row)
	}
	return out
}

func read(t rapid.TB, in kind.Input) *Data {
	t.Helper()
	d, err := Read(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

var small = kind.Tables{"triples": facts("bob born_in oslo; ann born_in rome; ann works_for acme; rome twin oslo"),
	"entities":  rows("ann person; bob person; rome city; oslo city; acme company; eve person; x _"),
	"relations": rows("born_in person place; works_for person _; none a b"),
	"types":     rows("city place; place thing; thing place; person thing")}

// table scores by a table, with one row a relation and subject.
type table struct {
	entities int
	cells    []float64
}

func (s *table) Score(t Triple) float64 {
	return s.cells[(int(t.Relation)*s.entities+int(t.Subject))*s.entities+int(t.Object)]
}

func (s *table) Scores(open Side, relation int32, given []int32, out []float64) {
	for i, g := range given {
		for e := range s.entities {
			out[i*s.entities+e] = s.Score(Of(relation, open, int32(e), g))
		}
	}
}

func answers(t rapid.TB, d *Data, s Scorer, args ...option.Arg) *Answers {
	t.Helper()
	a, set := &Answers{}, &option.Set{}
	a.Options(set)
	if err := set.Apply(args); err != nil {
		t.Fatal(err)
	}
	a.Graph, a.Scorer = d.Graph, s
	return a
}

// sets is what relations allow by the option types.
func sets(t rapid.TB, d *Data, from string, args ...option.Arg) *Sets {
	t.Helper()
	s, err := d.Sets(context.Background(), typesBy(t, from, args...), 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func typesBy(t rapid.TB, from string, args ...option.Arg) (o Types) {
	t.Helper()
	set := &option.Set{}
	o.Options(set, "none")
	if err := set.Apply(append(args, arg("types", value.Str(from)))); err != nil {
		t.Fatal(err)
	}
	return o
}

func arg(name string, v value.Value) option.Arg { return option.Arg{Name: name, Value: v} }

func TestRead(t *testing.T) {
	d := read(t, small)
	if got := fmt.Sprint(d.Entities.List(), d.Relations.List(),
		d.Types.List()); got != "[acme ann bob eve oslo rome x] [born_in twin works_for] [city company person place thing]" {
		t.Errorf("names are %s", got)
	}
	if got := fmt.Sprint(d.Facts); got != "[{1 0 5} {2 0 4} {5 1 4} {1 2 0}]" {
		t.Errorf("facts are %s", got)
	}
	if got := fmt.Sprint(d.TypesOf(0), d.TypesOf(1), d.TypesOf(6), d.Domain, d.Range,
		d.parents); got != "[1] [2] [] [[2] [] [2]] [[3] [] []] [[3] [] [4] [4] [3]]" {
		t.Errorf("types are %s", got)
	}
}

func TestReadWeights(t *testing.T) {
	one := func(s, o string, w, truth value.Value) []value.Value {
		return []value.Value{value.Str(s), value.Str("r"), value.Str(o), w, truth}
	}
	none := value.Value{}
	d := read(t,
		kind.Tables{"triples": {one("a", "b", value.Real(0.5), none), one("a", "b", value.Real(2), none),
			one("a", "b", value.Real(1), value.Bool(true)),
			one("b", "a", value.Real(0), none), one("b", "b", none, value.Bool(false)), one("b", "b", none, none)}})
	if got := fmt.Sprint(d.Facts, d.Weights, d.Denied); got != "[{0 0 1}] [2] [{1 0 1}]" {
		t.Errorf("facts, weights and denied are %s", got)
	}
	for _, w := range []float64{-1, math.NaN(), math.Inf(1)} {
		_, err := Read(context.Background(), kind.Tables{"triples": {one("a", "b", value.Real(w), none)}})
		if err == nil || !strings.Contains(err.Error(), "(a, r, b)") {
			t.Errorf("the weight %v gives %v", w, err)
		}
	}
	for _, in := range []kind.Tables{{}, {"triples": nil},
		{"triples": {one("a", "b", none, value.Bool(false)), one("a", "b", none, none)}}} {
		if _, err := Read(context.Background(), in); !errors.Is(err, kind.ErrNoData) {
			t.Errorf("without facts: %v", err)
		}
	}
}

func TestSets(t *testing.T) {
	d := read(t, small)
	name := func(list []int32) string {
		var out []string
		for _, e := range list {
			out = append(out, d.Entities.Name(e))
		}
		return strings.Join(out, " ")
	}
	for _, types := range []string{"induced", "stored"} {
		s := sets(t, d, types)
		for i, want := range []string{"ann bob eve x", "oslo rome x", "oslo rome x", "oslo rome x",
			"ann bob eve x", "acme x"} {
			if got := name(s.Allowed(Side(i%2), int32(i/2))); got != want {
				t.Errorf("%s %d: %s, want %s", types, i, got, want)
			}
		}
		if s.Len() != 3 || s.Number(Subject, 0) != s.Number(Subject, 2) {
			t.Errorf("%s: %d different sets", types, s.Len())
		}
	}
	s := sets(t, d, "observed")
	for i, want := range []string{"ann bob", "oslo rome", "rome", "oslo", "ann", "acme"} {
		if got := name(s.Allowed(Side(i%2), int32(i/2))); got != want {
			t.Errorf("observed %d: %s, want %s", i, got, want)
		}
	}
	s = sets(t, d, "declared") // thing and place are below each other, so that persons are places
	for i, want := range []string{"ann bob eve x", "ann bob eve oslo rome x", "acme ann bob eve oslo rome x"} {
		if got := name(s.Allowed(Side(i%2), int32(i/2))); got != want {
			t.Errorf("declared %d: %s, want %s", i, got, want)
		}
	}
	if sets(t, d, "none") != nil {
		t.Error("none are sets")
	}
}

func TestEncode(t *testing.T) {
	d := read(t, small)
	for _, types := range []string{"none", "induced", "clusters", "stored", "observed", "declared"} {
		a, b := &Answers{Graph: d.Graph, Sets: sets(t, d, types)}, &Answers{}
		first := encode(t, a)
		err := state.Load(kind.NewReader(func(name string) ([]byte, error) { return first[name], nil }), b)
		if err != nil {
			t.Fatal(err)
		}
		for name, p := range encode(t, b) {
			if !bytes.Equal(first[name], p) {
				t.Errorf("section %s changes", name)
			}
		}
		if (b.Sets == nil) != (types == "none") || !slices.Equal(b.Graph.Facts, d.Facts) {
			t.Error("sets or facts are lost")
		}
	}
}

func encode(t testing.TB, a *Answers) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	w := kind.NewWriter(func(name string, p []byte) error {
		out[name] = append(out[name], p...)
		return nil
	})
	if err := state.Save(w, a); err != nil {
		t.Fatal(err)
	}
	return out
}

// drawn is a random knowledge base with a scorer, many of whose scores tie.
func drawn(t *rapid.T) (kind.Tables, *Data, *table) {
	n, m := rapid.IntRange(1, 9).Draw(t, "entities"), rapid.IntRange(1, 3).Draw(t, "relations")
	var list []string
	for range rapid.IntRange(1, 30).Draw(t, "facts") {
		list = append(list,
			fmt.Sprintf("e%d r%d e%d", rapid.IntRange(0, n-1).Draw(t, "s"), rapid.IntRange(0, m-1).Draw(t, "r"),
				rapid.IntRange(0, n-1).Draw(t, "o")))
	}
	in := kind.Tables{"triples": facts(strings.Join(list, ";"))}
	for range rapid.IntRange(0, 3).Draw(t, "denied") {
		f := facts(fmt.Sprintf("e%d r%d e%d", rapid.IntRange(0, n-1).Draw(t, "s"), rapid.IntRange(0, m-1).Draw(t, "r"),
			rapid.IntRange(0, n-1).Draw(t, "o")))[0]
		f[4] = value.Bool(false)
		in["triples"] = append(in["triples"], f)
	}
	d, err := Read(context.Background(), in)
	if err != nil {
		t.Skip("all is denied")
	}
	s := &table{entities: d.Entities.Len()}
	for range d.Relations.Len() * s.entities * s.entities {
		s.cells = append(s.cells, float64(rapid.IntRange(-2, 2).Draw(t, "score")))
	}
	return in, d, s
}

// TestCompleteBruteForce compares every pattern with a sort of all triples.
func TestCompleteBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, d, s := drawn(t)
		known, top := rapid.Bool().Draw(t, "known"), rapid.IntRange(1, 50).Draw(t, "top")
		a := answers(t, d, s, arg("known", value.Bool(known)), arg("top", value.Int(int64(top))))
		if rapid.Bool().Draw(t, "typed") {
			a.Sets = sets(t, d, "observed")
		}
		if rapid.Bool().Draw(t, "bounded") {
			a.Scorer = &boundedTable{table: s, loose: float64(rapid.IntRange(0, 2).Draw(t, "loose"))}
		}
		args, want, left := make([]value.Value, 3), Triple{open, open, open}, 3
		if rapid.Bool().Draw(t, "with subject") {
			want.Subject, left = rapid.Int32Range(0, int32(s.entities-1)).Draw(t, "subject"), left-1
			args[0] = value.Str(d.Entities.Name(want.Subject))
		}
		if rapid.Bool().Draw(t, "with relation") {
			want.Relation, left = rapid.Int32Range(0, int32(d.Relations.Len()-1)).Draw(t, "relation"), left-1
			args[1] = value.Str(d.Relations.Name(want.Relation))
		}
		if rapid.Bool().Draw(t, "with object") {
			want.Object, left = rapid.Int32Range(0, int32(s.entities-1)).Draw(t, "object"), left-1
			args[2] = value.Str(d.Entities.Name(want.Object))
		}
		var all []scored
		for r := range int32(d.Relations.Len()) {
			for x := range int32(s.entities) {
				for y := range int32(s.entities) {
					tr := Triple{x, r, y}
					if want.Subject != open && want.Subject != x || want.Relation != open && want.Relation != r ||
						want.Object != open && want.Object != y ||
						!known && slices.Contains(d.Facts, tr) || slices.Contains(d.Denied, tr) ||
						a.Sets != nil && !a.Sets.AllowsTriple(tr) {
						continue
					}
					all = append(all, scored{tr, s.Score(tr)})
				}
			}
		}
		slices.SortFunc(all, func(x, y scored) int {
			if x.before(y) {
				return -1
			}
			return 1
		})
		if left > 1 {
			all = all[:min(top, len(all))]
		}
		run := &kind.Run{Workers: rapid.IntRange(1, 3).Draw(t, "workers"), Limit: rapid.IntRange(0, 6).Draw(t, "limit")}
		if run.Limit > 0 {
			all = all[:min(run.Limit, len(all))]
		}
		var given []string
		for _, row := range cells(t, a, "complete", args, run) {
			given = append(given, fmt.Sprint(row))
		}
		got := strings.Join(given, "\n")
		var sorted []string
		for _, x := range all {
			sorted = append(sorted, fmt.Sprint(a.row(x.Triple, x.score)))
		}
		if got != strings.Join(sorted, "\n") {
			t.Fatalf("complete%v gives\n%s\nwant\n%s", args, got, strings.Join(sorted, "\n"))
		}
	})
}

// lines is the rows of a relation, a line each.
func lines(t rapid.TB, a *Answers, relation string, args []value.Value, workers int) string {
	t.Helper()
	r, err := a.Open(context.Background(), relation, args, &kind.Run{Workers: workers})
	if err != nil {
		return err.Error()
	}
	defer r.Close()
	var all []string
	for {
		b, err := r.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if b == nil {
			return strings.Join(all, "\n")
		}
		for i := range b.N {
			all = append(all, fmt.Sprint(b.Row(nil, i)))
		}
	}
}

func TestRelations(t *testing.T) {
	d := read(t, small)
	s := &table{entities: 7, cells: make([]float64, 3*49)}
	a := answers(t, d, s)
	a.Sets = sets(t, d, "stored")
	str := func(list ...string) (out []value.Value) {
		for _, x := range list {
			out = append(out, value.Str(x))
		}
		return out
	}
	for _, c := range []struct {
		relation string
		args     []value.Value
		want     string
	}{
		{"score", str("ann", "born_in", "rome"), "[ann born_in rome 0.0 true true]"},
		{"score", str("ann", "born_in", "acme"), "[ann born_in acme -Infinity false false]"},
		{"score", str("ann", "born_in", "acma"), "unknown entity 'acma'; did you mean acme?"},
		{"complete", str("ann", "borne_in", "acme"), "unknown relation 'borne_in'; did you mean born_in?"},
		{"score", []value.Value{value.Str("ann"), {}, value.Str("ann")}, "score leaves no argument open; complete does"},
		{"entities", nil,
			"[acme company 1]\n[ann person 2]\n[bob person 1]\n[eve person 0]\n[oslo city 2]\n[rome city 2]\n[x  0]"},
		{"relations", nil, "[born_in 2 4 3]\n[twin 1 3 3]\n[works_for 1 4 2]"},
	} {
		if got := lines(t, a, c.relation, c.args, 1); got != c.want {
			t.Errorf("%s%v gives %s, want %s", c.relation, c.args, got, c.want)
		}
	}
	a = answers(t, d, s, arg("type_check", value.Bool(true)))
	if got := lines(t, a, "complete", make([]value.Value, 3), 1); !strings.Contains(got, "type_check = true") {
		t.Errorf("without types their check gives %s", got)
	}
}

func find(t rapid.TB, list []metrics.Metric, name, label string) metrics.Metric {
	t.Helper()
	for _, m := range list {
		if m.Name == name && m.Label == label {
			return m
		}
	}
	t.Fatalf("there is no %s of %s", name, label)
	return metrics.Metric{}
}

func near(t rapid.TB, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6*(1+math.Abs(want)) {
		t.Fatalf("%s is %v, want %v", what, got, want)
	}
}

// TestCompletionBruteForce ranks every gold triple by counting.
func TestCompletionBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, d, s := drawn(t)
		a := answers(t, d, s, arg("by_relation", value.Bool(true)))
		if rapid.Bool().Draw(t, "typed") {
			a.Sets = sets(t, d, "observed")
		}
		var list []string
		for range rapid.IntRange(1, 20).Draw(t, "gold") {
			list = append(list, fmt.Sprintf("e%d r%d e%d", rapid.IntRange(0, 9).Draw(t, "s"), rapid.IntRange(0, 2).Draw(t, "r"),
				rapid.IntRange(0, 9).Draw(t, "o")))
		}
		in := kind.Tables{"triples": facts(strings.Join(list, ";"))}
		gold, err := d.Triples(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		got, err := a.Evaluate(context.Background(), in, &kind.Run{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		known := NewIndex(d.Relations.Len(), d.Facts, keepNamed(gold))
		sums := map[string]float64{}
		for _, g := range gold {
			for _, side := range []Side{Subject, Object} {
				filtered, raw := s.entities+1, s.entities+1
				if g.Named() {
					filtered, raw = 1, 1
					value := func(x Triple) float64 {
						if a.Sets != nil && !a.Sets.AllowsTriple(x) {
							return math.Inf(-1)
						}
						return s.Score(x)
					}
					for e := range int32(s.entities) {
						x := Of(g.Relation, side, e, g.At(side.Other()))
						if x == g || value(x) < value(g) {
							continue
						}
						raw++
						if !known.Has(x) {
							filtered++
						}
					}
				}
				sums["mrr"] += 1 / float64(filtered)
				sums["mean_rank"] += float64(filtered)
				sums["raw_mean_rank"] += float64(raw)
				if filtered <= 3 {
					sums["hits@3"]++
				}
				sums[side.String()] += 1 / float64(filtered)
			}
		}
		n := float64(2 * len(gold))
		for _, name := range []string{"mrr", "mean_rank", "raw_mean_rank", "hits@3"} {
			near(t, name, find(t, got, name, metrics.All).Value(), sums[name]/n)
		}
		for _, side := range []string{"subject", "object"} {
			near(t, side, find(t, got, "mrr", side).Value(), 2*sums[side]/n)
		}
	})
}

// TestRetrieval checks that a scorer that knows the gold triples is perfect and its opposite is not,
// and that what is drawn is not known.
func TestRetrieval(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var train, test []string
	for i := range 200 {
		f := fmt.Sprintf("e%d r%d e%d", r.IntN(60), i%3, r.IntN(60))
		if train = append(train, f); i%4 == 0 {
			test = append(test, fmt.Sprintf("e%d r%d e%d", r.IntN(60), i%3, r.IntN(60)))
		}
	}
	d := read(t, kind.Tables{"triples": facts(strings.Join(train, ";"))})
	in := kind.Tables{"triples": facts(strings.Join(test, ";"))}
	gold, err := d.Triples(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	s := &table{entities: d.Entities.Len()}
	s.cells = make([]float64, 3*s.entities*s.entities)
	known := NewIndex(3, d.Facts, keepNamed(gold))
	for i := range s.cells {
		s.cells[i] = -1 // what is drawn in error stands above what is gold
	}
	for _, f := range d.Facts {
		s.cells[(int(f.Relation)*s.entities+int(f.Subject))*s.entities+int(f.Object)] = 1
	}
	for _, g := range keepNamed(gold) {
		s.cells[(int(g.Relation)*s.entities+int(g.Subject))*s.entities+int(g.Object)] = 0.5
	}
	for _, task := range []string{entityRetrieval, relationRetrieval} {
		for _, negatives := range []int{5, 40, 1000} {
			a := answers(t, d, s, arg("task", value.Str(task)), arg("negatives", value.Int(int64(negatives))))
			m, err := a.Evaluate(context.Background(), in, &kind.Run{Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			near(t, task, find(t, m, "map", metrics.All).Value(), 1)
		}
	}
	for stream := range uint64(20) {
		x := rand.New(rand.NewPCG(1, stream))
		out := known.Known(Object, 0, int32(stream))
		for _, wanted := range []int{1, 7, 60, 100} {
			got := sample(x, s.entities, wanted, out)
			if len(got) != min(wanted, s.entities-len(out)) {
				t.Fatalf("%d of %d are drawn", len(got), wanted)
			}
			slices.Sort(got)
			if len(slices.Compact(slices.Clone(got))) != len(got) ||
				slices.ContainsFunc(got, func(e int32) bool { return slices.Contains(out, e) }) {
				t.Fatalf("%v are drawn without %v", got, out)
			}
		}
	}
}

// TestRelationPredictionBruteForce ranks relations of pairs by counting those that are not below.
func TestRelationPredictionBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, d, s := drawn(t)
		in, gold := drawnGold(t, d)
		a := answers(t, d, s, arg("task", value.Str(relationPrediction)))
		score := s.Score
		if rapid.Bool().Draw(t, "typed") {
			a.Sets = sets(t, d, "observed")
			score = func(x Triple) float64 {
				if !a.Sets.AllowsTriple(x) {
					return math.Inf(-1)
				}
				return s.Score(x)
			}
		}
		got, err := a.Evaluate(context.Background(), in, &kind.Run{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		known := NewIndex(d.Relations.Len(), d.Facts, keepNamed(gold))
		mrr, raws := 0.0, 0.0
		for _, g := range gold {
			filtered, raw := d.Relations.Len()+1, d.Relations.Len()+1
			if g.Named() {
				filtered, raw = 1, 1
				for r := range int32(d.Relations.Len()) {
					x := Triple{g.Subject, r, g.Object}
					if r == g.Relation || score(x) < score(g) {
						continue
					}
					raw++
					if !known.Has(x) {
						filtered++
					}
				}
			}
			mrr += 1 / float64(filtered)
			raws += 1 / float64(raw)
		}
		n := float64(len(gold))
		near(t, "mrr", find(t, got, "mrr", metrics.All).Value(), mrr/n)
		near(t, "raw_mrr", find(t, got, "raw_mrr", metrics.All).Value(), raws/n)
	})
}

// TestEntityRetrievalBruteForce asks for enough entities that all others are drawn, so that precisions
// can be counted.
func TestEntityRetrievalBruteForce(t *testing.T) {
	type query struct{ subject, relation int32 }
	rapid.Check(t, func(t *rapid.T) {
		_, d, s := drawn(t)
		in, gold := drawnGold(t, d)
		a := answers(t, d, s, arg("task", value.Str(entityRetrieval)), arg("negatives", value.Int(1000)))
		if rapid.Bool().Draw(t, "typed") {
			a.Sets = sets(t, d, "observed")
		}
		got, err := a.Evaluate(context.Background(), in, &kind.Run{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		known := NewIndex(d.Relations.Len(), d.Facts, keepNamed(gold))
		score := func(x Triple) float64 {
			if a.Sets != nil && !a.Sets.AllowsTriple(x) {
				return math.Inf(-1)
			}
			return s.Score(x)
		}
		right, sum, units := map[query][]Triple{}, 0.0, 0
		for _, g := range gold {
			if q := (query{g.Subject, g.Relation}); !g.Named() {
				units++
			} else if !slices.Contains(right[q], g) {
				right[q] = append(right[q], g)
			}
		}
		for q, list := range right {
			slices.SortFunc(list, func(a, b Triple) int { return cmp.Compare(score(b), score(a)) })
			precision := 0.0
			for i, g := range list {
				above := 0
				for e := range int32(s.entities) {
					if x := (Triple{q.subject, q.relation, e}); !known.Has(x) && !(score(x) < score(g)) {
						above++
					}
				}
				precision += float64(i+1) / float64(i+1+above)
			}
			sum += precision / float64(len(list))
			units++
		}
		near(t, "map", find(t, got, "map", metrics.All).Value(), sum/float64(units))
	})
}

// drawnGold draws triples to be scored on, with names that d lacks among them, no one twice.
func drawnGold(t *rapid.T, d *Data) (kind.Tables, []Triple) {
	var list []string
	for range rapid.IntRange(1, 20).Draw(t, "gold") {
		f := fmt.Sprintf("e%d r%d e%d", rapid.IntRange(0, 9).Draw(t, "s"), rapid.IntRange(0, 2).Draw(t, "r"),
			rapid.IntRange(0, 9).Draw(t, "o"))
		if !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	in := kind.Tables{"triples": facts(strings.Join(list, ";"))}
	gold, err := d.Triples(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return in, gold
}

// TestKnownRole checks that facts of the role are left out of rankings.
func TestKnownRole(t *testing.T) {
	d := read(t, kind.Tables{"triples": facts("a r b; c r a")})
	s := &table{entities: 3, cells: []float64{0, 3, 1, 0, 0, 0, 2, 0, 0}} // a r: a 0, b 3, c 1
	a := answers(t, d, s)
	in := kind.Tables{"triples": facts("a r a")}
	score := func(run *kind.Run) float64 {
		m, err := a.Evaluate(context.Background(), in, run)
		if err != nil {
			t.Fatal(err)
		}
		return find(t, m, "mrr", "object").Value()
	}
	near(t, "without", score(&kind.Run{}), 0.5)
	near(t, "with",
		score(&kind.Run{Roles: map[string]kind.Input{KnownRole: kind.Tables{"triples": facts("a r c; a r new")}}}), 1)
	if _, err := a.Evaluate(context.Background(), kind.Tables{"triples": nil}, &kind.Run{}); err == nil {
		t.Error("nothing is scored")
	}
}

// TestEntityTypes lists the types of entities with commas between, NULL without.
func TestEntityTypes(t *testing.T) {
	d := read(t, kind.Tables{"triples": facts("ann knows bob; bob knows eve; eve knows x"),
		"entities": rows("ann person; ann company; ann city; bob city; bob person; eve city; x _")})
	it, err := answers(t, d, nil).Open(t.Context(), "entities", nil, &kind.Run{})
	if err != nil {
		t.Fatal(err)
	}
	defer it.Close()
	b, err := it.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range b.N {
		row := b.Row(nil, i)
		got = append(got, row[0].S+" "+row[1].S)
	}
	if s := fmt.Sprint(got); s != "[ann city,company,person bob city,person eve city x ]" {
		t.Error(s)
	}
}

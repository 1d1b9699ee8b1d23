package classpatterns

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/acquire/template"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/storage/value"
)

// row is a pair with a path; pairs of words as crash,death.
func row(pair, path string, count float64) []value.Value {
	a, b, _ := strings.Cut(pair, ",")
	return []value.Value{value.Str(a), value.Str(b), value.Str(path), value.Real(count), value.Str("doc " + a),
		value.Int(1)}
}

func rows(path string, pairs ...string) (out [][]value.Value) {
	for _, p := range pairs {
		out = append(out, row(p, path, 1))
	}
	return out
}

func list(name string, values ...string) option.Arg {
	a := option.Arg{Name: name}
	for _, v := range values {
		a.List = append(a.List, option.Arg{Value: value.Str(v)})
	}
	return a
}

func classTableOf(of map[string]string) kind.Tables {
	var out [][]value.Value
	for c, words := range of {
		for _, w := range strings.Fields(words) {
			out = append(out, []value.Value{value.Str(w), value.Str(c), value.Real(0.9)}, []value.Value{value.Str(w),
				value.Str("rare"), value.Real(0.1)})
		}
	}
	return kind.Tables{"classes": out}
}

func tried(in kind.Tables, classes kind.Input, args ...option.Arg) (*model, error) {
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply(args); err != nil {
		return nil, err
	}
	t := &kind.Training{On: in, Workers: 1, Report: func(kind.Progress) {}, Notice: func(string) {}}
	if classes != nil {
		t.Roles = map[string]kind.Input{"classes": classes}
	}
	return m, m.Train(context.Background(), t)
}

func train(t testing.TB, in kind.Tables, classes kind.Input, args ...option.Arg) *model {
	t.Helper()
	m, err := tried(in, classes, args...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// said is the instances as source,target score.
func said(m *model) (out []string) {
	for _, f := range m.instances {
		out = append(out, fmt.Sprintf("%s,%s %.6g", m.nouns[f.source], m.nouns[f.target], f.score))
	}
	slices.Sort(out)
	return out
}

const (
	seed    = "X <nsubj cause >obj Y"
	generic = "X <nmod:by Y"
)

// worked is the example of two pairs of classes.
func worked() kind.Tables {
	return kind.Tables{"paths": slices.Concat(rows(seed, "crash,death", "fall,fracture", "fire,burn"),
		rows(template.Mirror(generic), "death,crash", "fracture,fall", "death,drowning", "iPhone,Apple", "TV,Sony"))}
}

var workedClasses = map[string]string{"accident": "crash fall fire drowning", "injury": "death fracture burn",
	"company": "Apple Sony", "product": "iPhone TV"}

// TestPara: between classes the generic pattern has 2/4 for accidents and none for products; with one class 2/6 for
// all.
func TestPara(t *testing.T) {
	args := []option.Arg{list("seeds", seed), kindtest.Arg("similarity", "jaccard"), kindtest.Arg("assoc", false),
		kindtest.Arg("cscore", false), kindtest.Arg("min_pairs", 1)}
	m := train(t, worked(), classTableOf(workedClasses), args...)
	if got := said(m); !slices.Equal(got, []string{"crash,death 1", "drowning,death 0.5", "fall,fracture 1",
		"fire,burn 1"}) {
		t.Errorf("%q", got)
	}
	if p := m.patterns[1]; p.text != "X <nmod:by Y" || p.para != 0.5 || p.pairs != 3 || p.support != 2 {
		t.Errorf("%+v", p)
	}
	m = train(t, worked(), nil, args...)
	if got := said(m); !slices.Equal(got, []string{"Apple,iPhone 0.333333", "Sony,TV 0.333333", "crash,death 1",
		"drowning,death 0.333333", "fall,fracture 1", "fire,burn 1"}) {
		t.Errorf("one class: %q", got)
	}
	m = train(t, worked(), nil, append(args, kindtest.Arg("min_support", 3))...)
	if len(m.patterns) != 1 {
		t.Errorf("min_support: %+v", m.patterns)
	}
	m = train(t, worked(), nil, append(args[:1:1], kindtest.Arg("min_pairs", 1), kindtest.Arg("assoc", false))...)
	if p := m.patterns[1]; p.para != 0.2 || m.patterns[0].para != 3.0/8 { // 2/(5+5), 3/(3+5)
		t.Errorf("ratio: %+v", m.patterns)
	}
}

// TestCScore: pairs of classes count by their share of the pairs of the seeds.
func TestCScore(t *testing.T) {
	in := worked()
	in["paths"] = append(in["paths"], rows(seed, "Apple,iPhone")...)
	m := train(t, in, classTableOf(workedClasses), list("seeds", seed), kindtest.Arg("similarity", "jaccard"),
		kindtest.Arg("assoc", false), kindtest.Arg("min_pairs", 1), kindtest.Arg("min_support", 1))
	got := map[string]float64{}
	for _, p := range m.patterns {
		got[p.text+" "+m.classes[p.source]] = p.cscore
	}
	if got["X <nsubj cause >obj Y accident"] != 1 || math.Abs(got["X <nsubj cause >obj Y company"]-1.0/3) > 1e-12 {
		t.Errorf("%v", got)
	}
}

// TestAssociation: the worked values of the discounted information.
func TestAssociation(t *testing.T) {
	pair, pattern := []float64{5, 2, 3}, []float64{6, 4}
	for _, c := range []struct {
		i, p       int
		both, want float64
	}{{0, 0, 4, 0.191788}, {0, 1, 1, -0.277259}, {1, 0, 2, 0.227034}, {2, 1, 3, 0.515414}, {1, 1, 0, 0}} {
		if got := association(c.both, pair[c.i], pattern[c.p], 10); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestReliability: the worked example of Espresso, with and without the discount.
func TestReliability(t *testing.T) {
	pmi := map[[2]uint32]float64{{1, 1}: 0.287682, {1, 2}: -0.693147, {2, 1}: 0.510826, {3, 2}: 0.916291}
	for discounted, want := range map[bool][4]float64{false: {0.435728, -0.378235, 0.136803, 0.242915}, true: {0.406297,
		-0.268967, 0.151185, 0.178969}} {
		v := pmi
		if discounted {
			v = map[[2]uint32]float64{{1, 1}: 0.191788, {1, 2}: -0.277259, {2, 1}: 0.227034, {3, 2}: 0.515414}
		}
		most := v[[2]uint32{3, 2}]
		cells := func(byInstance bool) func(uint32, func(uint32, float64)) {
			return func(id uint32, yield func(uint32, float64)) {
				for i := uint32(1); i < 4; i++ {
					k, other := [2]uint32{id, i}, i
					if !byInstance {
						k = [2]uint32{i, id}
					}
					if x, ok := v[k]; ok {
						yield(other, x/most)
					}
				}
			}
		}
		patterns := reliability([]ranked{{1, 1}, {2, 1}}, cells(true))
		if len(patterns) != 2 || math.Abs(patterns[0].score-want[0]) > 1e-6 ||
			math.Abs(patterns[1].score-want[1]) > 1e-6 {
			t.Errorf("patterns %v, want %v", patterns, want)
		}
		instances := reliability(patterns[:1], cells(false))
		if len(instances) != 2 || math.Abs(instances[0].score-want[3]) > 1e-6 ||
			math.Abs(instances[1].score-want[2]) > 1e-6 {
			t.Errorf("instances %v, want %v", instances, want)
		}
	}
}

// TestDirections: a seed may be written from either end, both directions of a path are kept apart, and what follows
// from a mirrored path is the same.
func TestDirections(t *testing.T) {
	in := kind.Tables{"paths": slices.Concat(rows("X <nsubj result >obl:from Y", "death,crash", "burn,fire"),
		rows("X <nsubj cause >obj Y", "crash,death", "fire,burn", "rain,flood"),
		rows("X <obj cause >nsubj Y", "smoke,fire"))}
	m := train(t, in, nil, list("seeds", "Y <nsubj result >obl:from X"), kindtest.Arg("min_pairs", 1),
		kindtest.Arg("similarity", "jaccard"), kindtest.Arg("assoc", false))
	if got := said(m); !slices.Equal(got, []string{"crash,death 1", "fire,burn 1", "fire,smoke 0.5",
		"rain,flood 0.5"}) {
		t.Errorf("%q", got)
	}
	for _, p := range []string{"X <nsubj cause >obj Y", "X >nmod:of Y", "X <nmod:in war/n <nsubj not_kill >obl:in Y"} {
		if got := template.Mirror(template.Mirror(p)); got != p || !template.IsPath(template.Mirror(p)) {
			t.Errorf("%s is mirrored twice to %s", p, got)
		}
	}
	if _, err := tried(in, nil, list("seeds", "X <nsubj cause >obj Y", "Y <nsubj cause >obj X"),
		kindtest.Arg("min_pairs", 1)); err == nil || !strings.Contains(err.Error(), "exchanged") {
		t.Errorf("contradictory seeds: %v", err)
	}
}

// TestBadInput: no seeds, seeds that are no paths or do not occur, classes of other words, wrong rows.
func TestBadInput(t *testing.T) {
	one := kindtest.Arg("min_pairs", 1)
	for _, c := range []struct {
		in      kind.Tables
		classes kind.Input
		args    []option.Arg
		want    string
	}{
		{worked(), nil, []option.Arg{list("seeds")}, "is empty"},
		{worked(), nil, []option.Arg{list("seeds", "causes")}, "is no path"},
		{worked(), nil, []option.Arg{list("seeds", "X <nsubj cuse >obj Y"), one}, "did you mean"},
		{worked(), classTableOf(map[string]string{"c": "nothing"}), []option.Arg{list("seeds", seed), one},
			"has a class"},
		{worked(), nil, []option.Arg{list("seeds", seed), kindtest.Arg("min_pairs", 50)}, "none has 50 pairs"},
		{kind.Tables{"paths": {row("a,b", "by", 1)}}, nil, nil, "is no path"},
		{kind.Tables{"paths": {row("a,b", seed, -1)}}, nil, nil, "row 1"},
	} {
		if _, err := tried(c.in, c.classes, c.args...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if _, err := tried(kind.Tables{"paths": {}}, nil); !errors.Is(err, kind.ErrNoData) {
		t.Errorf("%v", err)
	}
}

// world has causes of accidents, makers of products, and a generic pattern for both.
func world() (kind.Tables, kind.Tables, map[string]bool) {
	rng := rand.New(rand.NewPCG(39, 1))
	var out, classes [][]value.Value
	right := map[string]bool{}
	class := func(w, c string) {
		classes = append(classes, []value.Value{value.Str(w), value.Str(c), value.Real(1)})
	}
	for k := range 40 {
		class(fmt.Sprint("accident", k), "accident")
		class(fmt.Sprint("harm", k), "harm")
		class(fmt.Sprint("company", k), "company")
		class(fmt.Sprint("product", k), "product")
	}
	seen := map[string]bool{}
	for range 400 {
		cause, make := fmt.Sprintf("accident%d,harm%d", rng.IntN(40), rng.IntN(40)), fmt.Sprintf("company%d,product%d",
			rng.IntN(40), rng.IntN(40))
		right[cause] = true
		for _, p := range []string{seed, "X <nmod:by Y", "X <nsubj bring >obj Y"} {
			if rng.IntN(2) == 0 && !seen[cause+p] {
				seen[cause+p] = true
				out = append(out, row(cause, p, 1))
			}
		}
		for _, p := range []string{"X <nmod:by Y", "X <nsubj make >obj Y"} {
			if rng.IntN(2) == 0 && !seen[make+p] {
				seen[make+p] = true
				out = append(out, row(make, p, 1))
			}
		}
	}
	return kind.Tables{"paths": out}, kind.Tables{"classes": classes}, right
}

// TestWorld: classes keep a generic pattern from what it means elsewhere; Espresso takes it whole.
func TestWorld(t *testing.T) {
	in, classes, right := world()
	precision := func(m *model) float64 {
		n := 0
		for _, f := range m.instances {
			if right[m.nouns[f.source]+","+m.nouns[f.target]] {
				n++
			}
		}
		return float64(n) / float64(len(m.instances))
	}
	with := precision(train(t, in, classes, list("seeds", seed)))
	one := precision(train(t, in, nil, list("seeds", seed)))
	esp := precision(train(t, in, nil, list("seeds", seed), kindtest.Arg("method", "espresso")))
	if with < 0.99 || one > 0.8 || esp > 0.8 {
		t.Errorf("precision with classes %v, of one class %v, of Espresso %v", with, one, esp)
	}
	seeds := train(t, in, classes, list("seeds", seed), kindtest.Arg("method", "seeds"))
	if precision(seeds) != 1 || len(seeds.patterns) != 1 {
		t.Errorf("seeds alone: %v", precision(seeds))
	}
}

func TestPartials(t *testing.T) {
	in, classes, _ := world()
	m := train(t, in, classes, list("seeds", seed))
	got := m.partials()
	for _, p := range got {
		if p.role == "X" != strings.HasPrefix(p.text, "X ") || p.role == "Y" != strings.HasSuffix(p.text, " Y") {
			t.Errorf("%+v", p)
		}
	}
	if !slices.Contains(got, partial{"X", "X <nsubj cause"}) || !slices.Contains(got, partial{"Y", "cause >obj Y"}) {
		t.Errorf("%v", got)
	}
}

// TestEvaluate: sentences by their paths, in both directions; pairs that are known.
func TestEvaluate(t *testing.T) {
	m := train(t, worked(), nil, list("seeds", seed), kindtest.Arg("min_pairs", 1))
	s := func(path string, relation int64) []value.Value {
		v := value.Str(path)
		if path == "" {
			v = value.Value{}
		}
		return []value.Value{v, value.Int(relation)}
	}
	got, err := m.Evaluate(context.Background(), kind.Tables{"sentences": {s(seed, 1), s("X <obj cause >nsubj Y", -1),
		s(seed, -1), s(seed, 0), s("", 1), s("X >appos Y", 0)}}, nil)
	if err != nil || got[0].Value() != 0.5 || got[1].Value() != 0.5 {
		t.Errorf("%v: precision %v, recall %v", err, got[0].Value(), got[1].Value())
	}
	m.opt.task = "pairs"
	p := func(a, b string) []value.Value { return []value.Value{value.Str(a), value.Str(b)} }
	got, err = m.Evaluate(context.Background(), kind.Tables{"pairs": {p("crash", "death"), p("burn", "fire")}}, nil)
	if n := float64(len(m.instances)); err != nil || got[0].Value() != 1/n || got[1].Value() != 1/n {
		t.Errorf("%v: %v of %d, %v", err, got[0].Value(), len(m.instances), got[1].Value())
	}
}

func TestContract(t *testing.T) {
	in, classes, _ := world()
	queries := []kindtest.Query{{Relation: "instances", Args: []value.Value{value.Str("harm1")}},
		{Relation: "instances", Args: []value.Value{value.Str("ham1")}, Fails: "did you mean"}}
	for k := range 40 { // a pair that is in the list with any method
		if right := fmt.Sprintf("harm%d", k); slices.ContainsFunc(in["paths"],
			func(r []value.Value) bool { return r[1].S == right && r[2].S == seed }) {
			at := slices.IndexFunc(in["paths"], func(r []value.Value) bool { return r[1].S == right && r[2].S == seed })
			queries = append(queries, kindtest.Query{Relation: "score", Args: in["paths"][at][:2]})
			break
		}
	}
	queries = append(queries, kindtest.Query{Relation: "score", Args: []value.Value{value.Str("ham1"),
		value.Str("harm1")}, Fails: "did you mean"})
	sentences := kind.Tables{"sentences": {{value.Str(seed), value.Int(1)}, {value.Value{}, value.Int(0)}}}
	for _, method := range []string{"cdp", "espresso", "seeds"} {
		c := kindtest.Case{Kind: Kind(), Options: []option.Arg{list("seeds", seed), kindtest.Arg("method", method)},
			Tables: in, Queries: queries, Gold: sentences,
			Roles: map[string]kind.Input{"classes": classes}}
		kindtest.Run(t, c)
	}
}

package fusion

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"parlance/algo/kb/triples"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/storage/value"
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

// fixed is a model whose scores are given by name.
type fixed struct {
	kind.Model
	answers *triples.Answers
	scores  map[string]float64
}

func (f *fixed) Source() *triples.Answers { return f.answers }

func (f *fixed) Score(t triples.Triple) float64 {
	g := f.answers.Graph
	return f.scores[g.Entities.Name(t.Subject)+" "+g.Relations.Name(t.Relation)+" "+g.Entities.Name(t.Object)]
}

func (f *fixed) Scores(open triples.Side, relation int32, given []int32, out []float64) {
	n := f.answers.Graph.Entities.Len()
	for i, g := range given {
		for e := range n {
			out[i*n+e] = f.Score(triples.Of(relation, open, int32(e), g))
		}
	}
}

// models are found by name.
type models map[string]*fixed

func (m models) Model(name string) (kind.Trained, error) {
	if f, ok := m[name]; ok {
		return kind.Trained{Model: f, Label: name + "@1"}, nil
	}
	return kind.Trained{}, fmt.Errorf("no model %s", name)
}
func (models) Gazetteer(string) (kind.Gazetteer, error) { return nil, errors.New("none") }
func (models) Lexicon(string) (kind.Lexicon, error)     { return nil, errors.New("none") }
func (models) KB(string) (kind.KB, error)               { return nil, errors.New("none") }
func (models) Corpus(string) (kind.Corpus, error)       { return nil, errors.New("none") }

func newFixed(t testing.TB, in string, scores map[string]float64, types string) *fixed {
	t.Helper()
	d, err := triples.Read(context.Background(), kind.Tables{"triples": facts(in)})
	if err != nil {
		t.Fatal(err)
	}
	var by triples.Types
	set := &option.Set{}
	by.Options(set, types)
	if err := set.Apply(nil); err != nil {
		t.Fatal(err)
	}
	sets, err := d.Sets(context.Background(), by, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	f := &fixed{scores: scores, answers: &triples.Answers{Graph: d.Graph, Sets: sets}}
	f.answers.Scorer = f
	return f
}

// pair is the models of the worked example, over x r u, x r v and x r w, in which each knows something
// that the other one does not.
func pair(t testing.TB) models {
	return models{
		"a": newFixed(t, "x r u; x r v; z r w; more r u", map[string]float64{"x r u": 1, "x r v": 2, "x r w": 3, "y r v": 5},
			"none"),
		"b": newFixed(t, "x r w; z r v; x r u; other s x", map[string]float64{"x r u": 3, "x r v": 1, "x r w": 2, "y r v": 1},
			"none"),
	}
}

func trained(t testing.TB, in kind.Tables, res kind.Resources, args ...option.Arg) (*model, error) {
	t.Helper()
	m, set := &model{}, &option.Set{}
	m.Options(set)
	args = append(args, option.Arg{Name: "models", List: []option.Arg{kindtest.Arg("", "a"), kindtest.Arg("", "b")}})
	if err := set.Apply(args); err != nil {
		t.Fatal(err)
	}
	return m, m.Train(context.Background(), &kind.Training{On: in, Resources: res, Report: func(kind.Progress) {},
		Notice: func(string) {}})
}

// score opens the relation score.
func score(t testing.TB, m *model, res kind.Resources, s string) float64 {
	t.Helper()
	var args []value.Value
	for _, w := range strings.Fields(s) {
		args = append(args, value.Str(w))
	}
	rows, err := m.Open(context.Background(), "score", args, &kind.Run{Resources: res})
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	b, err := rows.Next(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return b.Row(nil, 0)[3].Float()
}

// TestWorkedExample fuses a = (1, 2, 3) and b = (3, 1, 2).
func TestWorkedExample(t *testing.T) {
	res := pair(t)
	in := kind.Tables{"triples": facts("x r u; x r v; x r w; unknown r u")}
	for _, normalize := range []string{"all", "per_relation"} {
		m, err := trained(t, in, res, kindtest.Arg("normalize", normalize))
		if err != nil {
			t.Fatal(err)
		}
		for s, want := range map[string]float64{"x r u": 0, "x r v": -0.612372, "x r w": 0.612372} {
			if got := score(t, m, res, s); math.Abs(got-want) > 1e-6 {
				t.Errorf("%s: %s scores %v, want %v", normalize, s, got, want)
			}
		}
		rows, err := m.Open(context.Background(), "complete", []value.Value{value.Str("x"), value.Str("r"), {}},
			&kind.Run{Resources: res})
		if err != nil {
			t.Fatal(err)
		}
		b, err := rows.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.N { // all of x r u, v and w are facts of one model
			if r := b.Row(nil, i); r[2].S != "x" && r[2].S != "z" {
				t.Errorf("%v is completed", r)
			}
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPerRelation scales each relation by itself, and by all where a relation has one score only.
func TestPerRelation(t *testing.T) {
	res := models{
		"a": newFixed(t, "x r u; x s u; x q u", map[string]float64{"x r u": 1, "u r x": 3, "x s u": 10, "u s x": 20,
			"x q u": 7}, "none"),
		"b": newFixed(t, "x r u; x s u; x q u", map[string]float64{"x r u": 5, "u r x": 6, "x s u": 9, "u s x": 1,
			"x q u": 7}, "none"),
	}
	m, err := trained(t, kind.Tables{"triples": facts("x r u; u r x; x s u; u s x; x q u")}, res,
		kindtest.Arg("normalize", "per_relation"))
	if err != nil {
		t.Fatal(err)
	}
	mean := (1 + 3 + 10 + 20 + 7) / 5.0
	deviation := math.Sqrt(((1-mean)*(1-mean) + (3-mean)*(3-mean) + (10-mean)*(10-mean) + (20-mean)*(20-mean) +
		(7-mean)*(7-mean)) / 5)
	other := (5 + 6 + 9 + 1 + 7) / 5.0
	spread := math.Sqrt(((5-other)*(5-other) + (6-other)*(6-other) + (9-other)*(9-other) + (1-other)*(1-other) +
		(7-other)*(7-other)) / 5)
	for s, want := range map[string]float64{"x r u": -1, "u r x": 1, "x s u": 0, "u s x": 0,
		"x q u": ((7-mean)/deviation + (7-other)/spread) / 2} {
		if got := score(t, m, res, s); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s scores %v, want %v", s, got, want)
		}
	}
}

// TestFit finds that a model which is right counts and one which is wrong does not.
func TestFit(t *testing.T) {
	right := map[string]float64{"x r u": 3, "x r v": 2, "x r w": 1}
	wrong := map[string]float64{"x r u": 1, "x r v": 3, "x r w": 2}
	res := models{"a": newFixed(t, "x q u; v q w; x r x", right, "none"),
		"b": newFixed(t, "x q u; v q w; x r x", wrong, "none")}
	m, set := &model{}, &option.Set{}
	m.Options(set)
	if err := set.Apply([]option.Arg{kindtest.Arg("weights", "fitted"),
		{Name: "models", List: []option.Arg{kindtest.Arg("", "a"), kindtest.Arg("", "b")}}}); err != nil {
		t.Fatal(err)
	}
	tr := &kind.Training{On: kind.Tables{"triples": facts("x r u; x r v; x r w")}, Resources: res,
		Report: func(kind.Progress) {}, Notice: func(string) {}}
	if err := m.Train(context.Background(), tr); err == nil || !strings.Contains(err.Error(), "VALIDATE") {
		t.Errorf("without VALIDATE: %v", err)
	}
	tr.Score = func(ctx context.Context, x kind.Model) (float64, string, error) {
		list, err := x.Evaluate(ctx, kind.Tables{"triples": facts("x r u")}, &kind.Run{Resources: res})
		if err != nil {
			return 0, "", err
		}
		return list[0].Value(), list[0].Name, nil
	}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	if m.Weights[0] <= m.Weights[1] {
		t.Errorf("weights are %v", m.Weights)
	}
}

func TestKind(t *testing.T) {
	res := pair(t)
	null := value.Value{}
	for _, normalize := range []string{"all", "per_relation"} {
		kindtest.Run(t,
			kindtest.Case{Kind: Kind(), Resources: res,
				Tables: kind.Tables{"triples": facts("x r u; x r v; x r w; unknown r u")},
				Gold:   kind.Tables{"triples": facts("x r v")},
				Options: []option.Arg{kindtest.Arg("normalize", normalize),
					{Name: "models", List: []option.Arg{kindtest.Arg("", "a"), kindtest.Arg("", "b")}}},
				Queries: []kindtest.Query{
					{Relation: "complete", Args: []value.Value{value.Str("x"), value.Str("r"), null}},
					{Relation: "score", Args: []value.Value{value.Str("x"), value.Str("r"), value.Str("w")}},
					{Relation: "score", Args: []value.Value{value.Str("x"), value.Str("s"), value.Str("w")},
						Fails: "unknown relation 's'"},
				}})
	}
}

func TestModels(t *testing.T) {
	for _, list := range [][]option.Arg{{kindtest.Arg("", "a")}, {kindtest.Arg("", "a"), kindtest.Arg("", "a")}} {
		m, set := &model{}, &option.Set{}
		m.Options(set)
		if err := set.Apply([]option.Arg{{Name: "models", List: list}}); err == nil {
			t.Errorf("models %v are taken", list)
		}
	}
	far := models{"a": newFixed(t, "x r u", nil, "none"), "b": newFixed(t, "y r w", nil, "none")}
	if _, err := trained(t, kind.Tables{"triples": facts("x r u")}, far); err == nil ||
		!strings.Contains(err.Error(), "in common") {
		t.Errorf("models with nothing in common give %v", err)
	}
}

// TestCommonTypes allows what all models with types allow.
func TestCommonTypes(t *testing.T) {
	res := models{"a": newFixed(t, "x r u; v r u; w r x", nil, "observed"),
		"b": newFixed(t, "x r u; w r v; u r w", nil, "observed")}
	m, err := trained(t, kind.Tables{"triples": facts("x r u")}, res)
	if err != nil {
		t.Fatal(err)
	}
	a, err := m.over(res)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, side := range []triples.Side{triples.Subject, triples.Object} {
		for _, e := range a.Sets.Allowed(side, 0) {
			got = append(got, a.Graph.Entities.Name(e))
		}
	}
	if fmt.Sprint(got) != "[w x u]" {
		t.Errorf("allowed are %v", got)
	}
}

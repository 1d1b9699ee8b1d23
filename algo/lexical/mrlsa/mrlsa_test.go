package mrlsa

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/metrics"
	"parlance/algo/option"
	"parlance/storage/value"
)

var background = context.Background()

func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// triples reads lines of subject, relation and objects.
func triples(lines ...string) [][]value.Value {
	var out [][]value.Value
	for _, l := range lines {
		parts := strings.Fields(l)
		for _, o := range parts[2:] {
			out = append(out, []value.Value{value.Str(parts[0]), value.Str(parts[1]), value.Str(o), {}, {}})
		}
	}
	return out
}

// figure is the example of Chang, Yih and Meek 2013, figures 1 and 3.
var figure = triples(
	"joyfulness synonym joy gladden", "gladden synonym joy gladden", "sad synonym sorrow sadden", "anger synonym anger",
	"joyfulness antonym sorrow", "gladden antonym sadden", "sad antonym joy",
	"joyfulness hypernym emotion feeling", "sad hypernym emotion feeling", "anger hypernym emotion feeling")

func list(name string, values ...string) option.Arg {
	a := option.Arg{Name: name, List: []option.Arg{}}
	for _, v := range values {
		a.List = append(a.List, option.Arg{Value: value.Str(v)})
	}
	return a
}

func with(extra ...option.Arg) []option.Arg {
	return append([]option.Arg{kindtest.Arg("idf", "none"), kindtest.Arg("self", "known"), kindtest.Arg("sweeps", 500),
		kindtest.Arg("tolerance", 1e-13)}, extra...)
}

func train(t testing.TB, rows [][]value.Value, options ...option.Arg) *model {
	t.Helper()
	m, err := trained(rows, options...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func trained(rows [][]value.Value, options ...option.Arg) (*model, error) {
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply(options); err != nil {
		return nil, err
	}
	return m, m.Train(background, &kind.Training{On: kind.Tables{"triples": rows}, Seed: 1, Workers: 2,
		Report: func(kind.Progress) {}, Notice: func(string) {}})
}

// is checks a degree, NaN for none.
func is(t *testing.T, m *model, relation, a, b string, want, tolerance float64) {
	t.Helper()
	k, err := m.relation(relation)
	if err != nil {
		t.Fatal(err)
	}
	got, ok := m.between(a, b, k)
	if math.IsNaN(want) {
		if ok {
			t.Errorf("%s(%s, %s) is %v, want none", relation, a, b, got)
		}
		return
	}
	if !ok {
		t.Errorf("%s(%s, %s) is none, want %v", relation, a, b, want)
		return
	}
	near(t, fmt.Sprintf("%s(%s, %s)", relation, a, b), got, want, tolerance)
}

func TestRawExample(t *testing.T) {
	m := train(t, figure, with(kindtest.Arg("method", "raw"))...)
	is(t, m, "antonym", "joy", "sorrow", (1/math.Sqrt2+1)/2, 1e-12)
	is(t, m, "hypernym", "joy", "emotion", 1/math.Sqrt(6), 1e-12)
	is(t, m, "antonym", "sorrow", "gladden", 1/math.Sqrt2/2, 1e-12) // gladden is nobody's antonym
	is(t, m, "antonym", "gladden", "sorrow", 1/math.Sqrt2/2, 1e-12)
	one := train(t, figure, with(kindtest.Arg("method", "raw"), list("symmetric", "synonym"))...)
	is(t, one, "antonym", "joy", "sorrow", 1/math.Sqrt2, 1e-12)
	is(t, one, "antonym", "sorrow", "joy", 1, 1e-12)
	is(t, one, "antonym", "sorrow", "gladden", none, 0)
}

func TestSignedExample(t *testing.T) {
	m := train(t, figure, with(kindtest.Arg("method", "pilsa"), kindtest.Arg("rank", 1))...)
	is(t, m, "antonym", "joy", "sorrow", 1, 1e-6)
	is(t, m, "antonym", "gladden", "sadden", 1, 1e-6)
	is(t, m, "synonym", "joy", "gladden", 1, 1e-6)
	is(t, m, "synonym", "joy", "sorrow", -1, 1e-6)
	is(t, m, "synonym", "joy", "anger", none, 0)
	// At full rank the cosines are those of the matrix itself.
	m = train(t, figure, with(kindtest.Arg("method", "pilsa"), kindtest.Arg("rank", 4))...)
	is(t, m, "antonym", "joy", "sorrow", 0.816497, 1e-6)
	is(t, m, "antonym", "gladden", "sadden", 0.5, 1e-6)
	is(t, m, "synonym", "joy", "gladden", 0.816497, 1e-6)
}

func TestTuckerExample(t *testing.T) {
	m := train(t, figure, with(kindtest.Arg("rank", 3))...)
	for _, p := range [][2]string{{"joy", "sorrow"}, {"gladden", "sadden"}, {"gladden", "sorrow"}, {"sorrow", "gladden"}} {
		is(t, m, "antonym", p[0], p[1], 1, 1e-6)
	}
	is(t, m, "synonym", "joy", "gladden", 1, 1e-6)
	is(t, m, "hypernym", "joy", "emotion", 1/math.Sqrt(6), 1e-6)
	is(t, m, "hypernym", "sorrow", "emotion", 1/math.Sqrt(3), 1e-6)
	is(t, m, "hypernym", "anger", "feeling", none, 0)

	m = train(t, figure, with(kindtest.Arg("rank", 2))...)
	is(t, m, "antonym", "joy", "sorrow", 0.384310, 2e-5)
	is(t, m, "antonym", "sorrow", "joy", 0.384310, 2e-5)
	is(t, m, "antonym", "joy", "anger", -0.384310, 2e-5)
	is(t, m, "hypernym", "joy", "emotion", 0.362247, 2e-5)
	is(t, m, "hypernym", "sorrow", "emotion", -0.362247, 2e-5)

	m = train(t, figure, with(kindtest.Arg("rank", 1))...)
	for _, a := range m.Words {
		for _, b := range m.Words {
			for _, r := range []string{"synonym", "antonym", "hypernym"} {
				is(t, m, r, a, b, none, 0)
			}
		}
	}
}

// same compares all degrees of two models.
func same(t *testing.T, a, b *model, tolerance float64) {
	t.Helper()
	for k := range a.Slices {
		for i := range a.Words {
			for j := range a.Words {
				l, err := b.relation(a.Slices[k].Name)
				if err != nil {
					t.Fatal(err)
				}
				x, okX := a.of(uint32(i), uint32(j), k)
				y, okY := b.between(a.Words[i], a.Words[j], l)
				if okX != okY || okX && math.Abs(x-y) > tolerance {
					t.Fatalf("%s(%s, %s): %v %v and %v %v", a.Slices[k].Name, a.Words[i], a.Words[j], x, okX, y, okY)
				}
			}
		}
	}
}

// TestCoincidences: full rank is raw; one slice is LSA; a common factor and the order of relations
// change nothing.
func TestCoincidences(t *testing.T) {
	raw := train(t, figure, with(kindtest.Arg("method", "raw"))...)
	same(t, raw, train(t, figure, with(kindtest.Arg("rank", 50))...), 1e-6)
	two := train(t, figure, with(kindtest.Arg("rank", 2))...)
	same(t, two,
		train(t, figure, with(kindtest.Arg("rank", 2), list("scales", "synonym=8", "antonym=8", "hypernym=8"))...), 1e-5)
	same(t, two, train(t, figure, with(kindtest.Arg("rank", 2), list("relations", "hypernym", "antonym", "synonym"))...),
		1e-5)
	one := list("relations", "synonym")
	same(t, train(t, figure, with(kindtest.Arg("rank", 2), one)...),
		train(t, figure, with(kindtest.Arg("rank", 2), one, kindtest.Arg("method", "lsa"))...), 1e-6)
}

func TestWeights(t *testing.T) {
	m := train(t, figure, kindtest.Arg("method", "raw"), kindtest.Arg("self", "known"), list("scales", "hypernym=0.5"))
	// joy is listed by joyfulness, gladden and sad under the symmetric relations; emotion by three of four rows.
	near(t, "idf of joy", m.IDF[m.index["joy"]], math.Log(4.0/3), 1e-15)
	near(t, "idf of gladden", m.IDF[m.index["gladden"]], math.Log(2), 1e-15)
	d := m.degree.(*raw)
	_, values := d.columns[2].Row(int(m.index["emotion"]))
	near(t, "emotion", values[0], 0.5*math.Log(4.0/3), 1e-15)
	smooth := train(t, figure, kindtest.Arg("method", "raw"), kindtest.Arg("self", "known"),
		kindtest.Arg("idf_smooth", true), kindtest.Arg("idf", "slice"))
	near(t, "smooth idf of joy", smooth.IDF[smooth.index["joy"]], math.Log(5.0/2), 1e-15)
	// Row joyfulness has two synonyms, an antonym and two hypernyms, all of weight 1.
	unit := train(t, figure, with(kindtest.Arg("method", "raw"), kindtest.Arg("row_norm", true))...)
	_, values = unit.degree.(*raw).columns[1].Row(int(unit.index["sorrow"]))
	near(t, "sorrow in a row of length 1", values[0], 1/math.Sqrt(5), 1e-15)
	// Twice listed counts twice; weights count.
	rows := append(triples("a synonym x", "a synonym x", "b synonym x y"),
		[]value.Value{value.Str("b"), value.Str("synonym"), value.Str("y"), value.Real(2.5), {}},
		[]value.Value{value.Str("b"), value.Str("synonym"), value.Str("z"), {}, value.Bool(false)})
	m = train(t, rows, with(kindtest.Arg("method", "raw"))...)
	_, values = m.degree.(*raw).columns[0].Row(int(m.index["x"]))
	near(t, "x in a", values[0], 2, 0)
	_, values = m.degree.(*raw).columns[0].Row(int(m.index["y"]))
	near(t, "y in b", values[0], 3.5, 0)
	if _, ok := m.index["z"]; ok {
		t.Error("what is not true is a word")
	}
}

func TestSelf(t *testing.T) {
	for self, want := range map[string]string{"none": "[x]", "known": "[x]", "all": "[x a]"} {
		m := train(t, triples("a synonym x"), kindtest.Arg("idf", "none"), kindtest.Arg("method", "lookup"),
			kindtest.Arg("self", self))
		if fmt.Sprint(m.Words) != want {
			t.Errorf("self = %s: %v, want %s", self, m.Words, want)
		}
	}
}

func TestLookup(t *testing.T) {
	m := train(t, figure, with(kindtest.Arg("method", "lookup"))...)
	is(t, m, "antonym", "gladden", "sadden", 1, 0)
	is(t, m, "antonym", "sadden", "gladden", 1, 0)
	is(t, m, "hypernym", "anger", "emotion", 1, 0)
	is(t, m, "hypernym", "emotion", "anger", none, 0)
	is(t, m, "antonym", "joy", "sorrow", none, 0) // joyfulness is no word, so its entry is of nobody
}

func TestInverse(t *testing.T) {
	m := train(t, triples("tulip synonym tulip", "flower synonym flower", "tulip hypernym flower", "rose hypernym flower"),
		kindtest.Arg("method", "lookup"), kindtest.Arg("idf", "none"), list("relations", "synonym", "hyponym"))
	is(t, m, "hyponym", "flower", "tulip", 1, 0)
	is(t, m, "hyponym", "tulip", "flower", none, 0)
}

// wordnet is a small net of synsets; weights of synset are 1 over the number of the sense.
func wordnet() [][]value.Value {
	rows := triples("hot antonym cold", "cold antonym hot", "warm.s.01 similar_to hot.a.01",
		"icy.s.01 similar_to cold.a.01",
		"dog.n.01 hypernym animal.n.01", "hot synonym blistering")
	for _, x := range []struct {
		word, synset string
		sense        float64
	}{{"hot", "hot.a.01", 1}, {"blistering", "hot.a.01", 1}, {"hot", "hot.s.02", 2}, {"cold", "cold.n.01", 1},
		{"cold", "cold.a.01", 2}, {"frigid", "cold.a.01", 1},
		{"warm", "warm.s.01", 1}, {"icy", "icy.s.01", 1}, {"dog", "dog.n.01", 1}, {"hound", "dog.n.01", 1},
		{"animal", "animal.n.01", 1}, {"beast", "animal.n.01", 2}} {
		rows = append(rows, []value.Value{value.Str(x.word), value.Str("synset"), value.Str(x.synset),
			value.Real(1 / x.sense), {}})
	}
	return rows
}

func TestSynsetRows(t *testing.T) {
	relations := list("relations", "synonym", "antonym", "hypernym", "hyponym")
	for expand, want := range map[string]string{
		"direct": "hot.a.01:cold cold.a.01:hot",
		"synset": "hot.a.01:cold hot.a.01:frigid cold.a.01:hot cold.a.01:blistering",
		"similar": "hot.a.01:icy hot.a.01:cold hot.a.01:frigid warm.s.01:cold warm.s.01:frigid cold.a.01:warm " +
			"cold.a.01:hot cold.a.01:blistering icy.s.01:hot icy.s.01:blistering",
	} {
		m := &model{}
		s := &option.Set{}
		m.Options(s)
		if err := s.Apply([]option.Arg{relations, kindtest.Arg("rows", "synset"),
			kindtest.Arg("antonym_expand", expand)}); err != nil {
			t.Fatal(err)
		}
		d, _, err := m.read(background, kind.Tables{"triples": wordnet()})
		if err != nil {
			t.Fatal(err)
		}
		got := func(k int) string {
			var out []string
			for _, c := range d.cells[k] {
				out = append(out, d.rows.names[c.Row]+":"+d.words.names[c.Col])
			}
			return strings.Join(out, " ")
		}
		if got(1) != want {
			t.Errorf("%s: %s, want %s", expand, got(1), want)
		}
		if s := got(2) + " | " + got(3); s != "dog.n.01:animal dog.n.01:beast | animal.n.01:dog animal.n.01:hound" {
			t.Errorf("hypernyms and hyponyms: %s", s)
		}
		if s := got(0); !strings.HasPrefix(s, "hot.a.01:hot hot.a.01:blistering hot.s.02:hot cold.n.01:cold") {
			t.Errorf("members: %s", s)
		}
	}
}

func TestErrors(t *testing.T) {
	bad := func(w float64) [][]value.Value {
		return [][]value.Value{{value.Str("a"), value.Str("synonym"), value.Str("b"), value.Real(w), {}}}
	}
	for _, c := range []struct {
		rows    [][]value.Value
		options []option.Arg
		want    string
	}{
		{figure, []option.Arg{list("relations", "synonym", "antonyms")},
			"no relation antonyms; did you mean antonym?; it has synonym, antonym, hypernym"},
		{figure, []option.Arg{kindtest.Arg("pivot", "synonyms")},
			"option pivot: synonyms is none of the relations synonym, antonym, hypernym; did you mean synonym?"},
		{figure, []option.Arg{list("scales", "hypernim=2")}, "did you mean hypernym?"},
		{figure, []option.Arg{list("scales", "hypernym=-1")}, "no positive factor"},
		{figure, []option.Arg{list("scales", "hypernym")}, "name=value"},
		{figure, []option.Arg{kindtest.Arg("method", "pilsa"), list("relations", "synonym", "hypernym")},
			"method = pilsa has the relations"},
		{figure, []option.Arg{kindtest.Arg("rows", "synset")}, "wants triples (word, synset, synset)"},
		{figure, []option.Arg{kindtest.Arg("restarts", 3)}, "init = random"},
		{triples("a synonym x", "b synonym x"), []option.Arg{kindtest.Arg("self", "none")}, "idf_smooth"},
		{bad(math.NaN()), nil, "has weight NaN"},
		{bad(-1), nil, "has weight -1"},
		{bad(math.Inf(1)), nil, "has weight +Inf"},
		{bad(0), nil, "no word is listed"},
	} {
		_, err := trained(c.rows, c.options...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if _, err := trained(nil); !errors.Is(err, kind.ErrNoData) {
		t.Errorf("no triples: %v", err)
	}
	huge := append(bad(1e300), triples("c synonym d")...)
	if _, err := trained(huge); err == nil {
		t.Error("weights that are too large are factored")
	}
}

func score(t *testing.T, m *model, task string, rows [][]value.Value, options ...option.Arg) []metrics.Metric {
	t.Helper()
	s := &option.Set{}
	opt := m.opt
	m.Options(s)
	m.opt = opt
	if err := s.Apply(append(options, kindtest.Arg("task", task))); err != nil {
		t.Fatal(err)
	}
	out, err := m.Evaluate(background, kind.Tables{scoreTable(task).Name: rows}, &kind.Run{})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func row(values ...any) []value.Value {
	var out []value.Value
	for _, v := range values {
		switch v := v.(type) {
		case string:
			out = append(out, value.Str(v))
		case int:
			out = append(out, value.Int(int64(v)))
		case float64:
			out = append(out, value.Real(v))
		case bool:
			out = append(out, value.Bool(v))
		default:
			out = append(out, value.Value{})
		}
	}
	return out
}

func TestClosestOpposite(t *testing.T) {
	m := train(t, figure, with(kindtest.Arg("method", "raw"))...)
	got := score(t, m, taskClosest, [][]value.Value{
		row("joy", "gladden", false, nil), row("joy", "sorrow", true, nil), // right
		row("gladden", "sorrow", false, "2"), row("gladden", "sadden", true, "2"), // wrong
		row("nothing", "joy", true, nil), // unknown
	})
	for i, want := range []struct {
		name  string
		value float64
	}{{"f1", 0.4}, {"precision", 0.5}, {"recall", 1.0 / 3}, {"attempted", 2.0 / 3}} {
		if got[i].Name != want.name || got[i].Label != metrics.All || got[i].Units.Len() != 3 {
			t.Errorf("%+v, want %s", got[i], want.name)
		}
		near(t, want.name, got[i].Value(), want.value, 1e-6)
	}
}

func TestPairsAndOpposites(t *testing.T) {
	m := train(t, figure, with(kindtest.Arg("method", "raw"))...)
	rows := [][]value.Value{row("joy", "sorrow", 1), row("joy", "gladden", 0), row("gladden", "sadden", 1),
		row("anger", "joy", 1), row("sorrow", "sadden", 0)}
	got := score(t, m, taskPairs, rows)
	near(t, "precision", got[1].Value(), 1, 0)
	near(t, "recall", got[2].Value(), 2.0/3, 1e-6)
	near(t, "attempted", got[3].Value(), 4.0/5, 1e-6)
	near(t, "accuracy", got[4].Value(), 1, 1e-6)
	drawn, err := drawOpposites(background, tableOf(rows), 3, 7)
	if err != nil || len(drawn) != 3 {
		t.Fatal(drawn, err)
	}
	for _, q := range drawn {
		right := 0
		for i, c := range q.candidates {
			if c == q.target {
				t.Error("a target is its own candidate")
			}
			if q.right[i] {
				right++
			}
		}
		if right != 1 || len(q.candidates) != 3 {
			t.Errorf("question %+v", q)
		}
	}
	if again, _ := drawOpposites(background, tableOf(rows), 3, 7); fmt.Sprint(again) != fmt.Sprint(drawn) {
		t.Error("the same seed draws other questions")
	}
}

func TestMaxDiff(t *testing.T) {
	m := train(t, figure, with(kindtest.Arg("method", "raw"))...)
	asked := [][]value.Value{
		row("joy", "sorrow", 9.0, "a", "1"), row("joy", "anger", 5.0, "a", "1"), row("gladden", "sadden", 7.0, "a", "1"),
		row("anger", "anger", -1.0, "a", "1"),
		row("joy", "sorrow", 1.0, "a", "2"), row("gladden", "sadden", 1.0, "a", "2")}
	got := score(t, m, taskMaxDiff, asked)
	near(t, "support", got[0].Support, 1, 0) // the second question has no best pair
	near(t, "accuracy", got[0].Value(), 0.5, 1e-6)
	var drawn [][]value.Value
	for i := range 12 {
		drawn = append(drawn, row(fmt.Sprint("w", i), "joy", float64(i), "b", nil))
	}
	got = score(t, m, taskMaxDiff, drawn, kindtest.Arg("questions", 50))
	near(t, "support", got[0].Support, 50, 0)
}

func tableOf(rows [][]value.Value) kind.Table {
	t, _ := kind.Tables{"": rows}.Table("")
	return t
}

func TestContract(t *testing.T) {
	gold := kind.Tables{"questions": {row("joy", "sorrow", true, nil), row("joy", "gladden", false, nil),
		row("anger", "joy", true, nil)}}
	for _, method := range []string{byTucker, byPILSA, byLSA, byRaw, byLookup} {
		t.Run(method, func(t *testing.T) {
			kindtest.Run(t, kindtest.Case{
				Kind: Kind(), Tables: kind.Tables{"triples": figure}, Gold: gold,
				Resumes: method != byRaw && method != byLookup,
				Options: []option.Arg{kindtest.Arg("method", method), kindtest.Arg("rank", 3), kindtest.Arg("idf_smooth", true)},
				Queries: []kindtest.Query{
					{Relation: "degree", Args: row("joy", "sorrow", "antonym")},
					{Relation: "degree", Args: row("joy", "nobody", "antonym")},
					{Relation: "degree", Args: row("joy", "sorrow", "antonyms"),
						Fails: "unknown relation 'antonyms'; did you mean antonym?"},
					{Relation: "related", Args: row("gladden", "antonym")},
					{Relation: "related", Args: row("gladen", "antonym"), Fails: "unknown word 'gladen'; did you mean gladden?"},
				}})
		})
	}
}

// TestResumes goes on after sweeps of the only start and of several random ones.
func TestResumes(t *testing.T) {
	rows := plant(3, 0.5).rows
	for _, opts := range [][]option.Arg{
		{kindtest.Arg("fold_in", true)},
		{kindtest.Arg("init", "random"), kindtest.Arg("restarts", 3)},
		{kindtest.Arg("init", "random"), kindtest.Arg("restarts", 3), kindtest.Arg("fold_in", true)},
	} {
		kindtest.ResumeEach(t, kindtest.Case{Kind: Kind(), Tables: kind.Tables{"triples": rows}, Options: append(opts,
			kindtest.Arg("rank", 6), kindtest.Arg("tolerance", 1e-9), kindtest.Arg("sweeps", 5))})
	}
}

package universalschema

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"parlance/algo/kb/triples"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/metrics"
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

// professors is a knowledge base in which who is a professor at, or heads, a place works for it, while
// who visits it does not; what every fourth works for is held out.
func professors(n int) (train, test kind.Tables) {
	train, test = kind.Tables{}, kind.Tables{}
	r := rand.New(rand.NewPCG(5, 6))
	for i := range n {
		who := fmt.Sprintf("p%03d", i)
		at, visited := r.IntN(20), r.IntN(20)
		pattern := []string{"professor_at", "heads"}[r.IntN(2)]
		train["triples"] = append(train["triples"],
			facts(fmt.Sprintf("%s %s u%02d; %[1]s visits u%02[4]d", who, pattern, at, visited))...)
		in := train
		if i%4 == 1 {
			in = test
		}
		in["triples"] = append(in["triples"], facts(fmt.Sprintf("%s works_for u%02d", who, at))...)
	}
	return train, test
}

func configured(t testing.TB, args ...option.Arg) *model {
	t.Helper()
	m, set := &model{}, &option.Set{}
	m.Options(set)
	if err := set.Apply(args); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestKind(t *testing.T) {
	train, test := professors(8)
	null := value.Value{}
	for _, args := range [][]option.Arg{
		{kindtest.Arg("epochs", 5)},
		{kindtest.Arg("epochs", 5), kindtest.Arg("model", "nf"), kindtest.Arg("loss", "logistic"),
			kindtest.Arg("types", "induced"), kindtest.Arg("corruptions", 2)},
		{kindtest.Arg("epochs", 5), kindtest.Arg("model", "e")},
	} {
		kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: args, Tables: train, Gold: test, Resumes: true,
			Queries: []kindtest.Query{
				{Relation: "complete", Args: []value.Value{value.Str("p002"), value.Str("works_for"), null}},
				{Relation: "complete", Args: []value.Value{value.Str("p003"), null, value.Str("u00")}},
				{Relation: "score", Args: []value.Value{value.Str("p001"), value.Str("works_for"), value.Str("u00")}},
			}})
	}
}

// trained returns a trainer at random parameters.
func trained(t testing.TB, parts, loss string, l2 float64) *trainer {
	train, _ := professors(6)
	d, err := triples.Read(context.Background(), train)
	if err != nil {
		t.Fatal(err)
	}
	m := configured(t, kindtest.Arg("model", parts), kindtest.Arg("dim", 3), kindtest.Arg("loss", loss),
		kindtest.Arg("rate", 1e-6), kindtest.Arg("l2", l2))
	m.Graph, m.theta = d.Graph, newTheta(d.Graph, parts, 3)
	r := rand.New(rand.NewPCG(8, 9))
	for _, p := range m.parameters() {
		for k := range p {
			p[k] = r.NormFloat64()
		}
	}
	return &trainer{model: m, data: d, besides: triples.NewIndex(d.Relations.Len())}
}

// TestGradient compares a small step with differences of the loss and its penalty.
func TestGradient(t *testing.T) {
	for _, parts := range []string{"f", "n", "e", "nfe"} {
		for _, loss := range []string{"bpr", "logistic"} {
			tr := trained(t, parts, loss, 0)
			works, _ := tr.Graph.Relations.Find("works_for")
			visits, _ := tr.Graph.Relations.Find("visits")
			a, b := tr.Graph.Index.Known(triples.Object, works, 0), tr.Graph.Index.Known(triples.Object, visits, 2)
			p, q := tr.pairs.find(0, a[0]), tr.pairs.find(2, b[0])
			value := func() float64 {
				with, without := tr.score(works, p), tr.score(works, q)
				if loss == "bpr" {
					return -math.Log(1 / (1 + math.Exp(without-with)))
				}
				return -math.Log(1/(1+math.Exp(-with))) - math.Log(1-1/(1+math.Exp(-without)))
			}
			for i, list := range tr.parameters() {
				for k := range list {
					x := list[k]
					list[k] = x + 1e-5
					up := value()
					list[k] = x - 1e-5
					down := value()
					list[k] = x
					before := snapshot(tr.parameters())
					if got := tr.step(works, p, q, 1); math.Abs(got-value0(tr, before, value)) > 1e-9 {
						t.Fatalf("%s %s: loss %v", parts, loss, got)
					}
					got := (x - list[k]) / 1e-6
					restore(tr.parameters(), before)
					if want := (up - down) / 2e-5; math.Abs(got-want) > 1e-5 {
						t.Fatalf("%s %s: gradient of parameters %d[%d] is %v, differences %v", parts, loss, i, k, got, want)
					}
				}
			}
		}
	}
}

// value0 is the loss at other parameters.
func value0(tr *trainer, at [][]float64, f func() float64) float64 {
	now := snapshot(tr.parameters())
	restore(tr.parameters(), at)
	defer restore(tr.parameters(), now)
	return f()
}

func snapshot(p [][]float64) (out [][]float64) {
	for _, v := range p {
		out = append(out, append([]float64(nil), v...))
	}
	return out
}

func restore(p, from [][]float64) {
	for i := range p {
		copy(p[i], from[i])
	}
}

// TestPenalty checks that a step shrinks what it changes and nothing else.
func TestPenalty(t *testing.T) {
	plain, shrunk := trained(t, "f", "bpr", 0), trained(t, "f", "bpr", 0.5)
	before := snapshot(plain.parameters())
	plain.step(2, 0, 1, 1)
	shrunk.step(2, 0, 1, 1)
	for i, list := range plain.parameters() {
		for k, x := range list {
			want := 0.0
			if x != before[i][k] {
				want = 1e-6 * 0.5 * before[i][k]
			}
			if got := x - shrunk.parameters()[i][k]; math.Abs(got-want) > 1e-14 {
				t.Fatalf("%d[%d] shrinks by %v, want %v", i, k, got, want)
			}
		}
	}
}

// TestScores compares scores in blocks with those one by one.
func TestScores(t *testing.T) {
	for _, parts := range []string{"f", "n", "e", "nfe"} {
		tr := trained(t, parts, "bpr", 0)
		n := tr.Graph.Entities.Len()
		for _, open := range []triples.Side{triples.Subject, triples.Object} {
			given, out := []int32{3, 0, int32(n - 1)}, make([]float64, 3*n)
			tr.Scores(open, 1, given, out)
			for i, g := range given {
				for e := range int32(n) {
					if got, want := out[i*n+int(e)], tr.Score(triples.Of(1, open, e, g)); math.Abs(got-want) > 1e-12 {
						t.Errorf("%s: score %v, alone %v", parts, got, want)
					}
				}
			}
		}
	}
}

// TestBounds compares bounds with all scores, and what is above a score with a look through all.
func TestBounds(t *testing.T) {
	for _, parts := range []string{"f", "n", "e", "nfe"} {
		tr := trained(t, parts, "bpr", 0)
		n := tr.Graph.Entities.Len()
		given, scores, bound := []int32{3, 0, int32(n - 1)}, make([]float64, 3*n), make([]float64, 3)
		for r := range int32(tr.Graph.Relations.Len()) {
			for _, open := range []triples.Side{triples.Subject, triples.Object} {
				tr.Scores(open, r, given, scores)
				tr.Bounds(open, r, given, bound)
				least := scores[n]
				got := map[int]float64{}
				tr.Above(open, r, given, least, func(i int, e int32, s float64) { got[i*n+int(e)] = s })
				for i, x := range scores {
					if s, ok := got[i]; x > bound[i/n] || ok != (x >= least) || ok && s != x {
						t.Errorf("%s: score %v has the bound %v, and is above %v: %v, %v", parts, x, bound[i/n], least, ok, s)
					}
				}
			}
		}
	}
}

// TestProfessors learns which patterns mean that somebody works for a place.
func TestProfessors(t *testing.T) {
	train, test := professors(200)
	for _, parts := range []string{"n", "f", "nfe"} {
		m := configured(t, kindtest.Arg("model", parts), kindtest.Arg("dim", 10))
		tr := &kind.Training{On: train, Seed: 1, Report: func(kind.Progress) {}, Notice: func(string) {}}
		if err := m.Train(context.Background(), tr); err != nil {
			t.Fatal(err)
		}
		list, err := m.Evaluate(context.Background(), test, &kind.Run{})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range list {
			if x.Name == "mrr" && x.Label == "object" && x.Label != metrics.All {
				if t.Logf("%s: mrr %.3f", parts, x.Value()); x.Value() < 0.95 {
					t.Errorf("%s: mrr of objects %v", parts, x.Value())
				}
			}
		}
	}
}

// TestExplain sums the terms of scores.
func TestExplain(t *testing.T) {
	tr := trained(t, "nfe", "bpr", 0)
	for s := range int32(tr.Graph.Entities.Len()) {
		for o := range int32(tr.Graph.Entities.Len()) {
			x, sum := triples.Triple{Subject: s, Relation: 1, Object: o}, 0.0
			list, err := tr.Contributions(context.Background(), x)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range list {
				sum += c.Value * c.Weight
			}
			if math.Abs(sum-tr.Score(x)) > 1e-12 {
				t.Fatalf("%v scores %v, its terms sum to %v", x, tr.Score(x), sum)
			}
		}
	}
	value := []value.Value{value.Str("p000"), value.Str("works_for"), {}}
	e, err := tr.Explain(context.Background(), nil, kind.At{Relation: "complete", Args: value}, &kind.Run{})
	if err != nil {
		t.Fatal(err)
	}
	d, sum := e.Decisions[0], 0.0
	for _, c := range d.Contributions {
		sum += c.Value * c.Weight
	}
	if math.Abs(sum-d.Margin) > 1e-12 || d.Margin < 0 || d.Outcome == d.RunnerUp || d.RunnerUp == "" {
		t.Errorf("%+v sums to %v", d, sum)
	}
}

package trescal

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
	"parlance/algo/option"
	"parlance/storage/value"
)

// rows is a table of texts, written "a b; c d"; _ is NULL. Rows are filled up with NULL.
func rows(s string, width int) [][]value.Value {
	var out [][]value.Value
	for _, line := range strings.Split(s, ";") {
		row := make([]value.Value, width)
		for i, w := range strings.Fields(line) {
			if w != "_" {
				row[i] = value.Str(w)
			}
		}
		out = append(out, row)
	}
	return out
}

func people() kind.Tables {
	return kind.Tables{
		"triples":   rows("ann born_in rome; bob born_in oslo; ann works_for acme; rome twin oslo", 5),
		"entities":  rows("ann person; bob person; rome city; oslo city; acme company", 2),
		"relations": rows("born_in person city; works_for person company; twin city city", 3),
	}
}

func text(s ...string) []value.Value {
	out := make([]value.Value, len(s))
	for i, x := range s {
		if x != "" {
			out[i] = value.Str(x)
		}
	}
	return out
}

func TestKind(t *testing.T) {
	for _, types := range []string{"induced", "declared", "none"} {
		t.Run(types, func(t *testing.T) {
			kindtest.Run(t, kindtest.Case{Kind: Kind(), Tables: people(), Gold: people(), Resumes: true,
				Options: []option.Arg{kindtest.Arg("rank", 2), kindtest.Arg("types", types)},
				Queries: []kindtest.Query{
					{Relation: "complete", Args: text("bob", "works_for", "")},
					{Relation: "complete", Args: text("", "", "")},
					{Relation: "complete", Args: text("bub", "works_for", ""), Fails: "bob"},
					{Relation: "score", Args: text("bob", "works_for", "acme")},
				}})
		})
	}
}

// trained trains on tables.
func trained(t testing.TB, in kind.Tables, args ...option.Arg) *model {
	t.Helper()
	m, err := try(in, args...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func try(in kind.Tables, args ...option.Arg) (*model, error) {
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply(args); err != nil {
		return nil, err
	}
	return m, m.Train(context.Background(), &kind.Training{On: in, Seed: 1, Workers: 2, Report: func(kind.Progress) {},
		Notice: func(string) {}})
}

func (m *model) scoreOf(s, r, o string) float64 {
	e, _ := m.Graph.Entities.Find(s)
	k, _ := m.Graph.Relations.Find(r)
	x, _ := m.Graph.Entities.Find(o)
	return m.Score(triples.Triple{Subject: e, Relation: k, Object: x})
}

// TestPeople has the scores at the optimum of the example, worked out by hand.
func TestPeople(t *testing.T) {
	for _, types := range []string{"induced", "declared"} {
		m := trained(t, people(), kindtest.Arg("rank", 2), kindtest.Arg("types", types), kindtest.Arg("iterations", 2000),
			kindtest.Arg("tolerance", 0.0))
		for _, c := range []struct {
			fact string
			want float64
		}{{"ann born_in rome", 0.939267}, {"bob born_in oslo", 0.914111}, {"ann born_in oslo", 0}, {"bob born_in rome", 0},
			{"ann works_for acme", 0.914111}, {"bob works_for acme", 0}, {"rome twin oslo", 0.939267}} {
			w := strings.Fields(c.fact)
			if got := m.scoreOf(w[0], w[1], w[2]); math.Abs(got-c.want) > 2e-6 {
				t.Errorf("%s, types = %s: %v, want %v", c.fact, types, got, c.want)
			}
		}
	}
}

// TestScoresAgree: one triple, one row and a block of rows give the same bits.
func TestScoresAgree(t *testing.T) {
	m := trained(t, people(), kindtest.Arg("rank", 3), kindtest.Arg("types", "none"))
	n := m.Graph.Entities.Len()
	given := []int32{0, 1, 2, 3, 4}
	for k := range int32(m.Graph.Relations.Len()) {
		for _, side := range []triples.Side{triples.Subject, triples.Object} {
			block, row := make([]float64, n*n), make([]float64, n)
			m.Scores(side, k, given, block)
			for i, g := range given {
				m.Scores(side, k, []int32{g}, row)
				for e, x := range row {
					if block[i*n+e] != x {
						t.Errorf("%v: %v in a block, %v alone", side, block[i*n+e], x)
					}
					one := m.Score(triples.Of(k, side, int32(e), g))
					if side == triples.Object && one != x || math.Abs(one-x) > 1e-6 {
						t.Errorf("%v: %v in a row, %v alone", side, x, one)
					}
				}
			}
		}
	}
}

func TestWeightsCount(t *testing.T) {
	in := people()
	for _, row := range in["triples"] {
		row[3] = value.Real(2)
	}
	in["triples"][0][3] = value.Real(0.5)
	m := trained(t, in, kindtest.Arg("rank", 5), kindtest.Arg("types", "none"), kindtest.Arg("l2", 1e-6))
	for fact, want := range map[string]float64{"ann born_in rome": 0.5, "bob born_in oslo": 2} {
		w := strings.Fields(fact)
		if got := m.scoreOf(w[0], w[1], w[2]); math.Abs(got-want) > 1e-3 {
			t.Errorf("%s: %v, want %v", fact, got, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	huge := people()
	for _, row := range huge["triples"] {
		row[3] = value.Real(1e60)
	}
	outside := people()
	outside["entities"] = rows("ann x; bob x; rome x; oslo x; acme x; eve person", 2)
	undeclared := people()
	delete(undeclared, "relations")
	for _, c := range []struct {
		in   kind.Tables
		want string
	}{{huge, "weights"}, {outside, "outside the types"}, {undeclared, "domain or a range"},
		{kind.Tables{"triples": nil}, "no triple"}} {
		_, err := try(c.in, kindtest.Arg("types", "declared"), kindtest.Arg("rank", 2))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want one with %q", err, c.want)
		}
	}
}

// TestMemory refuses before anything is allocated.
func TestMemory(t *testing.T) {
	in := kind.Tables{}
	for i := range 2000 {
		in["triples"] = append(in["triples"], []value.Value{value.Str(fmt.Sprint("e", i)), value.Str(fmt.Sprint("r", i)),
			value.Str("o"), {}, {}})
	}
	if _, err := try(in, kindtest.Arg("rank", 1024)); err == nil || !strings.Contains(err.Error(), "31 GB") {
		t.Errorf("%v", err)
	}
}

// TestValidated: with patience the best held-out round stays.
func TestValidated(t *testing.T) {
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply([]option.Arg{kindtest.Arg("rank", 2), kindtest.Arg("patience", 2),
		kindtest.Arg("tolerance", 0.0)}); err != nil {
		t.Fatal(err)
	}
	var seen []*model
	var steps []kind.Progress
	scores := []float64{1, 3, 2, 3, 5}
	err := m.Train(context.Background(), &kind.Training{On: people(), Seed: 1, Workers: 1, Notice: func(string) {},
		Report: func(p kind.Progress) { steps = append(steps, p) },
		Score: func(_ context.Context, now kind.Model) (float64, string, error) {
			seen = append(seen, now.(*model))
			return scores[len(seen)-1], "mrr", nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	if len(steps) != 4 || steps[1].HeldOut != 3 || steps[1].Metric != "mrr" {
		t.Errorf("steps %v", steps)
	}
	if &m.A[0] != &seen[1].A[0] {
		t.Error("the best round is not kept")
	}
}

// BenchmarkScores times all scores of one row, and of a block, of 14,505 entities at rank 100.
func BenchmarkScores(b *testing.B) {
	g := rand.New(rand.NewPCG(1, 1))
	f := factors{rank: 100, A: make([]float32, 14505*100), R: make([]float32, 100*100), scratch: newScratch()}
	for _, list := range [][]float32{f.A, f.R} {
		for i := range list {
			list[i] = float32(g.NormFloat64())
		}
	}
	for _, rows := range []int{1, triples.BlockRows} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			given, out := make([]int32, rows), make([]float64, rows*14505)
			for b.Loop() {
				f.Scores(triples.Object, 0, given, out)
			}
		})
	}
}

package trescal

import (
	"context"
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

// split returns the contributions of facts to the score of a triple, by name, after it has checked
// that they sum to it, and the rest.
func split(t *testing.T, m *model, x triples.Triple) (facts map[string]float64, rest float64) {
	t.Helper()
	list, err := m.Contributions(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	facts = map[string]float64{}
	sum := 0.0
	for _, c := range list {
		sum += c.Value * c.Weight
		if c.Feature == "rest" {
			rest = c.Weight
		} else if _, twice := facts[c.Feature]; twice {
			t.Errorf("%s stands there twice", c.Feature)
		} else {
			facts[c.Feature] = c.Weight
		}
	}
	if math.Abs(sum-m.Score(x)) > 1e-5 {
		t.Errorf("%v scores %v, its parts sum to %v", x, m.Score(x), sum)
	}
	return facts, rest
}

// TestExplain: at the optimum facts explain all of every score, whatever the types and weights.
func TestExplain(t *testing.T) {
	weighted := people()
	for i, row := range weighted["triples"] {
		row[3] = value.Real(1 + float64(i)/2)
	}
	for _, in := range []kind.Tables{people(), weighted} {
		for _, types := range []string{"none", "induced", "declared"} {
			m := trained(t, in, kindtest.Arg("rank", 2), kindtest.Arg("types", types), kindtest.Arg("iterations", 2000),
				kindtest.Arg("tolerance", 0.0))
			n := int32(m.Graph.Entities.Len())
			for s := range n {
				for k := range int32(m.Graph.Relations.Len()) {
					for o := range n {
						if _, rest := split(t, m, triples.Triple{Subject: s, Relation: k, Object: o}); math.Abs(rest) > 1e-5 {
							t.Errorf("types %s, %d %d %d: %v is left", types, s, k, o, rest)
						}
					}
				}
			}
		}
	}
}

// TestExplainOne has an example that can be checked by hand: of one fact s r o at rank 1 all of the
// score comes from it.
func TestExplainOne(t *testing.T) {
	in := kind.Tables{"triples": rows("s r o", 5)}
	m := trained(t, in, kindtest.Arg("rank", 1), kindtest.Arg("types", "induced"), kindtest.Arg("iterations", 500),
		kindtest.Arg("tolerance", 0.0))
	x := triples.Triple{Subject: 1, Relation: 0, Object: 0}
	facts, rest := split(t, m, x)
	if got := facts["fact s r o"]; math.Abs(got-m.Score(x)) > 1e-5 || math.Abs(rest) > 1e-5 {
		t.Errorf("%v of %v, %v is left", got, m.Score(x), rest)
	}
}

// TestExplainGlobal: with one system for all rows, too, parts sum to the score.
func TestExplainGlobal(t *testing.T) {
	for _, args := range [][]option.Arg{{kindtest.Arg("a_update", "global")}, {kindtest.Arg("l2", 0.0)},
		{kindtest.Arg("iterations", 0)}} {
		m := trained(t, people(), append(args, kindtest.Arg("rank", 4))...)
		split(t, m, triples.Triple{Subject: 0, Relation: 0, Object: 4})
	}
}

// TestAround: lines of no weight tell ranks, types and near facts.
func TestAround(t *testing.T) {
	m := trained(t, people(), kindtest.Arg("rank", 2), kindtest.Arg("iterations", 2000))
	for _, c := range []struct{ fact, want string }{
		{"ann born_in oslo",
			"types allow the subject 1, rank as subject 1, types allow the object 1, rank as object 1, near bob born_in oslo"},
		{"rome born_in oslo", "types allow the subject 0, types allow the object 1, near"},
	} {
		x, err := m.Explain(context.Background(), nil, kind.At{Relation: "score", Args: text(strings.Fields(c.fact)...)},
			&kind.Run{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, l := range x.Decisions[0].Contributions {
			if l.Weight == 0 && l.Value != 1 || strings.HasPrefix(l.Feature, "types") || strings.HasPrefix(l.Feature, "rank") {
				lines = append(lines, fmt.Sprintf("%s %.4g", l.Feature, l.Value))
			}
		}
		if got := strings.Join(lines, ", "); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s; want %s", c.fact, got, c.want)
		}
	}
}

// TestExplainEnds: a context that has ended ends an explanation.
func TestExplainEnds(t *testing.T) {
	m := trained(t, people(), kindtest.Arg("rank", 2))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Contributions(ctx, triples.Triple{}); err == nil {
		t.Error("no error")
	}
}

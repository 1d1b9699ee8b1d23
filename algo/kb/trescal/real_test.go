package trescal

import (
	"context"
	"os"
	"strings"
	"testing"

	"parlance/algo/kb/triples"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/testutil/realdata"
	"parlance/storage/value"
)

// freebase is a part of FB15k-237.
func freebase(t testing.TB, part string) kind.Tables {
	return kind.Tables{"triples": realdata.Triples(t, "FB15k-237", part)}
}

// schemaTypes gives subjects the types that Freebase declares their relations for, which their names
// begin with: /people/person/profession is a property of the type /people/person.
func schemaTypes(facts [][]value.Value) [][]value.Value {
	var out [][]value.Value
	seen := map[[2]string]bool{}
	for _, f := range facts {
		part := strings.Split(f[1].S, "/")
		x := [2]string{f[0].S, strings.Join(part[:3], "/")}
		if !seen[x] {
			seen[x] = true
			out = append(out, []value.Value{value.Str(x[0]), value.Str(x[1])})
		}
	}
	return out
}

// TestSchemaTypes: on FB15k-237 with types of the schema of Freebase, types in training help entity
// retrieval whether queries check them or not (Chang et al. 2014, table 2). PARLANCE_PART is the part that is
// scored: valid, from which l2 was chosen among 5, 10 and 20, or test.
func TestSchemaTypes(t *testing.T) {
	if os.Getenv("PARLANCE_SLOW") == "" {
		t.Skip("PARLANCE_SLOW is not set: this trains on FB15k-237")
	}
	train, part := freebase(t, "train"), os.Getenv("PARLANCE_PART")
	train["entities"] = schemaTypes(train["triples"])
	gold, other := freebase(t, "test"), freebase(t, "valid")
	if part == "valid" {
		gold, other = other, gold
	}
	score := func(m *model, sets *triples.Sets, check string) float64 {
		now, set := &model{Answers: m.Answers, factors: m.factors}, &option.Set{}
		now.Options(set)
		if err := set.Apply([]option.Arg{kindtest.Arg("task", "entity_retrieval"),
			kindtest.Arg("type_check", check)}); err != nil {
			t.Fatal(err)
		}
		now.Sets, now.Scorer = sets, now // to check them of a model without types, too
		list, err := now.Evaluate(context.Background(), gold,
			&kind.Run{Workers: 2, Roles: map[string]kind.Input{triples.KnownRole: other}})
		if err != nil {
			t.Fatal(err)
		}
		num, den := 0.0, 0.0
		for i := range list[0].Units.Len() {
			u := list[0].Units.Row(i)
			num, den = num+float64(u[0]), den+float64(u[1])
		}
		return num / den
	}
	for _, c := range []struct {
		rank        int
		plain, with float64 // l2
	}{{50, 20, 10}, {100, 20, 20}} {
		rank := kindtest.Arg("rank", c.rank)
		plain := trained(t, train, rank, kindtest.Arg("types", "none"), kindtest.Arg("l2", c.plain))
		typed := trained(t, train, rank, kindtest.Arg("types", "stored"), kindtest.Arg("l2", c.with))
		a, b := score(plain, typed.Sets, "false"), score(typed, typed.Sets, "false")
		x, y := score(plain, typed.Sets, "true"), score(typed, typed.Sets, "true")
		t.Logf("rank %d: %.3f without types, %.3f with types in training; with types checked %.3f and %.3f",
			c.rank, a, b, x, y)
		if !(a < b && x < y) {
			t.Error("types in training do not help")
		}
	}
}

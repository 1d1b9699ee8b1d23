package entityresolver

import (
	"fmt"
	"testing"

	"parlance/algo/engine/mcmc"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/storage/value"
)

// people are records of a few persons, with their entities: id, name, topic, entity.
func people() [][]value.Value {
	var rows [][]value.Value
	r := mcmc.NewRand(1)
	topics := [][]string{{"frogs", "ponds", "rain", "reeds"}, {"stars", "planets", "light", "dust"}, {"bread", "yeast",
		"ovens", "flour"}}
	for e := range 8 {
		first, last := []string{"ann", "bob"}[e%2], []string{"young", "baker", "smith", "cook"}[e/2]
		for k := range 4 {
			name := first
			if k%2 == 1 {
				name = first[:1]
			}
			t := topics[e%3]
			text := t[r.Intn(4)] + " " + t[r.Intn(4)] + " " + t[r.Intn(4)] + " and"
			rows = append(rows, []value.Value{value.Str(fmt.Sprintf("r%d.%d", e, k)), value.Str(name), value.Str(text),
				value.Str(last), value.Str(fmt.Sprint(e))})
		}
	}
	return rows
}

// peopleOptions say how they are compared: first, topic, and last for blocking.
func peopleOptions(more ...option.Arg) []option.Arg {
	return append([]option.Arg{kindtest.Arg("attributes", "first name,topic words"), kindtest.Arg("blocking", "last"),
		kindtest.Arg("samples", 5)}, more...)
}

func links(rows ...[3]any) kind.Tables {
	var out [][]value.Value
	for _, r := range rows {
		out = append(out, []value.Value{value.Str(r[0].(string)), value.Str(r[1].(string)), value.Bool(r[2].(bool))})
	}
	return kind.Tables{linksTable: out}
}

func TestKind(t *testing.T) {
	var gold [][]value.Value
	for _, row := range people() {
		gold = append(gold, []value.Value{row[0], row[4]})
	}
	away := Kind()
	away.New = func() kind.Model { return &model{away: 2} } // the rounds of small blocks go elsewhere too
	for _, c := range []struct {
		name    string
		options []option.Arg
	}{
		{"pairwise", peopleOptions()},
		{"logistic", peopleOptions(kindtest.Arg("weights", "logistic"))},
		{"samplerank", peopleOptions(kindtest.Arg("weights", "samplerank"), kindtest.Arg("epochs", 5))},
		{"uniform", peopleOptions(kindtest.Arg("sampler", "uniform"), kindtest.Arg("least", 2))},
		{"chains", peopleOptions(kindtest.Arg("chains", 3), kindtest.Arg("proposal", "gibbs"))},
		{"hierarchical", []option.Arg{kindtest.Arg("attributes", "first name 2 1 -8,topic words 8 -4"),
			kindtest.Arg("blocking", "last"),
			kindtest.Arg("model", "hierarchical")}},
		{"layered", []option.Arg{kindtest.Arg("attributes", "first name,topic words"), kindtest.Arg("blocking", "last"),
			kindtest.Arg("model", "layered"), kindtest.Arg("rounds", 3), kindtest.Arg("sweeps", 4)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			kindtest.Run(t, kindtest.Case{Kind: away, Options: c.options, Resumes: true,
				Tables: kind.Tables{recordsTable: people()}, Gold: kind.Tables{recordsTable: gold},
				Roles: map[string]kind.Input{"links": links([3]any{"r0.0", "r0.1", true}, [3]any{"r0.0", "r1.1",
					false})},
				Queries: []kindtest.Query{{Relation: "pairs", Args: []value.Value{value.Str("r0.0")}},
					{Relation: "pairs", Args: []value.Value{value.Str("r0.O")}, Fails: "unknown record"},
					{Relation: "compare", Args: []value.Value{value.Str("r0.0"), value.Str("r0.1")}},
					{Relation: "entity_attributes", Args: []value.Value{value.Str("r1.2")}}}})
		})
	}
}

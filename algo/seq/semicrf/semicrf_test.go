package semicrf

import (
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/seq/expectation"
	"parlance/storage/value"
)

// constraints is a table of rows kind, value, label, target and direction.
func constraints(rows ...[]any) kind.Tables {
	var out [][]value.Value
	for _, r := range rows {
		row := []value.Value{value.Str(r[0].(string)), value.Str(r[1].(string)), value.Str(r[2].(string)),
			value.Real(r[3].(float64)), value.Str(r[4].(string)), {}}
		out = append(out, row)
	}
	return kind.Tables{expectation.Table.Name: out}
}

func taxonomy(rows ...[2]string) kind.Tables {
	var out [][]value.Value
	for _, r := range rows {
		out = append(out, []value.Value{value.Str(r[0]), value.Str(r[1])})
	}
	return kind.Tables{"taxonomy": out}
}

func TestContract(t *testing.T) {
	arg := kindtest.Arg
	rules := constraints([]any{"token", "Ann", "PER", 0.9, ">="}, []any{"pattern", "in {[A-Z].*}", "LOC", 0.8, ">="},
		[]any{"share", "", "O", 0.5, ">="},
		[]any{"length", "1-2", "", 0.9, ">="}, []any{"separator", ".", "O", 0.9, ">="}, []any{"segments", "", "LOC",
			1.0, "<="})
	for name, c := range map[string]struct {
		options []option.Arg
		roles   map[string]kind.Input
	}{
		"likelihood": {[]option.Arg{arg("layer", "entities"), arg("iterations", 20)},
			map[string]kind.Input{"taxonomy": taxonomy([2]string{"PER", "NAME"}, [2]string{"LOC", "NAME"})}},
		"edges": {[]option.Arg{arg("layer", "entities"), arg("iterations", 20),
			arg("edge_features", "lower[-1..0]"), arg("identity", true), arg("begin_features",
				none), arg("max_length", 2), arg("repeat", "yes"), arg("states", "all"), arg("transitions", "all")}, nil},
		"online": {[]option.Arg{arg("layer", "entities"), arg("objective", "alternating_projections"),
			arg("passes", 2)}, map[string]kind.Input{"constraints": rules}},
		"batch": {[]option.Arg{arg("layer", "entities"), arg("objective", "alternating_projections"),
			arg("projections", "batch"), arg("passes", 2), arg("max_length",
				3)}, map[string]kind.Input{"constraints": rules}},
	} {
		t.Run(name, func(t *testing.T) {
			docs := kindtest.Sample(30)
			if name == "batch" {
				c.roles["taxonomy"] = taxonomy([2]string{"PER", "NAME"}, [2]string{"LOC", "NAME"})
			}
			if c.roles["constraints"] != nil {
				c.roles["labelled"] = kind.Documents(docs[15:20])
			}
			kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: c.options, Train: docs[:20], Test: docs[20:],
				Roles: c.roles, Resumes: true})
		})
	}
}

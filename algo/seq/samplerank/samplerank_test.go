package samplerank

import (
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/seq/expectation"
	"parlance/storage/value"
)

// rules is a table of constraints: rows of kind, value, label, target and direction.
func rules(rows ...[]any) kind.Tables {
	var out [][]value.Value
	for _, r := range rows {
		out = append(out, []value.Value{value.Str(r[0].(string)), value.Str(r[1].(string)), value.Str(r[2].(string)),
			value.Real(r[3].(float64)), value.Str(r[4].(string)), {}})
	}
	return kind.Tables{expectation.Table.Name: out}
}

func TestContract(t *testing.T) {
	arg := kindtest.Arg
	docs := kindtest.Sample(30)
	spans := rules([]any{"token", "Ann", "PER", 1.0, ">="}, []any{"pattern", "in {[A-Z].*}", "LOC", 0.8, ">="},
		[]any{"token", ".", "PER", 0.0, "<="})
	for name, c := range map[string]struct {
		options []option.Arg
		rules   kind.Tables
	}{
		"truth":            {[]option.Arg{arg("layer", "entities"), arg("margin", 1.0)}, nil},
		"self":             {[]option.Arg{arg("layer", "upos"), arg("objective", objectiveSelf), arg("passes", 3)}, nil},
		"constraints":      {[]option.Arg{arg("layer", "entities"), arg("objective", objectiveConstraints)}, spans},
		"self+constraints": {[]option.Arg{arg("layer", "entities"), arg("objective", objectiveSelfConstraints)}, spans},
		"model+constraints": {[]option.Arg{arg("layer", "entities"), arg("objective", objectiveModelConstraints),
			arg("scheme", "iobes"), arg("average", false)}, spans},
	} {
		t.Run(name, func(t *testing.T) {
			x := kindtest.Case{Kind: Kind(), Options: c.options, Train: docs[:15], Test: docs[20:], Resumes: true}
			if name != objectiveTruth {
				x.Roles = map[string]kind.Input{"unlabelled": kind.Documents(docs[10:20])}
			}
			if c.rules != nil {
				x.Roles["constraints"] = c.rules
			}
			kindtest.Run(t, x)
		})
	}
}

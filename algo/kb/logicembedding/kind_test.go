package logicembedding

import (
	"slices"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/storage/value"
)

// The facts of the paper's experiment: pair, relations that hold.
var paperFacts = []struct{ subject, object, relations string }{
	{"JONES", "UWASH", "profAt worksFor employeeAt"},
	{"TAYLOR", "UCL", "profAt worksFor employeeAt"},
	{"SMITH", "CAMBRIDGE", "profAt"},
	{"WILLIAMS", "OXFORD", "worksFor livesIn"},
	{"BROWN", "CAMBRIDGE", "worksFor livesIn"},
	{"DAVIES", "LONDON", "registeredIn bornIn"},
	{"EVANS", "PARIS", "registeredIn bornIn"},
}

var paperRules = []string{"forall x: profAt(x) => worksFor(x)", "forall x: registeredIn(x) => livesIn(x)"}

func row(vals ...any) []value.Value {
	out := make([]value.Value, len(vals))
	for i, v := range vals {
		switch v := v.(type) {
		case string:
			out[i] = value.Str(v)
		case float64:
			out[i] = value.Real(v)
		case bool:
			out[i] = value.Bool(v)
		}
	}
	return out
}

func sampleTables() kind.Tables {
	t := kind.Tables{
		"triples": {
			row("JONES", "profAt", "UWASH", nil, nil), row("JONES", "worksFor", "UWASH", 2.0, nil),
			row("SMITH", "profAt", "CAMBRIDGE", nil, true),
			row("BROWN", "worksFor", "OXFORD", nil, nil), row("BROWN", "profAt", "OXFORD", nil, false),
			row("JONES", "person", nil, nil, nil),
			row("SMITH", "person", "", 0.5, nil), row("OXFORD", "town", nil, nil, nil), row("BROWN", "person", nil, nil, nil),
		},
		"rules": {
			row("forall x, y: profAt(x,y) => not profAt(y,x)", nil), row("profAt(x) => worksFor(x)", nil),
			row("worksFor(x,y) => person(x)", 0.5), row("person(x) => not town(x)", nil),
			row("guest(x,y) => not worksFor(x,y)", nil),
		},
		"relations": {row("guest")},
	}
	return t
}

func contract(t *testing.T, options ...option.Arg) {
	embeds := !slices.ContainsFunc(options, func(a option.Arg) bool {
		return a.Name == "variant" && a.Value.S != embedded
	})
	kindtest.Run(t, kindtest.Case{
		Anew: !embeds,
		Kind: Kind(), Options: append(options, kindtest.Arg("epochs", 20)), Tables: sampleTables(), Resumes: embeds,
		Gold: kind.Tables{"triples": {row("SMITH", "worksFor", "CAMBRIDGE", nil), row("BROWN", "profAt", "OXFORD", false),
			row("OXFORD", "person", nil, false), row("NOBODY", "person", nil, true)}},
		Queries: []kindtest.Query{
			{Relation: "truth", Args: row("worksFor(SMITH,CAMBRIDGE) and not profAt(BROWN,OXFORD)")},
			{Relation: "truth", Args: row("worksFor(SMITH,UWASH)")}, // an unknown pair
			{Relation: "truth", Args: row("forall x: profAt(x) => worksFor(x)")},
			{Relation: "truth", Args: row("worksFor(SMYTH,CAMBRIDGE)"), Fails: "did you mean SMITH?"},
			{Relation: "truth", Args: row("worksFor(SMITH,"), Fails: "character 16"},
			{Relation: "explain", Args: row("worksFor(x) and not profAt(x)")},
			{Relation: "explain", Args: row("profAt(SMITH,UWASH)")},
			{Relation: "explain", Args: row("profAt"), Fails: "character 7"},
			{Relation: "predict", Args: row("worksFor", nil, nil)},
			{Relation: "predict", Args: row(nil, "SMITH", "CAMBRIDGE")},
			{Relation: "predict", Args: row("workFor", nil, nil), Fails: "did you mean worksFor?"},
		},
	})
}

func TestContract(t *testing.T) {
	t.Run("embed", func(t *testing.T) { contract(t) })
	t.Run("squared", func(t *testing.T) {
		contract(t, kindtest.Arg("loss", "squared"), kindtest.Arg("negatives", "all"), kindtest.Arg("rule_samples", 1),
			kindtest.Arg("decay", true))
	})
	t.Run("exact", func(t *testing.T) { contract(t, kindtest.Arg("variant", "exact")) })
	t.Run("forward_chain", func(t *testing.T) { contract(t, kindtest.Arg("variant", "forward_chain")) })
}

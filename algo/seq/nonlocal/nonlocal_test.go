package nonlocal

import (
	"testing"

	"parlance/algo/kindtest"
	"parlance/algo/option"
)

func TestContract(t *testing.T) {
	common := []option.Arg{kindtest.Arg("layer", "entities"), kindtest.Arg("epochs", 4), kindtest.Arg("min_count", 1)}
	kindtest.Variants(t, kindtest.Case{Kind: Kind(), Options: common, Resumes: true}, map[string][]option.Arg{
		"proposed": nil,
		"candidate": {kindtest.Arg("algorithm", "candidate"), kindtest.Arg("unit", "sentence"),
			kindtest.Arg("average", false)},
		"margin":     {kindtest.Arg("algorithm", "margin"), kindtest.Arg("scheme", "iobes"), kindtest.Arg("bpm_runs", 2)},
		"perceptron": {kindtest.Arg("algorithm", "perceptron"), kindtest.Arg("constrained", false)},
		"rerank1":    {kindtest.Arg("algorithm", "rerank1"), kindtest.Arg("margin", 0.5)},
		"rerank2": {kindtest.Arg("algorithm", "rerank2"), kindtest.Arg("features", "form[0], label[-1]|lower[0], "+
			"suffix(2)[0]")},
		"local last": {kindtest.Arg("local_update", "conservative"), kindtest.Arg("priority", "local"),
			kindtest.Arg("nonlocal", "phrase,majority")},
	})
}

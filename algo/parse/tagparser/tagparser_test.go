package tagparser

import (
	"testing"

	"parlance/algo/kindtest"
	"parlance/algo/option"
)

func TestContract(t *testing.T) {
	for name, opts := range map[string][]option.Arg{
		"folds": {kindtest.Arg("pruner_folds", 3)},
		"upos":  {kindtest.Arg("tags", "upos"), kindtest.Arg("heads", "VP left V; * right"), kindtest.Arg("pruner_folds", 1)},
	} {
		t.Run(name, func(t *testing.T) {
			docs := kindtest.Phrased(kindtest.Sample(24))
			opts = append(opts, kindtest.Arg("bits", 12), kindtest.Arg("epochs", 2), kindtest.Arg("pruner_epochs", 2), kindtest.Arg("samples", 20))
			kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: opts, Train: docs[:16], Test: docs[16:], Resumes: true})
		})
	}
}

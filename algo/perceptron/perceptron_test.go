package perceptron

import (
	"testing"

	"parlance/algo/kindtest"
	"parlance/algo/option"
)

func TestContract(t *testing.T) {
	for name, opts := range map[string][]option.Arg{
		"documents": {kindtest.Arg("layer", "labels")},
		"spans":     {kindtest.Arg("layer", "entities")},
		"plain":     {kindtest.Arg("layer", "entities"), kindtest.Arg("variant", "plain"), kindtest.Arg("scheme", "iobes")},
		"margin":    {kindtest.Arg("layer", "entities"), kindtest.Arg("variant", "margin"), kindtest.Arg("margin", 20), kindtest.Arg("states", "all")},
		"column":    {kindtest.Arg("layer", "upos"), kindtest.Arg("shuffle", false)},
	} {
		t.Run(name, func(t *testing.T) {
			docs := kindtest.Sample(30)
			kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: opts, Train: docs[:20], Test: docs[20:]})
		})
	}
}

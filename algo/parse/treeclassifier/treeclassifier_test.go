package treeclassifier

import (
	"testing"

	"parlance/algo/kindtest"
	"parlance/algo/option"
)

func TestContract(t *testing.T) {
	arg := kindtest.Arg
	for name, opts := range map[string][]option.Arg{
		"subset trees": nil,
		"partial":      {arg("kernel", "partial"), arg("size", 6), arg("decay", 0.4), arg("tags", "none")},
		"subtrees":     {arg("kernel", "subtree"), arg("tags", "upos")},
		"from trees":   {arg("method", "kernel"), arg("normalise", false)},
		"marked": {arg("marks", "entities"), arg("kernel", "partial"), arg("tags", "upos"), arg("searches",
			100)},
	} {
		t.Run(name, func(t *testing.T) {
			docs := kindtest.Phrased(kindtest.Sample(30))
			kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: opts, Train: docs[:20], Test: docs[20:]})
		})
	}
}

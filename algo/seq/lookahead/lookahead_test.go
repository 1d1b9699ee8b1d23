package lookahead

import (
	"testing"

	"parlance/algo/kindtest"
	"parlance/algo/option"
)

func TestContract(t *testing.T) {
	docs := kindtest.Treed(kindtest.Sample(30))
	kindtest.Variants(t, kindtest.Case{Kind: Kind(), Train: docs[:20], Test: docs[20:], Resumes: true},
		map[string][]option.Arg{
			"spans": {kindtest.Arg("layer", "entities")},
			"iobes": {kindtest.Arg("layer", "entities"), kindtest.Arg("scheme", "iobes"), kindtest.Arg("depth", 2),
				kindtest.Arg("order", 2)},
			"reverse": {kindtest.Arg("layer", "entities"), kindtest.Arg("direction", "rtl"), kindtest.Arg("margin", 1)},
			"column":  {kindtest.Arg("layer", "upos"), kindtest.Arg("depth", 0), kindtest.Arg("min_count", 2)},
			"arcs":    {kindtest.Arg("layer", "dependencies"), kindtest.Arg("depth", 2)},
			"heads": {kindtest.Arg("layer", "dependencies"), kindtest.Arg("labelled", false), kindtest.Arg("depth", 0),
				kindtest.Arg("min_count", 2)},
			"naive": {kindtest.Arg("layer", "upos"), kindtest.Arg("search", "naive"), kindtest.Arg("order", 2)},
		})
}

package maxent

import (
	"testing"

	"parlance/algo/kindtest"
	"parlance/algo/option"
)

func TestContract(t *testing.T) {
	for name, opts := range map[string][]option.Arg{
		"labels":  {kindtest.Arg("layer", "labels")},
		"tfidf":   {kindtest.Arg("layer", "labels"), kindtest.Arg("features", "tfidf")},
		"spans":   {kindtest.Arg("layer", "entities")},
		"column":  {kindtest.Arg("layer", "upos"), kindtest.Arg("order", 0)},
		"history": {kindtest.Arg("layer", "xpos"), kindtest.Arg("l1", 0.05)},
	} {
		t.Run(name, func(t *testing.T) {
			docs := kindtest.Sample(30)
			kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: append(opts, kindtest.Arg("iterations", 20)), Train: docs[:20], Test: docs[20:], NBest: name == "labels", Resumes: true})
		})
	}
}

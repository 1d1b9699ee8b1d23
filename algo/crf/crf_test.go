package crf

import (
	"testing"

	"parlance/algo/kindtest"
	"parlance/algo/option"
)

func TestContract(t *testing.T) {
	for name, opts := range map[string][]option.Arg{
		"spans":      {kindtest.Arg("layer", "entities")},
		"iobes":      {kindtest.Arg("layer", "entities"), kindtest.Arg("scheme", "iobes"), kindtest.Arg("transitions", "all")},
		"column":     {kindtest.Arg("layer", "upos")},
		"owlqn":      {kindtest.Arg("layer", "entities"), kindtest.Arg("l1", 0.1), kindtest.Arg("l2", 0.0)},
		"cold start": {kindtest.Arg("layer", "entities"), kindtest.Arg("warm_start", false), kindtest.Arg("min_count", 2)},
	} {
		t.Run(name, func(t *testing.T) {
			docs := kindtest.Sample(30)
			kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: append(opts, kindtest.Arg("iterations", 20)), Train: docs[:20], Test: docs[20:], NBest: name != "column", Resumes: true})
		})
	}
}

package crf

import (
	"slices"
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
		"sgd":        {kindtest.Arg("layer", "entities"), kindtest.Arg("optimizer", "sgd")},
		"sgd l1":     {kindtest.Arg("layer", "entities"), kindtest.Arg("optimizer", "sgd"), kindtest.Arg("l1", 0.1), kindtest.Arg("l2", 0.0)},
		"order 2":    {kindtest.Arg("layer", "entities"), kindtest.Arg("order", 2)},
		"all pairs":  {kindtest.Arg("layer", "upos"), kindtest.Arg("order", 2), kindtest.Arg("transitions", "all"), kindtest.Arg("warm_start", false)},
		"ap":         {kindtest.Arg("layer", "upos"), kindtest.Arg("optimizer", "ap")},
		"pa":         {kindtest.Arg("layer", "entities"), kindtest.Arg("optimizer", "pa")},
	} {
		t.Run(name, func(t *testing.T) {
			docs := kindtest.Sample(30)
			online := slices.ContainsFunc(opts, func(a option.Arg) bool { return a.Name == "optimizer" })
			if !online {
				opts = append(opts, kindtest.Arg("iterations", 20))
			}
			kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: opts, Train: docs[:20], Test: docs[20:], Resumes: true})
		})
	}
}

package crf

import (
	"testing"

	"parlance/algo/kindtest"
	"parlance/algo/option"
)

func TestContract(t *testing.T) {
	c := kindtest.Case{Kind: Kind(), Resumes: true}
	batch := c
	batch.Options = []option.Arg{kindtest.Arg("iterations", 20)}
	kindtest.Variants(t, batch, map[string][]option.Arg{
		"spans":      {kindtest.Arg("layer", "entities")},
		"iobes":      {kindtest.Arg("layer", "entities"), kindtest.Arg("scheme", "iobes"), kindtest.Arg("transitions", "all")},
		"column":     {kindtest.Arg("layer", "upos")},
		"owlqn":      {kindtest.Arg("layer", "entities"), kindtest.Arg("l1", 0.1), kindtest.Arg("l2", 0.0)},
		"cold start": {kindtest.Arg("layer", "entities"), kindtest.Arg("warm_start", false), kindtest.Arg("min_count", 2)},
		"order 2":    {kindtest.Arg("layer", "entities"), kindtest.Arg("order", 2)},
		"all pairs":  {kindtest.Arg("layer", "upos"), kindtest.Arg("order", 2), kindtest.Arg("transitions", "all"), kindtest.Arg("warm_start", false)},
	})
	kindtest.Variants(t, c, map[string][]option.Arg{
		"sgd":    {kindtest.Arg("layer", "entities"), kindtest.Arg("optimizer", "sgd")},
		"sgd l1": {kindtest.Arg("layer", "entities"), kindtest.Arg("optimizer", "sgd"), kindtest.Arg("l1", 0.1), kindtest.Arg("l2", 0.0)},
		"ap":     {kindtest.Arg("layer", "upos"), kindtest.Arg("optimizer", "ap")},
		"pa":     {kindtest.Arg("layer", "entities"), kindtest.Arg("optimizer", "pa")},
	})
}

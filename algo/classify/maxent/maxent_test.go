package maxent

import (
	"testing"

	"parlance/algo/kindtest"
	"parlance/algo/option"
)

func TestContract(t *testing.T) {
	kindtest.Variants(t, kindtest.Case{Kind: Kind(), Resumes: true, Options: []option.Arg{kindtest.Arg("iterations", 20)}},
		map[string][]option.Arg{
			"labels":  {kindtest.Arg("layer", "labels")},
			"tfidf":   {kindtest.Arg("layer", "labels"), kindtest.Arg("features", "tfidf")},
			"spans":   {kindtest.Arg("layer", "entities")},
			"column":  {kindtest.Arg("layer", "upos"), kindtest.Arg("order", 0)},
			"history": {kindtest.Arg("layer", "xpos"), kindtest.Arg("l1", 0.05)},
			"second": {kindtest.Arg("layer", "entities"), kindtest.Arg("patience", 20), kindtest.Arg("validate_every", 4),
				kindtest.Arg("refresh", 8), kindtest.Arg("order", 2), kindtest.Arg("optimizer", "cd")},
			"greedy": {kindtest.Arg("layer", "xpos"), kindtest.Arg("decoder", "greedy"), kindtest.Arg("optimizer", "cd_exact")},
			"beam": {kindtest.Arg("layer", "entities"), kindtest.Arg("decoder", "beam"), kindtest.Arg("optimizer", "scgis"),
				kindtest.Arg("features", "form[0], label[-1]|form[0], label[-2]")},
			"gis": {kindtest.Arg("layer", "labels"), kindtest.Arg("optimizer", "gis")},
			"iis": {kindtest.Arg("layer", "labels"), kindtest.Arg("optimizer", "iis")},
			"bayes": {kindtest.Arg("layer", "labels"), kindtest.Arg("optimizer", "cd"), kindtest.Arg("prior", "inequality2"),
				kindtest.Arg("widths", "bayes"), kindtest.Arg("width", 0.1)},
			"several": {kindtest.Arg("multilabel", true), kindtest.Arg("optimizer", "cd"), kindtest.Arg("features", "tfidf"),
				kindtest.Arg("l2", 1)},
			"widths": {kindtest.Arg("layer", "labels"), kindtest.Arg("prior", "inequality"), kindtest.Arg("widths", "bayes"),
				kindtest.Arg("width", 0.1)},
			"each": {kindtest.Arg("multilabel", true), kindtest.Arg("prior", "inequality")},
		})
}

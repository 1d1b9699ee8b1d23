package svm

import (
	"testing"

	"parlance/algo/kindtest"
	"parlance/algo/option"
)

func TestContract(t *testing.T) {
	arg := kindtest.Arg
	for name, opts := range map[string][]option.Arg{
		"labels":      {arg("layer", "labels")},
		"hinge":       {arg("layer", "labels"), arg("loss", "hinge"), arg("features", "bow")},
		"joint":       {arg("layer", "labels"), arg("multiclass", "crammer_singer")},
		"pairs":       {arg("layer", "upos"), arg("multiclass", "pairwise")},
		"spans":       {arg("layer", "entities"), arg("bias", 0)},
		"poly":        {arg("layer", "entities"), arg("kernel", "poly"), arg("gamma", 0.01), arg("coef0", 1)},
		"rbf":         {arg("layer", "labels"), arg("kernel", "rbf"), arg("gamma", 0.5), arg("probability", true)},
		"rest":        {arg("layer", "labels"), arg("kernel", "poly"), arg("multiclass", "one_vs_rest"), arg("features", "bow")},
		"probability": {arg("layer", "labels"), arg("probability", true)},
	} {
		t.Run(name, func(t *testing.T) {
			docs := kindtest.Sample(30)
			several := name != "rbf" // machines, or passes of one
			kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: opts, Train: docs[:20], Test: docs[20:], Resumes: several})
		})
	}
}

// TestJointResumes goes on after passes that leave out samples and classes.
func TestJointResumes(t *testing.T) {
	kindtest.ResumeEach(t, kindtest.Case{Kind: Kind(), Train: kindtest.Sample(20), Options: []option.Arg{
		kindtest.Arg("layer", "upos"), kindtest.Arg("multiclass", "crammer_singer"), kindtest.Arg("epsilon", 0.01)}})
}

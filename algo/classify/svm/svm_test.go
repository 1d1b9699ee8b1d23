package svm

import (
	"testing"

	"parlance/algo/kindtest"
	"parlance/algo/option"
)

func TestContract(t *testing.T) {
	arg := kindtest.Arg
	kindtest.Variants(t, kindtest.Case{Kind: Kind(), Resumes: true}, map[string][]option.Arg{
		"labels": {arg("layer", "labels")},
		"hinge":  {arg("layer", "labels"), arg("loss", "hinge"), arg("features", "bow")},
		"joint":  {arg("layer", "labels"), arg("multiclass", "crammer_singer")},
		"pairs":  {arg("layer", "upos"), arg("multiclass", "pairwise")},
		"spans":  {arg("layer", "entities"), arg("bias", 0)},
		"poly":   {arg("layer", "entities"), arg("kernel", "poly"), arg("gamma", 0.01), arg("coef0", 1)},
		"rest": {arg("layer", "labels"), arg("kernel", "poly"), arg("multiclass", "one_vs_rest"),
			arg("features", "bow")},
		"probability": {arg("layer", "labels"), arg("probability", true)},
	})
	kindtest.Variants(t, kindtest.Case{Kind: Kind()}, map[string][]option.Arg{ // one machine, trained in one step
		"rbf": {arg("layer", "labels"), arg("kernel", "rbf"), arg("gamma", 0.5), arg("probability", true)},
	})
}

// TestJointResumes goes on after passes that leave out samples and classes.
func TestJointResumes(t *testing.T) {
	kindtest.ResumeEach(t, kindtest.Case{Kind: Kind(), Train: kindtest.Sample(20), Options: []option.Arg{
		kindtest.Arg("layer", "upos"), kindtest.Arg("multiclass", "crammer_singer"), kindtest.Arg("epsilon", 0.01)}})
}

// Package algo lists the kinds of model.
package algo

import (
	"parlance/algo/brown"
	"parlance/algo/contexts"
	"parlance/algo/crf"
	"parlance/algo/depparser"
	"parlance/algo/fusion"
	"parlance/algo/hmm"
	"parlance/algo/kind"
	"parlance/algo/latentclasses"
	"parlance/algo/logicembedding"
	"parlance/algo/lookahead"
	"parlance/algo/maxent"
	"parlance/algo/mrlsa"
	"parlance/algo/nonlocal"
	"parlance/algo/pairrelation"
	"parlance/algo/perceptron"
	"parlance/algo/similarity"
	"parlance/algo/subtrees"
	"parlance/algo/svm"
	"parlance/algo/svmtagger"
	"parlance/algo/transe"
	"parlance/algo/transitionparser"
	"parlance/algo/trescal"
	"parlance/algo/universalschema"
)

// Kinds returns every kind, by name.
func Kinds() []kind.Kind {
	return []kind.Kind{
		brown.Kind(),
		contexts.Kind(),
		crf.Kind(),
		depparser.Kind(),
		fusion.Kind(),
		hmm.Kind(),
		latentclasses.Kind(),
		logicembedding.Kind(),
		lookahead.Kind(),
		maxent.Kind(),
		mrlsa.Kind(),
		nonlocal.Kind(),
		pairrelation.Kind(),
		perceptron.Kind(),
		similarity.Kind(),
		subtrees.Kind(),
		svm.Kind(),
		svmtagger.Kind(),
		transe.Kind(),
		transitionparser.Kind(),
		trescal.Kind(),
		universalschema.Kind(),
	}
}

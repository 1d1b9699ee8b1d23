// Package algo lists the kinds of model.
package algo

import (
	"parlance/algo/brown"
	"parlance/algo/crf"
	"parlance/algo/depparser"
	"parlance/algo/hmm"
	"parlance/algo/kind"
	"parlance/algo/lookahead"
	"parlance/algo/maxent"
	"parlance/algo/nonlocal"
	"parlance/algo/perceptron"
	"parlance/algo/subtrees"
	"parlance/algo/svm"
	"parlance/algo/svmtagger"
	"parlance/algo/transitionparser"
)

// Kinds returns every kind, by name.
func Kinds() []kind.Kind {
	return []kind.Kind{
		brown.Kind(),
		crf.Kind(),
		depparser.Kind(),
		hmm.Kind(),
		lookahead.Kind(),
		maxent.Kind(),
		nonlocal.Kind(),
		perceptron.Kind(),
		subtrees.Kind(),
		svm.Kind(),
		svmtagger.Kind(),
		transitionparser.Kind(),
	}
}

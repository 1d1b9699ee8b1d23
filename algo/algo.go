// Package algo lists the kinds of model.
package algo

import (
	"parlance/algo/crf"
	"parlance/algo/kind"
	"parlance/algo/lookahead"
	"parlance/algo/maxent"
	"parlance/algo/perceptron"
	"parlance/algo/svm"
)

// Kinds returns every kind, by name.
func Kinds() []kind.Kind {
	return []kind.Kind{
		crf.Kind(),
		lookahead.Kind(),
		maxent.Kind(),
		perceptron.Kind(),
		svm.Kind(),
	}
}

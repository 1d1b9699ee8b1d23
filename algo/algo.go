// Package algo lists the kinds of model.
package algo

import (
	"parlance/algo/crf"
	"parlance/algo/hmm"
	"parlance/algo/kind"
	"parlance/algo/maxent"
	"parlance/algo/svm"
)

// Kinds returns every kind, by name.
func Kinds() []kind.Kind {
	return []kind.Kind{
		crf.Kind(),
		hmm.Kind(),
		maxent.Kind(),
		svm.Kind(),
	}
}

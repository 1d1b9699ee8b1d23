package algo

import (
	"parlance/algo/foreign"
	"parlance/algo/foreign/arpa"
	"parlance/algo/foreign/crfpp"
	"parlance/algo/foreign/crfsuite"
	"parlance/algo/foreign/fasttext"
	"parlance/algo/foreign/liblinear"
	"parlance/algo/foreign/libsvm"
	"parlance/algo/foreign/trained"
	"parlance/algo/foreign/wapiti"
)

// Formats returns the model files of other programs, by name.
func Formats() []foreign.Format {
	return []foreign.Format{
		arpa.Format(),
		crfpp.Format(),
		crfsuite.Format(),
		fasttext.Format(),
		liblinear.Format(),
		libsvm.Format(),
		trained.Format(),
		wapiti.Format(),
	}
}

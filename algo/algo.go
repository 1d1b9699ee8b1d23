// Package algo lists the kinds of model.
package algo

import (
	"parlance/algo/calibrate"
	"parlance/algo/classify/maxent"
	"parlance/algo/classify/svm"
	"parlance/algo/coref/coreference"
	"parlance/algo/coref/mentiondetector"
	"parlance/algo/correct/ngrams"
	"parlance/algo/kb/fusion"
	"parlance/algo/kb/logicembedding"
	"parlance/algo/kb/transe"
	"parlance/algo/kb/trescal"
	"parlance/algo/kb/universalschema"
	"parlance/algo/kind"
	"parlance/algo/lexical/brown"
	"parlance/algo/lexical/contexts"
	"parlance/algo/lexical/latentclasses"
	"parlance/algo/lexical/lda"
	"parlance/algo/lexical/mrlsa"
	"parlance/algo/lexical/pairrelation"
	"parlance/algo/lexical/similarity"
	"parlance/algo/lexical/wikigazetteer"
	"parlance/algo/parse/boostreranker"
	"parlance/algo/parse/depparser"
	"parlance/algo/parse/hiddenreranker"
	"parlance/algo/parse/pcfg"
	"parlance/algo/parse/subtrees"
	"parlance/algo/parse/tagparser"
	"parlance/algo/parse/transitionparser"
	"parlance/algo/parse/treeclassifier"
	"parlance/algo/resolve/entityresolver"
	"parlance/algo/seq/crf"
	"parlance/algo/seq/hmm"
	"parlance/algo/seq/lookahead"
	"parlance/algo/seq/nonlocal"
	"parlance/algo/seq/perceptron"
	"parlance/algo/seq/samplerank"
	"parlance/algo/seq/segmenter"
	"parlance/algo/seq/semicrf"
	"parlance/algo/seq/svmtagger"
)

// Kinds returns every kind, by name.
func Kinds() []kind.Kind {
	return []kind.Kind{
		boostreranker.Kind(),
		hiddenreranker.Kind(),
		brown.Kind(),
		contexts.Kind(),
		coreference.Kind(),
		calibrate.Kind(crf.Kind()),
		calibrate.Slow(depparser.Kind()),
		entityresolver.Kind(),
		fusion.Kind(),
		calibrate.Kind(hmm.Kind()),
		latentclasses.Kind(),
		lda.Kind(),
		logicembedding.Kind(),
		calibrate.Slow(lookahead.Kind()),
		calibrate.Kind(maxent.Kind()),
		mentiondetector.Kind(),
		mrlsa.Kind(),
		ngrams.Kind(),
		calibrate.Slow(nonlocal.Kind()),
		pairrelation.Kind(),
		pcfg.Kind(),
		calibrate.Kind(perceptron.Kind()),
		calibrate.Kind(samplerank.Kind()),
		calibrate.Kind(semicrf.Kind()),
		calibrate.Unless(segmenter.Kind()),
		similarity.Kind(),
		subtrees.Kind(),
		calibrate.Unless(svm.Kind()),
		calibrate.Unless(svmtagger.Kind()),
		tagparser.Kind(),
		transe.Kind(),
		calibrate.Slow(transitionparser.Kind()),
		treeclassifier.Kind(),
		trescal.Kind(),
		universalschema.Kind(),
		wikigazetteer.Kind(),
	}
}

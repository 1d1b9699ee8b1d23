// Package boosting learns by boosting to choose among the n best analyses of sentences (Collins and Koo 2005):
// the learner of rerank over the features of treefeature, or of spanfeature for labelled spans.
//
// # Files
//
//	boosting.go  options, and the scores of trees
//	features.go   features of the trees of a sentence
//	learn.go      features that count, rounds
//	validate.go   how many rounds are best for held-out sentences
//	codec.go      sections of a stored model
package boosting

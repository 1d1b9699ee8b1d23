// Package treeboost learns by boosting to choose among the n best trees of sentences (Collins and Koo 2005): the
// learner of rerank over the features of treefeature.
//
// # Files
//
//	treeboost.go  options, and the scores of trees
//	features.go   features of the trees of a sentence
//	learn.go      features that count, rounds
//	validate.go   how many rounds are best for held-out sentences
//	codec.go      sections of a stored model
package treeboost

// Package boostreranker is the kind of models that choose among the n best trees of another parser: by boosting over
// features of whole trees, which no chart could search with (Collins and Koo 2005).
//
// The model that the option base names gives the trees, which candidates lists, and boosting learns their scores. In
// training, the trees should come from models that have not learned from the sentence: TRAIN
// … WITH (jackknife = n) sees to that.
//
// # Files
//
//	boostreranker.go  options, schema
//	train.go          from documents to weights
//	annotate.go       the best tree
//	relation.go       weights, and rounds
package boostreranker

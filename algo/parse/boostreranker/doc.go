// Package boostreranker is the kind of models that choose among the n best trees of another parser: by boosting over
// features of whole trees, which no chart could search with (Collins and Koo 2005).
//
// The model that the option base names gives the trees. Their log-probabilities and the features of treefeature make
// the score of rerank. In training, the trees should come from models that have not learned from the sentence: TRAIN
// … WITH (jackknife = n) sees to that.
//
// # Files
//
//	boostreranker.go  options, schema
//	candidates.go     the trees of a document, with features
//	learn.go          features that count, rounds
//	validate.go       how many rounds are best for held-out sentences
//	annotate.go       the best tree
//	codec.go, relation.go
package boostreranker

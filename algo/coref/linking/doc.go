// Package linking groups the mentions of a document by scores of pairs, and says how
// the weights behind the scores should change. It knows nothing of texts and features.
//
// Mentions are numbered from 0 in the order of the text. A table has a score w_ji for
// each mention i and each candidate antecedent j < i; to link i to nothing scores 0.
//
// Decoders:
//
//	Link            each mention to its best antecedent, or to the cluster with the greatest sum of probabilities;
//	                rules between mentions add to the scores (Chang, Samdani and Roth 2013, eq. 2, 6, 8)
//	AllLink         the clusters with the greatest sum of scores inside (Chang et al. 2011, eq. 3)
//	SpanningForest  trees of pairs above 0 (Yu and Joachims 2009)
//	Exact           the best clusters under rules, as a 0/1 program (Chang, Samdani and Roth 2013, eq. 5)
//
// Learners:
//
//	Ranking         loss of the links of one mention and its gradient: latent perceptron, L3M, PL3M
//	ForestGradient  loss of a spanning forest (Yu and Joachims 2009)
//	Surrogate       labels of pairs from which closure makes the gold clusters (Choi and Cardie 2007)
//	PairLoss        loss of a pair alone, with biased potentials (the same)
//
// Files: table.go, link.go, rules.go, alllink.go, forest.go, exact.go, ranking.go, surrogate.go.
package linking

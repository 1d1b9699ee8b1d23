// Package gecmodule corrects one kind of error of writers of English: articles, prepositions, the number of nouns,
// agreement and forms of verbs, derived forms of words, commas, capitals or style (Rozovskaya et al. 2013 and 2014).
//
// Every module is the same machine. A finder (package confusion) lists candidates with their options; an algorithm
// gives each option a margin over what was written: naive Bayes on counts of n-grams, a perceptron with inflated
// errors, or logistic regression; a second regression, fitted to margins out of fold and further evidence, makes prob
// of it, and boosted trees change prob where evidence does not add up; edits are made from a threshold of prob on.
//
// kind.go has the options and what a candidate's evidence is, train.go the training, finder.go the modules,
// collector.go and features.go the features, learner.go perceptron and regression, prior.go confusions and the
// inflation of errors, ranker.go the trees, patterns.go and style.go what is found by patterns, annotate.go and
// explain.go the answers.
package gecmodule

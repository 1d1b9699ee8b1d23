// Package classify is the page of a family: kinds that give one label to a document or an item, and the learners of
// classifiers that other families call.
//
// What they share: logistic fits logistic regression over rows of features in columns (coordinate descent, iterative
// scaling, inequality constraints); svm/solver trains support vector machines, svm/reduction makes classifiers of many
// classes from them (one against the rest, pairwise).
//
// Each other folder is a kind: a type with the contract of algo/kind, its RESULTS.md, and one line in algo/algo.go.
package classify

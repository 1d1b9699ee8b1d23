// Package input plans and reads the inputs of TRAIN, TUNE, EVALUATE, ANNOTATE and COPY: documents of corpora with gold
// and predicted layers side by side, and the rows of tables. It knows the roles of the inputs of a kind, the gold
// layers that they need, and the predictions made fold by fold for jackknifed trainings.
package input

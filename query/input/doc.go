// Package input plans and reads the inputs of TRAIN, TUNE, EVALUATE, ANNOTATE and COPY: documents of corpora with gold
// and predicted layers side by side, and the rows of tables. It knows the roles that inputs of a kind have, which gold
// they need, and the folds in which answers of other models were made.
package input

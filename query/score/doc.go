// Package score runs the statements that compare models with gold and with each other: EVALUATE, EVALUATE LAYER, DIFF
// MODEL, PROMOTE IF, and EXPLAIN PREDICTION. Metrics themselves are in algo/metrics.
package score

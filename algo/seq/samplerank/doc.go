// Package samplerank is the kind of chains that learn to rank labellings: from a few labelled sentences, text without
// labels, and constraints on the labels of tokens (Singh, Yao, Riedel and McCallum 2010).
//
//	TRAIN samplerank AS fields ON refs, raw AS unlabelled, rules AS constraints
//	  WITH (layer = 'segments', objective = 'self+constraints');
//
// A Metropolis-Hastings chain proposes another label for one token at a time. Where the model does not prefer what an
// objective F prefers, the weights move by the difference of features; no search over whole sentences is needed.
//
//	score(y) = Σ_t Σ_a w[a, y_t] + Σ_t w[y_t−1, y_t]      a attributes of token t
//	F = −wrong labels                                     on labelled sentences
//	F = one of the objectives                             on the others
//
// Training has two stages of the same number of passes: labelled sentences alone, then both together from the weights
// of the first. Labels of a trained model are those of the best labelling, by Viterbi search: a chain allows the exact
// one, where the paper samples.
//
// samplerank.go has the kind, read.go the inputs, objective.go the objectives, learner.go the sampling and updates,
// train.go the stages.
package samplerank

// Package semicrf is the kind of semi-Markov conditional random fields (Sarawagi and Cohen 2004): segments of several
// tokens with labels, scored as a whole by their tokens, both ends, length and words, and by pairs of neighbouring
// labels. It learns from gold segments, or without any from constraints on expectations (Singh, Hillard and Leggetter
// 2010):
//
//	TRAIN semicrf AS fields ON refs WITH (layer = 'segments');
//	TRAIN semicrf AS fields ON raw, rules AS constraints
//	  WITH (layer = 'segments', objective = 'alternating_projections');
//
// Labels may stand in a taxonomy, an input AS taxonomy, whose features count for the labels below too.
//
// The model and its training are package semimarkov, constraints package expectation. options.go has the kind,
// labels.go labels and their taxonomy, read.go turns documents into sequences, train.go trains, annotate.go writes
// segments, explain.go tells why, encode.go saves, relations.go has weights and constraints as tables.
package semicrf

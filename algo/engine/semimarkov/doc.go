// Package semimarkov is the numerics of semi-Markov conditional random fields (Sarawagi and Cohen 2004): scores,
// probabilities, expectations and training of labelled segmentations, over the graphs of package lattice. It works on
// numbers of attributes and labels and knows nothing of documents.
//
// A segmentation s of n positions is segments [a, b) of at most Longest positions with labels y, which cover
// everything:
//
//	score(s) = Σ_segments φ(y, a, b) + Σ_neighbours ψ(y', y, a)          p(s) = exp(score(s)) / Z
//	φ(y, a, b) = Σ_{t in [a,b)} token_t·w_y + begin_a·w_y + end_{b−1}·w_y + length_{b−a}·w_y + whole_{a,b}·w_y
//	ψ(y', y, a) = w_{y'y} + edge_a·w_{y'y}
//
// token_t, begin_a, … are the attributes of positions and segments. With a taxonomy of labels the weights of a label
// count for all labels below it too: w_y stands for Σ_{z = y or above y} w_z, and likewise for pairs. With Longest 1
// and token attributes alone this is the linear chain of package chain.
//
// labels.go has labels and their taxonomy, data.go sequences, layout.go numbers the weights, chart.go scores a
// sequence, expect.go has its marginals and gradient, fit.go training by L-BFGS.
package semimarkov

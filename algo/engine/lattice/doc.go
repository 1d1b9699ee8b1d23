// Package lattice searches and sums over the segmentations of a sentence into labelled spans: semi-Markov models
// (Sarawagi and Cohen 2004) and lattices of words and characters (Nakagawa and Uchimoto 2007). It works on numbers of
// positions and labels and knows nothing of documents.
//
// A sentence has positions 0 to n. A path is a sequence of spans, each beginning where the one before ends, from 0 to
// n:
//
//	s(path) = Σ_k φ_k + Σ_{neighbours k, l} w(y_k, y_l) + w(−1, y_first) + w(y_last, −1)
//	p(path) = exp(s(path)) / Z
//
// φ_k is the score of span k and w that of a pair of neighbouring labels, −1 for the ends of the sentence. What w tells
// apart at a position are its states: labels where a function scores pairs, classes of labels where a table does,
// nothing for Markov order 0. So sums and searches go over two kinds of nodes:
//
//	A(p, y) = ⊕ over spans k that end at p in state y:  M(start_k, y) ⊗ φ_k
//	M(p, y) = ⊕ over states y' that end at p:           A(p, y') ⊗ w(y', y)
//
// and cost O(spans + Σ_p states that end at p · states that begin at p). A pair that is forbidden costs nothing.
//
// transitions.go has w, span.go the spans and what constrains them, graph.go the nodes of a sentence, viterbi.go the
// best path, nbest.go the n best, sum.go log Z and marginals.
package lattice

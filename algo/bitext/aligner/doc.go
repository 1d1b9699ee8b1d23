// Package aligner is the kind that links the words of sentences and their translations. It learns from pairs of
// sentences alone, by expectation-maximisation in both directions: each word of one sentence, the observation, comes
// from a position of the other one, or from none.
//
//	p(f, a | e) = Π_j p(a_j | …) t(f_j | e_{a_j})
//
// IBM models 1 and 2 (Brown, Della Pietra, Della Pietra and Mercer 1993) choose positions alike, or near the diagonal
// (Dyer, Chahuneau and Smith 2013); the hidden Markov model (Vogel, Ney and Tillmann 1996) chooses them by the jump
// from the one before. Directions that agree (Liang, Taskar and Klein 2006) take the product of both probabilities of a
// link for its expected number:
//
//	q(i,j) = p(a_j = i) p(b_i = j)      t(f|e) = Σ q / Σ_f' Σ q
//
// Files: aligner.go has options and training, corpus.go reads pairs, table.go has the translation probabilities, em.go
// the rounds, diagonal.go and hmm.go the models of positions, symmetrize.go joins both directions, align.go links new
// pairs, relations.go is the dictionary, encode.go the stored form, digamma.go a function.
package aligner

// Package translator is the kind that translates by phrases (Koehn, Och and Marcu 2003): sequences of words that were
// seen as translations of each other in aligned pairs of sentences. A translation e of f by phrases in some order has
// the score
//
//	Σ_k λ_k h_k(e, f)
//
// with eight features h: the logarithms of the probabilities of phrases in both directions and of their words in both
// directions, the numbers of phrases and of words, how far the order of phrases jumps, and the language model of kind
// ngrams. The search goes over stacks of partial translations with as many words covered; weights λ are trained for
// BLEU on the n best translations of held-out pairs (Och 2003).
//
// Files: translator.go has options and training, table.go scores and keeps the phrases of aligned sentences, search.go
// translates, best.go lists the n best, mert.go trains weights, evaluate.go scores, relations.go lists phrases,
// encode.go is the stored form.
package translator

// Package lda is the kind of topics: latent Dirichlet allocation (Blei, Ng and Jordan 2003) by collapsed Gibbs sampling
// (Griffiths and Steyvers 2004). Each token of a document d has a topic, drawn in turn from
//
//	p(z = k | all others) ∝ (n_dk + α) · (n_kw + β) / (n_k + V·β)
//
// where the counts leave the token out. What is kept is sums of n_kw and n_dk over the last sweeps. Words have their
// most probable topic, so the model can be used as a lexicon, and P(topic | word) for other models.
//
// lda.go has the kind, sampler.go the sampler, relations.go words, topics and documents as tables, encode.go saves.
package lda

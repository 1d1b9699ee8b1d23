// Package hypernym is the kind that finds hypernyms of words which a hierarchy lacks, by the words of the hierarchy
// that stand in the same contexts (Yamada, Torisawa, Kazama, Kuroda, Murata, De Saeger, Bond and Sumida 2009).
//
// A word has a distribution over contexts, P(f|n) in proportion to ln c(f,n) + 1, or over the latent classes of a
// model. Two words are alike by
//
//	sim(n1,n2) = 1 − JS(P(·|n1), P(·|n2)),   JS the Jensen-Shannon divergence to base 2
//
// The k most similar words of the hierarchy vote for what is above them. With r(H,h) the steps from h up to H on the
// shortest path and d the discount of a further step,
//
//	score(H,t) = Σ over h of the k similar words below H with sim(t,h) ≥ s_min:  d^(r(H,h)−1) · sim(t,h)
//
// Scores are sums, which order the words too, and no probabilities. The three baselines of the paper are methods: the
// parents of the most similar word, the hypernym that is most similar itself, and the one whose children are on
// average.
//
// hierarchy.go reads the edges, profiles.go compares distributions, attach.go votes, relations.go lists answers and
// voters, evaluate.go scores hidden words.
package hypernym

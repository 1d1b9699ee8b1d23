// Package segmenter is the kind that cuts unsegmented text into words with tags: a lattice of words and characters
// (Kruengkrai, Uchimoto, Kazama, Wang, Torisawa and Isahara 2009; Nakagawa and Uchimoto 2007).
//
// A path through the lattice is an analysis. Its nodes are words of the dictionary with a tag, and characters with a
// position in a word (B first, I inside, E last, S single) and a tag, which spell words that the dictionary may lack:
//
//	s(x, y) = Σ_u w·f(x, u) + Σ_{u', u} w·f(u', u)        over nodes and neighbouring nodes of the path y
//
// Which of both a gold word is learned as is the policy: words that count as unknown are learned by their characters.
// These are rare entries, and with policy = error those that a model of other folds did not know and did not find.
// Weights are the mean over all steps of k-best MIRA,
//
//	min ‖w' − w‖²  with  s(x, y) − s(x, z) ≥ L(y, z)  for the k best z
//	L(y, z) = nodes of z not in y + nodes of y not in z
//
// of the perceptron, or of gradients of log p(y|x) with p = exp(s) / Z.
//
// character.go has the types of characters, cut.go the ends of sentences, data.go sentences that are learned from,
// dictionary.go and table.go what is looked up, weights.go contexts and weights, frozen.go those that change no more,
// lattice.go the scored nodes of a sentence, features.go what nodes and edges have, search.go the best paths,
// analyses.go the n best analyses, marginals.go sums over all, policy.go the artificial unknown words, learn.go and
// loglinear.go the updates. segmenter.go, train.go, annotate.go, explain.go, relations.go and encode.go are the kind.
package segmenter

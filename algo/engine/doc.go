// Package engine is the page of the inference and learning engines: searches, sums and learners over numbered
// structures that several families share. An engine knows neither documents nor options; a kind turns its data into
// numbers and calls it. Each has an oracle that enumerates small cases.
//
// chain trains and searches linear chains of labels; its NBest lists the best sequences of any trellis. lattice does
// the same for segmentations: graphs of labelled spans, of which semi-Markov models and lattices of words and
// characters are cases. partition holds clusterings while they change, and finds good ones by spanning forests,
// closures and correlation clustering. zeroone solves small 0/1 programs, for joint decisions under constraints,
// exactly or with a gap that it tells. count counts keys of any number in bounded memory, n-grams too. online learns
// averaged weights of sparse features, one example after the other. mcmc samples from factor graphs by
// Metropolis-Hastings and Gibbs steps, from all factors or some, and learns weights meanwhile (SampleRank). hypergraph
// has the derivations of a parser's chart: the best, the k best, sums and probabilities.
package engine

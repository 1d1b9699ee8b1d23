// Package ngrams is the kind that counts n-grams, of text or of a table, and has a language model on them: interpolated
// modified Kneser-Ney (Chen and Goodman 1999) or stupid back-off (Brants, Popat, Xu, Och and Dean 2007).
//
// A sentence is <s> w_1 … w_m </s>. Each token gives one window, itself and the words after it, which the engine count
// sorts and sums in bounded memory; counts of all shorter n-grams are sums over windows:
//
//	c(g)   = Σ c(w) over the windows w that begin with g
//	p(w|h) = (a(hw) − D(a(hw))) / S(h) + γ(h) p(w|h')        Kneser-Ney
//	s(w|h) = c(hw) / c(h), else 0.4 s(w|h')                  stupid back-off
//
// where h' is h without its first word. Words have ids in the order of their bytes, so n-grams with a common beginning
// stand together, two vocabularies are joined without a change of order, and a second corpus is added by merging its
// windows with those that the stored counts come from.
//
// Files: read.go turns documents into sorted windows, table.go tables of counts, backoff.go reads back-off models,
// vocabulary.go numbers words, trie.go builds and searches n-grams, packed.go stores integers in few bits, kneserney.go
// estimates, score.go scores sentences, evaluate.go has the perplexity, relations.go what can be queried, encode.go the
// stored form.
package ngrams

// Package coref is the page of the kinds that find mentions of entities in documents and group them by what they
// refer to.
//
//	coref/mention          what a mention is like, by tags, trees and tables of words: what both kinds read
//	coref/mentiondetector  the kind mention_detector: which spans may be mentions
//	coref/linking          decoders and losses of scored pairs
//	coref/kblink           what names and clusters mean in a knowledge base
//	coref/coreference      the kind coref: which mentions refer to the same
//
// Features are data, in the notation of algo/feature/place: the sets mention, coref and coref_wordnet are for these
// kinds, and place.Pairs computes those of all pairs of a document.
//
// The scripts ontogum.sql and owntrees.sql make the corpora that figures of this family are measured on.
package coref

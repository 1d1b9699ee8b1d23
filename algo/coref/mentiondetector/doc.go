// Package mentiondetector is the kind mention_detector: it finds the spans of tokens that may be mentions of entities
// and events, by rules over trees and tags, and keeps all, those that a filter of counts does not drop, or those that
// a logistic regression finds likely.
//
// Candidates (rules.go): pronouns; what nouns are the heads of in dependency trees; noun phrases of constituent trees;
// named entities; runs of tags where there is no tree. The filter (filter.go) drops candidates whose words, or whose
// head with a neighbour, were often candidates and seldom mentions in training (Chang et al. 2012, section 2). The
// regression (learn.go) reads features of a mention in the notation of algo/feature/place; its built-in set is mention.
//
// Corpora of coreference such as OntoNotes have no mentions that nothing corefers with, so what is learned is which
// candidates corefer with something.
package mentiondetector

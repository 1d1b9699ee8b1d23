// Package coref is the page of the kinds that find mentions of entities in documents and group them by what they
// refer to.
//
// Their shared part is coref/mention: what a mention is like, by tags, trees and tables of words. Features of pairs of
// mentions are data, in the notation of algo/feature/place; its built-in set coref is for these kinds.
//
// The script ontogum.sql makes the corpora that figures of this family are measured on.
package coref

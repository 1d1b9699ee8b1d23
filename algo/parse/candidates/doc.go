// Package candidates lists the n best trees of sentences that a model gives, for kinds that choose among them.
//
// # Files
//
//	options.go  which model gives how many, and what it must be like
//	list.go     the trees of the sentences of a document
//	read.go     those of documents that are learned from, with gold
//	tally.go    brackets of candidates and of gold, and the F1 of choices
//	pack.go     trees in few bytes
//	write.go    the trees that were chosen, as layers
package candidates

// Package engine is the page of the inference and learning engines: searches, sums and learners over numbered structures
// that several families share. An engine knows neither documents nor options; a kind turns its data into numbers and calls
// it. Each has an oracle that enumerates small cases.
//
// chain trains and searches linear chains of labels; its NBest lists the best sequences of any trellis. online learns
// averaged weights of sparse features, one example after the other.
package engine

// Package frame has what kinds share that write semantic roles: predicates with their arguments as values, the layer
// roles read and written, which tokens are predicates and in which sense, arguments chosen so that no core role comes
// twice.
//
// A frame is a predicate (a token), its sense and its arguments. Predicates are found by logistic regression over the
// tokens of tags that predicates have; senses are those seen with the lemma, told apart by maximum entropy; a lemma
// that was never seen gets the sense lemma.01, or the commonest one where senses are numbers alone. Both read features
// over places (algo/feature/place).
//
// # Files
//
//	frame.go      frames, the layer roles
//	softmax.go    maximum entropy over hashed features, trained by AdaGrad
//	lemma.go      lemmas where a corpus has none
//	predicate.go  predicates and their senses
//	decode.go     the likeliest roles under the rule that core roles are unique
package frame

// Package hiddenreranker is the kind of models that choose among the n best trees of another parser by log-linear
// models with hidden variables: each word of a tree has a hidden value, such as one of five kinds of its tag, of which
// no treebank tells (Koo and Collins 2005).
//
// # Model
//
// A tree t has words w with hidden values h_w, and edges D(t) between words. The features φ look at the tree and at one
// hidden value, or at those of the two ends of an edge:
//
//	p(t, h | s) ∝ exp(Σ_w θ·φ(t, w, h_w) + Σ_(u,v)∈D(t) θ·φ(t, u, v, h_u, h_v)),  p(t | s) = Σ_h p(t, h | s)
//
// Edges form a tree, so that sums over all hidden values are exact (package belief). Learning makes −Σ log p(t₁ | s)
// small, where t₁ is the candidate closest to gold; it is not convex, and begins with small random weights, for with
// weights of 0 all hidden values of a word would stay alike.
//
// # Mixture
//
// Several such models, the base, and boosting over features of whole trees (package boosting) are mixed:
//
//	score(t) = Σ_m α_m·s_m(t)
//
// with s the log-probability of a member, the score for boosting. The shares α are those of the best F1 of held-out
// sentences, found by exact searches along lines (package rerank).
//
// # Files
//
//	hiddenreranker.go  options, schema
//	shape.go           trees with heads, as features see them
//	piece.go           hashes and names of features
//	facts.go           features of words, and of edges
//	domain.go          hidden values of a word
//	member.go          one hidden-variable model: scores
//	problem.go         the candidates of a sentence, as a member sees them
//	gradient.go        loss and gradient
//	learn.go           weights of a member
//	train.go           from documents to members
//	mix.go             shares of the members
//	annotate.go        the best tree, and the hidden values of its words
//	describe.go        what hidden values stand for
//	codec.go
package hiddenreranker

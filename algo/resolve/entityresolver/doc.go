// Package entityresolver is the kind that finds which records are of one entity: duplicates in a table, authors of
// publications, names across documents. The state of the sampler is the model.
//
//	f(i, j) = Σ over features of weight · feature(i, j) − bias                 the factor of a pair of records
//	p(y)    ∝ exp Σ over entities of Σ over pairs in the entity of f(i, j)      model = pairwise
//
// Sources: Singh, Wick and McCallum 2012 (pairwise, sampled factors), Wick, Singh and McCallum 2012 (hierarchical),
// Singh, Subramanya, Pereira and McCallum 2011 (layered).
//
// options.go declares the options, read.go makes records, links and blocks of the tables, learn.go fits weights, run.go
// samples the blocks with the packages pairwise, hierarchy and layers, state.go is what is kept, relations.go, pairs.go
// (what samples say of pairs, and how sure they are) and evaluate.go answer.
package entityresolver

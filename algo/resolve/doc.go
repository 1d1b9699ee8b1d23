// Package resolve is the page of a family: kinds that find which records, of tables or across documents, are of one
// entity.
//
// What they share: record has records as sparse vectors whose products are the factors of pairs, and blocks of records
// that are compared at all. Three samplers find the entities of a block: pairwise under factors of pairs, hierarchy as
// trees of sub-entities, layers in rounds over shards, with sub-entities and super-entities. resolvetest has generated
// authors and readers of sets of authors for tests. The engine below is algo/engine/mcmc.
//
// Each other folder is a kind: a type with the contract of algo/kind, its RESULTS.md, and one line in algo/algo.go.
package resolve

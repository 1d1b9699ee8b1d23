// Package resolve is the page of a family: kinds that find which records, of tables or across documents, are of one
// entity.
//
// What they share: record has records as sparse vectors whose products are the factors of pairs, and blocks of records
// that are compared at all; pairwise samples the entities of a block. The sampler itself is algo/engine/mcmc.
package resolve

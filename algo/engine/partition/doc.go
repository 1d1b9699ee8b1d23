// Package partition is what clusterings of numbered items are made and changed with: coreference, entity resolution,
// agglomeration. It knows nothing of documents.
//
// partition.go has a clustering as the state of a search or a sampler: an item changes its cluster in O(1), and
// changes can be rolled back. unionfind.go joins clusters that never part. forest.go has maximum spanning forests
// (Kruskal), closure.go what follows from pairs that must and must not be together. correlation.go finds the
// partition C that maximises
//
//	v(C) = Σ over pairs {a, b} in one cluster of w_ab
//
// (correlation clustering, Bansal, Blum and Chawla 2004), which is NP-hard. No best cluster reaches over components
// of the pairs with w > 0, so each component is solved alone: exact.go by branch and bound where it is small,
// greedy.go by merging and moving where it is not; bound.go says how much better any partition could be.
package partition

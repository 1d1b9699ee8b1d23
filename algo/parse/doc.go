// Package parse is the page of a family: kinds that write the structure of a sentence, dependencies or constituents,
// and kinds that read such structure to help a parser or to choose among its trees.
//
// What they share: tree has the best trees, sums and probabilities over candidate arcs (Eisner, Chu-Liu-Edmonds, the
// matrix-tree theorem), tree/chart the charts of higher order, tree/dual dual decomposition; transition has states,
// systems and oracles of shift-reduce parsing; constituent has trees of phrases, head tables, and spines with
// adjunctions; treekernel has kernels of such trees, and the subtrees that trees share, treesvm machines on them; frame
// has predicates with their arguments, for kinds that write roles; treefeature has features of whole trees, rerank
// learns to choose among candidates by them. The derivations of charts are those of adjunctions; treekernel has kernels
// of such trees, and the subtrees that trees share; treefeature has features of whole trees, candidates lists the n
// best trees of a model, rerank learns to choose among candidates, and boosting does so by features of trees. The
// derivations of charts are those of algo/engine/hypergraph. The reader of stored dependencies is algo/text/treebank,
// for other families read trees too.
//
// Each other folder is a kind: a type with the contract of algo/kind, its RESULTS.md, and one line in algo/algo.go.
package parse

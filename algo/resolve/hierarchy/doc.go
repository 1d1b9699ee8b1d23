// Package hierarchy finds entities as trees of sub-entities (Wick, Singh and McCallum 2012). Leaves are records; an
// inner node has the sum of the bags of its children, and of each name the value of one of them. The log score of a
// forest is
//
//	Σ over nodes with a parent of pw(node, parent) + Σ over nodes of rw(node)
//	pw(c, p) = Σ over names of f(c, p) + Σ over bags, where both have words, of weight · cos(c, p) + offset
//	rw(r)    = root cost of a root | node cost of an inner node below one, + 1 / (|children − ideal| + 1) with children
//
// A node is compared with its parent as a whole or without the node itself. tree.go has nodes, links and sums, score.go
// the scores, moves.go the proposals, change.go what each changes, hierarchy.go the chain: multiple-try sampling over
// the proposals for two random nodes, doing nothing among them.
package hierarchy

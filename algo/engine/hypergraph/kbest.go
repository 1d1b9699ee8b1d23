package hypergraph

import "math"

// Derivation is an edge with the places of the derivations of its tails in their lists.
type Derivation struct {
	Score float64
	Edge  int32
	At    [2]int32
}

// before orders derivations by falling score, then edge, then places.
func (d Derivation) before(e Derivation) bool {
	switch {
	case d.Score != e.Score:
		return d.Score > e.Score
	case d.Edge != e.Edge:
		return d.Edge < e.Edge
	case d.At[0] != e.At[0]:
		return d.At[0] < e.At[0]
	}
	return d.At[1] < e.At[1]
}

// list has the best derivations of a node and a heap of those that can be next.
type list struct {
	found, heap []Derivation
	started     bool
}

// Lister finds the k best derivations by algorithm 3 of Huang and Chiang (2005): the k-th one of a node is found when
// the next one of a node above needs it. The cost is that of the edges of the nodes that are met, and O(k·log k) for
// each node of a derivation.
type Lister struct {
	g     *Graph
	nodes []list
}

// NewLister begins to list the derivations of a graph, which stays as it is until the last one is found.
func NewLister(g *Graph) *Lister {
	l := &Lister{g: g, nodes: make([]list, g.Nodes())}
	l.nodes[0] = list{found: []Derivation{{}}, started: true}
	return l
}

// At is the k-th derivation of a node, which Find has found.
func (l *Lister) At(v, k int32) Derivation { return l.nodes[v].found[k] }

// Find tells whether node v has a k-th derivation, counted from 0; those before it must have been found.
func (l *Lister) Find(v, k int32) bool {
	n := &l.nodes[v]
	if int(k) < len(n.found) {
		return true
	}
	if v == 0 || l.g.ended != nil && l.g.ended() {
		return false
	}
	if !n.started {
		n.started = true
		for e := l.g.first[v]; e < l.g.first[v+1]; e++ {
			l.push(n, e, [2]int32{})
		}
	} else if len(n.found) > 0 {
		// every pair of places has one predecessor: the second falls first
		d := n.found[len(n.found)-1]
		l.push(n, d.Edge, [2]int32{d.At[0], d.At[1] + 1})
		if d.At[1] == 0 {
			l.push(n, d.Edge, [2]int32{d.At[0] + 1, 0})
		}
	}
	if len(n.heap) == 0 {
		return false
	}
	n.found = append(n.found, n.pop())
	return true
}

// push adds a derivation to the heap of a node if its tails have theirs.
func (l *Lister) push(n *list, i int32, at [2]int32) {
	e := &l.g.Edges[i]
	if !l.Find(e.Tail[0], at[0]) || !l.Find(e.Tail[1], at[1]) {
		return
	}
	score := l.nodes[e.Tail[0]].found[at[0]].Score + l.nodes[e.Tail[1]].found[at[1]].Score + e.Weight
	if math.IsInf(score, -1) {
		return
	}
	n.heap = append(n.heap, Derivation{score, i, at})
	for i := len(n.heap) - 1; i > 0; {
		up := (i - 1) / 2
		if !n.heap[i].before(n.heap[up]) {
			break
		}
		n.heap[i], n.heap[up] = n.heap[up], n.heap[i]
		i = up
	}
}

func (n *list) pop() Derivation {
	top, last := n.heap[0], len(n.heap)-1
	n.heap[0] = n.heap[last]
	n.heap = n.heap[:last]
	for i := 0; ; {
		next := i
		for child := 2*i + 1; child <= 2*i+2 && child < last; child++ {
			if n.heap[child].before(n.heap[next]) {
				next = child
			}
		}
		if next == i {
			return top
		}
		n.heap[i], n.heap[next] = n.heap[next], n.heap[i]
		i = next
	}
}

// Edge is the edge of a number.
func (l *Lister) Edge(i int32) *Edge { return &l.g.Edges[i] }

package chart

import (
	"math"

	"parlance/algo/parse/tree"
)

// KBest implements tree.Lister by algorithm 3 of Huang and Chiang 2005: the k-th derivation of a node is
// found when the next one of a node above needs it. The cost is that of the hypergraph and
// O(k·n·log k). Equal trees are listed by the order of their edges.
func (c *Chart) KBest(p *tree.Parts, score []float64, k int, dst []tree.Scored) []tree.Scored {
	if k <= 0 {
		return dst
	}
	if p.N == 0 {
		return append(dst, tree.Scored{Heads: []int32{0}})
	}
	if !c.build(p, score) {
		return dst
	}
	l := &lazy{g: &c.graph, nodes: make([]list, c.graph.nodes())}
	l.nodes[0] = list{found: []derivation{{}}, started: true}
	root := int32(c.graph.nodes() - 1)
	for i := range k {
		if !l.find(root, int32(i)) || p.Ended() {
			break
		}
		heads := make([]int32, p.N+1)
		l.trace(&p.Arcs, heads, root, int32(i))
		dst = append(dst, tree.Scored{Heads: heads, Score: l.nodes[root].found[i].score})
	}
	return dst
}

// derivation is an edge with the places of the derivations of its tails in their lists.
type derivation struct {
	score float64
	edge  int32
	at    [2]int32
}

// before orders derivations by falling score, then edge, then places.
func (d derivation) before(e derivation) bool {
	switch {
	case d.score != e.score:
		return d.score > e.score
	case d.edge != e.edge:
		return d.edge < e.edge
	case d.at[0] != e.at[0]:
		return d.at[0] < e.at[0]
	}
	return d.at[1] < e.at[1]
}

// list has the best derivations of a node and a heap of those that can be next.
type list struct {
	found, heap []derivation
	started     bool
}

type lazy struct {
	g     *hypergraph
	nodes []list
}

// find tells whether node v has a k-th derivation, which it puts in its list; k counts from 0, and
// those before it are there.
func (l *lazy) find(v, k int32) bool {
	n := &l.nodes[v]
	if int(k) < len(n.found) {
		return true
	}
	if v == 0 || l.g.p.Ended() {
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
		l.push(n, d.edge, [2]int32{d.at[0], d.at[1] + 1})
		if d.at[1] == 0 {
			l.push(n, d.edge, [2]int32{d.at[0] + 1, 0})
		}
	}
	if len(n.heap) == 0 {
		return false
	}
	n.found = append(n.found, n.pop())
	return true
}

// push adds a derivation to the heap of a node if its tails have theirs.
func (l *lazy) push(n *list, e int32, at [2]int32) {
	tail := l.g.edges[e].tail
	if !l.find(tail[0], at[0]) || !l.find(tail[1], at[1]) {
		return
	}
	score := l.nodes[tail[0]].found[at[0]].score + l.nodes[tail[1]].found[at[1]].score
	for _, p := range l.g.edges[e].part {
		if p >= 0 {
			score += l.g.score[p]
		}
	}
	if math.IsInf(score, -1) {
		return
	}
	n.heap = append(n.heap, derivation{score, e, at})
	for i := len(n.heap) - 1; i > 0; {
		up := (i - 1) / 2
		if !n.heap[i].before(n.heap[up]) {
			break
		}
		n.heap[i], n.heap[up] = n.heap[up], n.heap[i]
		i = up
	}
}

func (n *list) pop() derivation {
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

// trace writes the arcs of the k-th derivation of node v.
func (l *lazy) trace(arcs *tree.Arcs, heads []int32, v, k int32) {
	if v == 0 {
		return
	}
	d := l.nodes[v].found[k]
	e := &l.g.edges[d.edge]
	for _, p := range e.part {
		if p >= 0 && int(p) < arcs.Len() {
			heads[arcs.Mod[p]] = arcs.Head[p]
		}
	}
	l.trace(arcs, heads, e.tail[0], d.at[0])
	l.trace(arcs, heads, e.tail[1], d.at[1])
}

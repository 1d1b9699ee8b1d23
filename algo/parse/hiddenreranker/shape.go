package hiddenreranker

import (
	"parlance/algo/parse/constituent"
)

// node is a node of a tree with what features ask of it.
type node struct {
	label    piece
	children []*node
	head     int // place among the children
	token    int // head token, from 1
	parent   *node
	place    int   // among the children of the parent
	rule     piece // with its children, the head marked; none of a leaf
	up       piece // labels from here to the root
	down     piece // labels from here down to the tag of the head token
}

func (n *node) leaf() bool { return len(n.children) == 0 }

// reader reads trees. It belongs to one goroutine.
type reader struct {
	heads  *constituent.HeadTable
	naming bool // pieces have names
	labels map[string]piece
}

func newReader(heads *constituent.HeadTable) *reader {
	return &reader{heads: heads, labels: map[string]piece{}}
}

func (x *reader) label(s string) piece {
	p, ok := x.labels[s]
	if !ok {
		p = word(s)
		x.labels[s] = p
	}
	return p
}

// shape makes nodes of a tree.
func (x *reader) shape(t *constituent.Node, parent *node, place int) *node {
	n := &node{label: x.label(t.Label), parent: parent, place: place, token: t.Token}
	n.up = n.label
	if parent != nil {
		n.up = x.join(",", n.label, parent.up)
	}
	n.down = n.label
	if t.Leaf() {
		return n
	}
	n.head = x.heads.Find(t)
	for i, c := range t.Children {
		n.children = append(n.children, x.shape(c, n, i))
	}
	h := n.children[n.head]
	n.token, n.down = h.token, x.join(",", n.label, h.down)
	n.rule = x.marked(n, -1, -1)
	return n
}

var arrow, headMark, modMark, firstMark, secondMark = word("->"), word("*head"), word("*mod"), word("*sib1"),
	word("*sib2")

// marked is a rule with the head marked and, with mod ≥ 0, a modifier; with other ≥ 0, mod and other are siblings.
func (x *reader) marked(n *node, mod, other int) piece {
	parts := make([]piece, 0, 2+2*len(n.children))
	parts = append(parts, n.label, arrow)
	for i, c := range n.children {
		p := c.label
		switch {
		case i == other:
			p = x.join("", p, firstMark)
		case i == mod && other >= 0:
			p = x.join("", p, secondMark)
		case i == mod:
			p = x.join("", p, modMark)
		}
		if i == n.head {
			p = x.join("", p, headMark)
		}
		parts = append(parts, p)
	}
	return x.join(" ", parts...)
}

// above is the label over a node, a piece of its own for the root.
func (x *reader) above(n *node) piece {
	if n.parent == nil {
		return x.label("")
	}
	return n.parent.label
}

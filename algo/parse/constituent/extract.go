package constituent

import "slices"

// Extract returns the derivation of a clean tree of n tokens, by the heads of its phrases. Where both sides of a spine
// have copies of a phrase, their order is lost: Build then gives a flatter tree.
func Extract(root *Node, heads *HeadTable, n int) *Derivation {
	x := extractor{heads: heads, d: &Derivation{Spines: make([][]string, n+1), Arcs: make([]Arc, n+1)}}
	x.d.Spines[0] = RootSpine
	top := root
	if len(root.Children) == 1 && root.Label == Root {
		top = root.Children[0]
	}
	h := x.walk(top)
	x.d.Arcs[h] = Arc{Head: 0, Position: 1}
	return x.d
}

type extractor struct {
	heads *HeadTable
	d     *Derivation
}

// walk takes in a node and returns its head token.
func (x *extractor) walk(n *Node) int {
	if n.Leaf() {
		x.d.Spines[n.Token] = []string{n.Label}
		return n.Token
	}
	k := x.heads.Find(n)
	h := x.walk(n.Children[k])
	regular := false // this node is a copy of the one below
	if s := x.d.Spines[h]; len(s) > 1 && s[len(s)-1] == n.Label {
		regular = true
	} else {
		x.d.Spines[h] = append(s, n.Label)
	}
	position := len(x.d.Spines[h]) - 1
	left, right := slices.Clone(n.Children[:k]), n.Children[k+1:]
	slices.Reverse(left)
	for _, side := range [][]*Node{left, right} {
		for i, c := range side {
			m := x.walk(c)
			x.d.Arcs[m] = Arc{Head: int32(h), Position: position, Regular: regular && i == 0}
		}
	}
	return h
}

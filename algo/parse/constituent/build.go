package constituent

import "slices"

// Build returns the clean tree of a derivation.
//
// Each position of a spine has as many copies, above the first, as there are regular adjunctions on the side with more
// of them: copies of both sides are the same as far as they go, which gives the flattest tree.
func (d *Derivation) Build() *Node {
	b := builder{d: d, modifiers: make([][2][]int, d.Len()+1)}
	d.Modifiers(func(h, side int, list []int) { b.modifiers[h][side] = list })
	top := b.node(b.modifiers[0][1][0])
	if !top.Leaf() && top.Label == Root {
		return top
	}
	return &Node{Label: Root, Children: []*Node{top}}
}

type builder struct {
	d         *Derivation
	modifiers [][2][]int
}

// node is the whole phrase of token i.
func (b *builder) node(i int) *Node {
	spine := b.d.Spines[i]
	out := &Node{Label: spine[0], Token: i}
	var at [2]int // modifiers that are placed
	for p := 1; p < len(spine); p++ {
		for level := 0; ; level++ {
			left, right := b.take(i, 0, p, level, &at[0]), b.take(i, 1, p, level, &at[1])
			if level > 0 && len(left)+len(right) == 0 {
				break
			}
			slices.Reverse(left)
			children := append(left, out)
			out = &Node{Label: spine[p], Children: append(children, right...)}
		}
	}
	return out
}

// take returns the phrases of the modifiers of a copy of position p on a side, the closest first. Those of the first
// copy, level 0, end before a regular adjunction; those of others begin with one and end before the next.
func (b *builder) take(i, side, p, level int, at *int) (out []*Node) {
	list := b.modifiers[i][side]
	for from := *at; *at < len(list); *at++ {
		a := b.d.Arcs[list[*at]]
		if a.Position != p || a.Regular && (level == 0 || *at > from) {
			break
		}
		out = append(out, b.node(list[*at]))
	}
	return out
}

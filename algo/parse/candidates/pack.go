package candidates

import "parlance/algo/parse/constituent"

// Labels numbers labels of nodes.
type Labels struct {
	numbers map[string]uint16
	Names   []string
}

// number is that of a label; there are at most 65,535.
func (l *Labels) number(label string) (uint16, bool) {
	n, ok := l.numbers[label]
	if !ok {
		if len(l.Names) > 65535 {
			return 0, false
		}
		if l.numbers == nil {
			l.numbers = map[string]uint16{}
		}
		n = uint16(len(l.Names))
		l.numbers[label] = n
		l.Names = append(l.Names, label)
	}
	return n, true
}

// Packed is a tree in few bytes: of each node from the top down its label, and how many children it has, 0 for a token.
type Packed []uint16

// Pack packs a tree over tokens 1, 2, …; false if it has too many labels or children.
func (l *Labels) Pack(n *constituent.Node) (Packed, bool) {
	var out Packed
	var walk func(n *constituent.Node) bool
	walk = func(n *constituent.Node) bool {
		k, ok := l.number(n.Label)
		if !ok || len(n.Children) > 65535 {
			return false
		}
		out = append(out, k, uint16(len(n.Children)))
		for _, c := range n.Children {
			if !walk(c) {
				return false
			}
		}
		return true
	}
	return out, walk(n)
}

// Unpack is the tree.
func (l *Labels) Unpack(p Packed) *constituent.Node {
	at, token := 0, 0
	var walk func() *constituent.Node
	walk = func() *constituent.Node {
		n := &constituent.Node{Label: l.Names[p[at]]}
		k := int(p[at+1])
		if at += 2; k == 0 {
			token++
			n.Token = token
			return n
		}
		n.Children = make([]*constituent.Node, k)
		for i := range n.Children {
			n.Children[i] = walk()
		}
		return n
	}
	return walk()
}

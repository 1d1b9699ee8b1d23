package constituent

import (
	"slices"
	"strings"
)

// Symbol is a label with the context that a grammar tells symbols apart by.
type Symbol struct {
	Label   string `state:"labels"`  // of the phrase, or tag
	Parent  string `state:"parents"` // label above, "" where it does not count
	Before  string `state:"before"`  // of what is partial: labels of the children before, the nearest last
	Partial bool   `state:"partial"` // the rest of a phrase, from some child on
}

// String writes a symbol: NP^S, and @NP^S[DT JJ] for what comes after these children.
func (s Symbol) String() string {
	out := s.Label
	if s.Parent != "" {
		out += "^" + s.Parent
	}
	if s.Partial {
		out = "@" + out + "[" + s.Before + "]"
	}
	return out
}

// Binary is a node with one child, Left, or two; or a token without.
type Binary struct {
	Symbol
	Token       int
	Left, Right *Binary
}

// Markov says what context symbols have.
type Markov struct {
	Vertical   int  // labels of a phrase and above: 1 is its own, 2 its parent's as well
	Horizontal int  // children before that partial symbols know
	TagParents bool // tags know their parent where phrases do
}

// Binarize returns the tree with two children at most, from left to right: NP of DT JJ NN is DT and @NP[DT], which is
// JJ and NN.
func (m Markov) Binarize(root *Node) *Binary { return m.binarize(root, "") }

func (m Markov) binarize(n *Node, parent string) *Binary {
	s := Symbol{Label: n.Label}
	if m.Vertical > 1 && (m.TagParents || !n.Leaf()) {
		s.Parent = parent
	}
	out := &Binary{Symbol: s, Token: n.Token}
	if n.Leaf() {
		return out
	}
	at := out
	for i, c := range n.Children {
		child := m.binarize(c, n.Label)
		switch {
		case i == len(n.Children)-1 && at.Left == nil:
			at.Left = child
		case i == len(n.Children)-1:
			at.Right = child
		case i == len(n.Children)-2:
			at.Left = child
		default:
			at.Left = child
			at.Right = &Binary{Symbol: Symbol{Label: s.Label, Parent: s.Parent, Partial: true,
				Before: m.before(n.Children[:i+1])}}
			at = at.Right
		}
	}
	return out
}

// before is the context of a partial symbol after some children.
func (m Markov) before(children []*Node) string {
	var labels []string
	for _, c := range children[max(0, len(children)-m.Horizontal):] {
		labels = append(labels, c.Label)
	}
	return strings.Join(labels, " ")
}

// Tree undoes Binarize.
func (b *Binary) Tree() *Node {
	out := &Node{Label: b.Label, Token: b.Token}
	for at := b; at != nil && at.Left != nil; {
		out.Children = append(out.Children, at.Left.Tree())
		if at.Right == nil {
			break
		}
		if !at.Right.Partial {
			out.Children = append(out.Children, at.Right.Tree())
			break
		}
		at = at.Right
	}
	out.Children = slices.Clip(out.Children)
	return out
}

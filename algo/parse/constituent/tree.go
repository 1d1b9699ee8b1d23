package constituent

import (
	"fmt"
	"strings"
)

// Root is the label of the root of a clean tree.
const Root = "TOP"

// Node is a phrase with children, or a leaf.
type Node struct {
	Label    string
	Token    int // of a leaf, from 1; 0 for a phrase
	Children []*Node
}

// Leaf tells whether the node is a token.
func (n *Node) Leaf() bool { return n.Token > 0 }

// Span returns the first and the last token below a node that is not empty.
func (n *Node) Span() (first, last int) {
	a, z := n, n
	for !a.Leaf() {
		a = a.Children[0]
	}
	for !z.Leaf() {
		z = z.Children[len(z.Children)-1]
	}
	return a.Token, z.Token
}

// Leaves appends the leaves below a node from left to right.
func (n *Node) Leaves(dst []*Node) []*Node {
	if n.Leaf() {
		return append(dst, n)
	}
	for _, c := range n.Children {
		dst = c.Leaves(dst)
	}
	return dst
}

// Equal tells whether two trees have the same nodes. Both may be nil.
func Equal(a, b *Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Label != b.Label || a.Token != b.Token || len(a.Children) != len(b.Children) {
		return false
	}
	for i, c := range a.Children {
		if !Equal(c, b.Children[i]) {
			return false
		}
	}
	return true
}

// Text writes the tree in brackets, with the words of its tokens, words[0] being that of token 1; tokens without a word
// are written as numbers.
func (n *Node) Text(words []string) string {
	var b strings.Builder
	n.write(&b, words)
	return b.String()
}

func (n *Node) String() string { return n.Text(nil) }

func (n *Node) write(b *strings.Builder, words []string) {
	if n.Leaf() {
		if n.Token <= len(words) {
			fmt.Fprintf(b, "(%s %s)", n.Label, words[n.Token-1])
		} else {
			fmt.Fprintf(b, "(%s %d)", n.Label, n.Token)
		}
		return
	}
	b.WriteString("(" + n.Label)
	for _, c := range n.Children {
		b.WriteByte(' ')
		c.write(b, words)
	}
	b.WriteByte(')')
}

// Parse reads one tree in brackets, (S (NP (NNP John)) (VP (VBD ate))), and its words.
func Parse(written string) (*Node, []string, error) {
	p := bracketReader{fields: strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(written))}
	n, err := p.node()
	if err == nil && len(p.fields) > 0 {
		err = fmt.Errorf("%q follows the tree", p.fields[0])
	}
	if err != nil {
		return nil, nil, err
	}
	return n, p.words, nil
}

// bracketReader has the rest of the text and the words so far.
type bracketReader struct {
	fields []string
	words  []string
}

// next takes a field, "" at the end.
func (p *bracketReader) next() string {
	if len(p.fields) == 0 {
		return ""
	}
	f := p.fields[0]
	p.fields = p.fields[1:]
	return f
}

func (p *bracketReader) node() (*Node, error) {
	if f := p.next(); f != "(" {
		return nil, fmt.Errorf("a bracket is wanted, not %q", f)
	}
	n := &Node{}
	if len(p.fields) > 0 && p.fields[0] != "(" && p.fields[0] != ")" {
		n.Label = p.next()
	}
	for len(p.fields) > 0 && p.fields[0] == "(" {
		c, err := p.node()
		if err != nil {
			return nil, err
		}
		n.Children = append(n.Children, c)
	}
	f := p.next()
	if f != ")" && f != "" && len(n.Children) == 0 {
		p.words = append(p.words, f)
		n.Token = len(p.words)
		f = p.next()
	}
	switch {
	case f != ")":
		return nil, fmt.Errorf("the bracket (%s is not closed", n.Label)
	case !n.Leaf() && len(n.Children) == 0:
		return nil, fmt.Errorf("the bracket (%s) is empty", n.Label)
	}
	return n, nil
}

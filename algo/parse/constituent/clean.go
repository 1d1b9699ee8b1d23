package constituent

import (
	"slices"
	"strings"
)

// Trace is the tag of tokens that stand for nothing.
const Trace = "-NONE-"

// rootNames are labels of roots in treebanks.
var rootNames = []string{Root, "ROOT", "S1", "VROOT", ""}

// IsRoot tells whether a label is one that treebanks give to roots.
func IsRoot(label string) bool { return slices.Contains(rootNames, label) }

// Category is a label without functions and indices: NP of NP-SBJ-1. Labels that begin with - or = stay.
func Category(label string) string {
	if i := strings.IndexAny(label, "-="); i > 0 {
		return label[:i]
	}
	return label
}

// Clean returns a tree as parsers learn it: labels of phrases are categories, phrases over nothing are gone, a phrase
// that is the only child of one with the same label is one with it, and the root is Root. It is nil for a tree without
// tokens. n stays as it is.
func Clean(n *Node) *Node {
	n = clean(n)
	if n == nil {
		return nil
	}
	for !n.Leaf() && len(n.Children) == 1 && IsRoot(n.Label) && !n.Children[0].Leaf() && IsRoot(n.Children[0].Label) {
		n = n.Children[0]
	}
	if !n.Leaf() && IsRoot(n.Label) {
		n.Label = Root
		return n
	}
	return &Node{Label: Root, Children: []*Node{n}}
}

func clean(n *Node) *Node {
	if n == nil {
		return nil
	}
	if n.Leaf() {
		if n.Label == Trace {
			return nil
		}
		return &Node{Label: n.Label, Token: n.Token}
	}
	out := &Node{Label: Category(n.Label)}
	for _, c := range n.Children {
		if c = clean(c); c != nil {
			out.Children = append(out.Children, c)
		}
	}
	switch {
	case len(out.Children) == 0:
		return nil
	case len(out.Children) == 1 && !out.Children[0].Leaf() && out.Children[0].Label == out.Label:
		return out.Children[0]
	}
	return out
}

// RootLabel is the label that a tree has as a root, "" for one without.
func RootLabel(n *Node) string {
	if n == nil || n.Leaf() || !IsRoot(n.Label) {
		return ""
	}
	return n.Label
}

// MostFrequent is the key with the highest count, the first one of several, "" of none.
func MostFrequent(counts map[string]int) string {
	best, most := "", 0
	for k, n := range counts {
		if n > most || n == most && k < best {
			best, most = k, n
		}
	}
	return best
}

// Flat is the tree of n tokens without phrases but the root; tags[0] is that of token 1.
func Flat(tags []string) *Node {
	out := &Node{Label: Root}
	for i, t := range tags {
		out.Children = append(out.Children, &Node{Label: t, Token: i + 1})
	}
	return out
}

package constituent

import "slices"

// Bracket is a phrase as PARSEVAL sees it.
type Bracket struct {
	Label       string
	First, Last int // tokens that are no punctuation, from 0, half-open
}

// deletedTags and roots are what evalb does not count, with COLLINS.prm.
var deletedTags = []string{",", ":", "``", "''", ".", Trace}

// Brackets are the phrases of a clean tree but its root, without those over punctuation alone; PRT is ADVP. They are
// the brackets that evalb counts.
func Brackets(root *Node) []Bracket {
	var out []Bracket
	at := 0
	var walk func(n *Node)
	walk = func(n *Node) {
		if n.Leaf() {
			if !slices.Contains(deletedTags, n.Label) {
				at++
			}
			return
		}
		from := at
		for _, c := range n.Children {
			walk(c)
		}
		if at == from || IsRoot(n.Label) {
			return
		}
		label := Category(n.Label)
		if label == "PRT" {
			label = "ADVP"
		}
		out = append(out, Bracket{label, from, at})
	}
	if root != nil {
		walk(root)
	}
	return out
}

// Common is how many brackets two trees share, each as often as it stands in both.
func Common(a, b []Bracket) int {
	n, common := map[Bracket]int{}, 0
	for _, x := range a {
		n[x]++
	}
	for _, x := range b {
		if n[x] > 0 {
			n[x]--
			common++
		}
	}
	return common
}

package layers

import (
	"fmt"
	"maps"
	"slices"

	"parlance/algo/text"
)

// Tree gathers the constituents of a document. Nodes are opened before their tokens and
// closed after them.
type Tree struct {
	sent, node, parent []int32
	label              []string
	first, last        []int32 // tokens, 1-based within the sentence
	begin              int     // first row of the sentence
	number             int32   // of the sentence
	Open               []int   // rows of open nodes
}

// Sentence begins a sentence. Nodes of the one before must be closed.
func (t *Tree) Sentence(number int) {
	t.begin, t.number, t.Open = len(t.sent), int32(number), t.Open[:0]
}

// Push opens a node whose first token is the one given.
func (t *Tree) Push(label string, next int) {
	parent := int32(0)
	if n := len(t.Open); n > 0 {
		parent = t.node[t.Open[n-1]]
	}
	t.Open = append(t.Open, len(t.sent))
	t.sent, t.node, t.parent = append(t.sent, t.number), append(t.node, int32(len(t.sent)-t.begin+1)),
		append(t.parent, parent)
	t.label, t.first, t.last = append(t.label, label), append(t.first, int32(next)), append(t.last, 0)
}

// Pop closes the innermost node before the token given. A node without tokens disappears: its
// rows are the last ones.
func (t *Tree) Pop(next int) {
	row := t.Open[len(t.Open)-1]
	t.Open = t.Open[:len(t.Open)-1]
	if t.last[row] = int32(next) - 1; t.last[row] < t.first[row] {
		t.sent, t.node, t.parent = t.sent[:row], t.node[:row], t.parent[:row]
		t.label, t.first, t.last = t.label[:row], t.first[:row], t.last[:row]
	}
}

// Set gives the document its constituents, if there are any.
func (t *Tree) Set(d *text.Document, toks *text.Layer) {
	if len(t.sent) == 0 {
		return
	}
	l := text.NewLayer(text.Constituents)
	l.N = len(t.sent)
	a, z := TokenSpans(d, toks, t.sent, t.first, t.last)
	for c, v := range map[string][]int32{"sent": t.sent, "node": t.node, "parent": t.parent, "char_start": a,
		"char_end": z, "tok_start": t.first, "tok_end": t.last} {
		l.SetInts(c, v)
	}
	l.SetStrs("label", t.label)
	d.SetLayer(l)
}

// TokenSpans is the offsets of ranges of tokens.
func TokenSpans(d *text.Document, toks *text.Layer, sent, first, last []int32) (start, end []int32) {
	bounds := d.SentenceTokens()
	start, end = make([]int32, len(sent)), make([]int32, len(sent))
	for i, s := range sent {
		start[i] = toks.Cols[2].Ints[bounds[s-1]+first[i]-1]
		end[i] = toks.Cols[3].Ints[bounds[s-1]+last[i]-1]
	}
	return start, end
}

// Node is a node as it is written: at the tokens from First to Last of its sentence.
type Node struct {
	Label       string
	First, Last int32
	parent      int32
}

// Trees is the nodes of each sentence in preorder. Nodes that are no tree over the tokens are
// an error.
func Trees(d *text.Document) (map[int32][]Node, error) {
	l := d.Layer("constituents")
	if l == nil || l.N == 0 {
		return nil, nil
	}
	sent, first, last := l.Ints("sent"), l.Ints("tok_start"), l.Ints("tok_end")
	if sent == nil || first == nil || last == nil || l.Ints("parent") == nil {
		return nil, fmt.Errorf("document %s: its constituents name no tokens", d.ID)
	}
	bounds := d.SentenceTokens()
	out := map[int32][]Node{}
	for i := range l.N {
		n := Node{First: first[i], Last: last[i], parent: l.Ints("parent")[i]}
		if v := l.Strs("label"); v != nil {
			n.Label = v[i]
		}
		s := sent[i]
		if s < 1 || int(s) >= len(bounds) || n.First < 1 || n.Last < n.First || n.Last > bounds[s]-bounds[s-1] {
			return nil, fmt.Errorf("document %s: constituent %d of sentence %d covers no tokens", d.ID, len(out[s])+1, s)
		}
		out[s] = append(out[s], n)
	}
	for _, s := range slices.Sorted(maps.Keys(out)) {
		if bad := crossing(out[s]); bad > 0 {
			return nil, fmt.Errorf(
				"document %s: constituent %d of sentence %d does not lie within its parent, or stands before it", d.ID, bad, s)
		}
	}
	return out, nil
}

// crossing is the first node, from 1, that breaks the preorder of a tree, or 0.
func crossing(nodes []Node) int {
	var open []int32 // numbers of open nodes
	at := int32(1)   // tokens before it are passed
	for i, n := range nodes {
		for len(open) > 0 && open[len(open)-1] != n.parent {
			at = max(at, nodes[open[len(open)-1]-1].Last+1)
			open = open[:len(open)-1]
		}
		if len(open) == 0 && n.parent != 0 || n.First < at || len(open) > 0 && n.Last > nodes[n.parent-1].Last {
			return i + 1
		}
		at = n.First
		open = append(open, int32(i+1))
	}
	return 0
}

// Walk calls the functions in the order in which a tree of n tokens is written.
func Walk(nodes []Node, n int32, push func(label string), token func(tok int32), pop func()) {
	var open []Node
	next := 0
	for tok := int32(1); tok <= n; tok++ {
		for next < len(nodes) && nodes[next].First == tok {
			push(nodes[next].Label)
			open = append(open, nodes[next])
			next++
		}
		token(tok)
		for len(open) > 0 && open[len(open)-1].Last == tok {
			pop()
			open = open[:len(open)-1]
		}
	}
}

// DocLine begins a comment with the id of a document.
const DocLine = "# doc = "

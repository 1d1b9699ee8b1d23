package srl

import (
	"slices"

	"parlance/algo/parse/frame"
	"parlance/algo/text"
	"parlance/algo/text/treebank"
)

// extents are the tokens of arguments.
type extents struct {
	how   string
	heads map[int][]int32    // by sentence
	nodes map[int][][2]int   // by sentence: constituents, larger ones before those in them
	below map[int][][2]int32 // by sentence and token: first and last token at or below it
}

// spansOf prepares a document.
func (m *model) spansOf(d, view *text.Document) *extents {
	how := m.opt.spans
	if how == "learned" {
		how = "head"
		if m.wide {
			how = "subtree"
		}
	}
	x := &extents{how: how, heads: map[int][]int32{}, nodes: map[int][][2]int{}, below: map[int][][2]int32{}}
	if x.how == "head" {
		return x
	}
	for s := range treebank.Sentences(view) {
		x.heads[s.Number] = slices.Clone(s.Heads)
	}
	if l := d.Layer(text.Constituents.Name); x.how == "constituent" && l != nil && l.Ints("sent") != nil {
		sent, first, last := l.Ints("sent"), l.Ints("tok_start"), l.Ints("tok_end")
		for i := range l.N {
			if l.Rank == nil || l.Rank[i] == 1 {
				x.nodes[int(sent[i])] = append(x.nodes[int(sent[i])], [2]int{int(first[i]), int(last[i])})
			}
		}
	}
	return x
}

// of is the first and last token of the argument of a predicate with a head.
func (x *extents) of(s, predicate, head int) (first, last int) {
	heads := x.heads[s]
	first, last = head, head
	switch x.how {
	case "subtree":
		if head == predicate {
			return head, head
		}
		for t := head - 1; t > 0 && under(heads, t, head, predicate); t-- {
			first = t
		}
		for t := head + 1; t < len(heads) && under(heads, t, head, predicate); t++ {
			last = t
		}
	case "constituent":
		for _, n := range x.nodes[s] {
			if holds := n[0] <= predicate && predicate <= n[1]; n[0] <= head && head <= n[1] && !holds &&
				n[1]-n[0] > last-first && n[1] < len(heads) && frame.Head(heads, n[0], n[1]) == head {
				first, last = n[0], n[1]
			}
		}
	}
	return first, last
}

// under tells whether a token is at or below a head, on a way that does not pass the predicate.
func under(heads []int32, t, head, predicate int) bool {
	for range heads {
		switch {
		case t == head:
			return true
		case t == predicate || t <= 0 || t >= len(heads):
			return false
		}
		t = int(heads[t])
	}
	return false
}

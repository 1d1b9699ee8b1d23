// Package gazetteer matches phrases on tokens and looks words up in lexicons.
package gazetteer

import (
	"sort"

	"parlance/algo/text"
)

// Entry is a phrase cut into tokens, with its labels.
type Entry struct {
	Tokens []string
	Labels []string
}

// Options say how tokens are compared.
type Options struct {
	Case string // exact or lower
}

// Trie holds phrases over interned tokens. It never changes and is safe for concurrent use.
//
// Nodes are numbered from 0, the root. The edges of all nodes lie in one map from
// (node, token) to node, so that a step costs one look-up. Tokens of scripts without blanks
// between words, such as Chinese, take a step a character: a phrase of them matches any
// tokens that spell it.
type Trie struct {
	lower  bool
	tokens map[string]uint32
	edges  map[uint64]uint32
	ends   [][]string // labels of the phrase that ends in a node; nil if none does
}

// New builds a trie. A phrase given several times has all the labels given with it, in
// alphabetical order; a phrase without labels ends with an empty list.
func New(o Options, entries []Entry) *Trie {
	t := &Trie{lower: o.Case == "lower", tokens: map[string]uint32{}, edges: map[uint64]uint32{},
		ends: make([][]string, 1)}
	for _, e := range entries {
		t.add(e)
	}
	for i, labels := range t.ends {
		if len(labels) > 1 {
			t.ends[i] = unique(labels)
		}
	}
	return t
}

func (t *Trie) add(e Entry) {
	if len(e.Tokens) == 0 {
		return
	}
	node := uint32(0)
	for _, tok := range e.Tokens {
		if t.lower {
			tok = text.Fold(tok)
		}
		if !unspaced(tok) {
			node = t.grow(node, tok)
			continue
		}
		for tok != "" {
			c := character(tok)
			node, tok = t.grow(node, c), tok[len(c):]
		}
	}
	if t.ends[node] == nil {
		t.ends[node] = []string{}
	}
	t.ends[node] = append(t.ends[node], e.Labels...)
}

// grow follows the edge of a token or character and makes it where there is none.
func (t *Trie) grow(node uint32, tok string) uint32 {
	key := uint64(node)<<32 | uint64(t.intern(tok))
	next, ok := t.edges[key]
	if !ok {
		next = uint32(len(t.ends))
		t.ends = append(t.ends, nil)
		t.edges[key] = next
	}
	return next
}

func (t *Trie) intern(tok string) uint32 {
	id, ok := t.tokens[tok]
	if !ok {
		id = uint32(len(t.tokens))
		t.tokens[tok] = id
	}
	return id
}

func unique(labels []string) []string {
	sort.Strings(labels)
	out := labels[:1]
	for _, l := range labels[1:] {
		if l != out[len(out)-1] {
			out = append(out, l)
		}
	}
	return out
}

// Match returns the longest phrase that starts at forms[i]: its length in tokens, 0 if none
// does, and its labels. The labels must not be changed.
func (t *Trie) Match(forms []string, i int) (n int, labels []string) {
	t.Each(forms, i, func(k int, l []string) { n, labels = k, l })
	return n, labels
}

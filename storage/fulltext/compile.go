package fulltext

import (
	"context"
	"strings"
	"unicode"
)

// Leaf is a term of a compiled query, or all terms with a prefix.
type Leaf struct {
	Text     string
	Prefix   bool
	Excluded bool // it only excludes and takes no part in scores
}

// Search is a query whose words are terms. It may be used by several goroutines.
type Search struct {
	Leaves []Leaf // distinct, in the order of the query
	root   *node
	whole  map[string]int // leaves that are terms, by their text
	starts []int          // leaves that are prefixes
}

// node is a node of a compiled query.
type node struct {
	kind   syntaxKind // word for every leaf
	leaf   int
	terms  []int // leaves of a phrase, in order
	inputs []*node
}

// Compile cuts the words of a query into terms: cut gives the tokens of a text in order, fold
// makes a term of a token, begin one of a prefix. A word of several tokens is a phrase; punctuation at the ends of a
// word that is not quoted is left out. Errors are *SyntaxError, or those of cut.
func (q *Query) Compile(cut func(string) ([]string, error), fold, begin func(string) string) (*Search, error) {
	c := &compiler{q: q, cut: cut, fold: fold, begin: begin, index: map[Leaf]int{}, s: &Search{}}
	root, err := c.node(q.root, false)
	if err != nil {
		return nil, err
	}
	c.s.root, c.s.whole = root, make(map[string]int, len(c.s.Leaves))
	for k, l := range c.s.Leaves {
		if l.Prefix {
			c.s.starts = append(c.s.starts, k)
		} else {
			c.s.whole[l.Text] = k
		}
	}
	return c.s, nil
}

type compiler struct {
	q     *Query
	cut   func(string) ([]string, error)
	fold  func(string) string
	begin func(string) string
	index map[Leaf]int // without Excluded
	s     *Search
}

func (c *compiler) leaf(text string, prefix, excluded bool) int {
	key := Leaf{Text: text, Prefix: prefix}
	i, ok := c.index[key]
	if !ok {
		i = len(c.s.Leaves)
		c.index[key] = i
		c.s.Leaves = append(c.s.Leaves, Leaf{text, prefix, excluded})
	}
	c.s.Leaves[i].Excluded = c.s.Leaves[i].Excluded && excluded
	return i
}

func (c *compiler) node(x *syntax, excluded bool) (*node, error) {
	switch x.kind {
	case word, phrase:
		return c.sequence(x, excluded)
	case prefix:
		tokens, err := c.cut(x.text)
		if err != nil {
			return nil, err
		}
		if len(tokens) != 1 {
			return nil, fault(c.q.source, x.at, `write "a phrase" and a prefix apart`, "the prefix %s* is %d tokens, not one",
				x.text, len(tokens))
		}
		return &node{kind: word, leaf: c.leaf(c.begin(tokens[0]), true, excluded)}, nil
	}
	n := &node{kind: x.kind}
	for _, in := range x.inputs {
		k, err := c.node(in, excluded != (x.kind == without))
		if err != nil {
			return nil, err
		}
		n.inputs = append(n.inputs, k)
	}
	return n, nil
}

// sequence makes a term or a phrase of a text.
func (c *compiler) sequence(x *syntax, excluded bool) (*node, error) {
	tokens, err := c.cut(x.text)
	if err != nil {
		return nil, err
	}
	if x.kind == word {
		tokens = trimPunctuation(tokens)
	}
	if len(tokens) == 0 {
		return nil, fault(c.q.source, x.at, "", "%q holds no token", x.text)
	}
	if len(c.s.Leaves)+len(tokens) > maxWords {
		return nil, fault(c.q.source, x.at, "", "more than %d words", maxWords)
	}
	n := &node{kind: word}
	for _, t := range tokens {
		n.terms = append(n.terms, c.leaf(c.fold(t), false, excluded))
	}
	if n.leaf = n.terms[0]; len(n.terms) > 1 {
		n.kind = phrase
	}
	return n, nil
}

// trimPunctuation drops tokens of punctuation at both ends, if others remain.
func trimPunctuation(tokens []string) []string {
	isMark := func(t string) bool { return strings.IndexFunc(t, func(r rune) bool { return !unicode.IsPunct(r) }) < 0 }
	from, to := 0, len(tokens)
	for from < to && isMark(tokens[from]) {
		from++
	}
	for to > from && isMark(tokens[to-1]) {
		to--
	}
	if from == to {
		return tokens
	}
	return tokens[from:to]
}

// Match reports whether the terms of a unit, in order, are what is searched; it ends with its context.
func (s *Search) Match(ctx context.Context, terms []string) (bool, error) {
	at := make([][]int32, len(s.Leaves))
	add := func(k, i int) { at[k] = append(at[k], int32(i)) }
	for i, t := range terms {
		if i%4096 == 4095 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		if k, ok := s.whole[t]; ok {
			add(k, i)
		}
		for n, k := range s.starts {
			if n%4096 == 4095 && ctx.Err() != nil {
				return false, ctx.Err()
			}
			if strings.HasPrefix(t, s.Leaves[k].Text) {
				add(k, i)
			}
		}
	}
	return s.root.match(at), nil
}

func (n *node) match(at [][]int32) bool {
	switch n.kind {
	case phrase:
		lists := make([][]int32, len(n.terms))
		for i, l := range n.terms {
			lists[i] = at[l]
		}
		return follows(lists)
	case both:
		for _, in := range n.inputs {
			if !in.match(at) {
				return false
			}
		}
		return true
	case either:
		for _, in := range n.inputs {
			if in.match(at) {
				return true
			}
		}
		return false
	case without:
		return !n.inputs[0].match(at)
	}
	return len(at[n.leaf]) > 0
}

// follows reports whether there is a position p with p+i in list i for every i. Lists ascend.
func follows(lists [][]int32) bool {
	next := make([]int, len(lists))
	for _, p := range lists[0] {
		ok := true
		for i := 1; i < len(lists) && ok; i++ {
			want, k := p+int32(i), next[i]
			for k < len(lists[i]) && lists[i][k] < want {
				k++
			}
			if next[i] = k; k == len(lists[i]) {
				return false
			}
			ok = lists[i][k] == want
		}
		if ok {
			return true
		}
	}
	return false
}

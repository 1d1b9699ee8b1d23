package srl

import "parlance/algo/text/treebank"

// tree is a sentence with the children of its tokens.
type tree struct {
	from     int // row of token 1, less one
	heads    []int32
	children [][]int32 // by token, from 0 for the root
	seen     []bool
	list     []int32
}

// read takes a sentence; heads that are no tokens count as missing.
func (t *tree) read(s *treebank.Sentence) {
	n := s.Len()
	t.from = s.From - 1
	t.heads = append(t.heads[:0], s.Heads...)
	for len(t.children) <= n {
		t.children = append(t.children, nil)
	}
	t.children = t.children[:n+1]
	for i := range t.children {
		t.children[i] = t.children[i][:0]
	}
	for i := 1; i <= n; i++ {
		h := t.heads[i]
		if h < 0 || int(h) > n || int(h) == i {
			t.heads[i] = treebank.Missing
			continue
		}
		t.children[h] = append(t.children[h], int32(i))
	}
}

// candidates are the tokens that may be arguments of p, each once: p and what the walk meets in its order.
func (t *tree) candidates(o *options, p int) []int32 {
	n := len(t.heads)
	if len(t.seen) < n {
		t.seen = make([]bool, n)
	}
	clear(t.seen)
	t.list = t.list[:0]
	add := func(i int32) {
		if i > 0 && !t.seen[i] {
			t.seen[i] = true
			t.list = append(t.list, i)
		}
	}
	if o.candidates == "all" {
		for i := 1; i < n; i++ {
			add(int32(i))
		}
		return t.list
	}
	add(int32(p))
	cur, ups := int32(p), 0
	for {
		for _, c := range t.children[cur] {
			add(c)
		}
		if cur == int32(p) && o.candidates == "walk_grandchildren" {
			for _, c := range t.children[cur] {
				for _, g := range t.children[c] {
					add(g)
				}
			}
		}
		next := t.heads[cur]
		if o.candidates == "children" || next <= 0 || o.maxUp > 0 && ups >= o.maxUp || ups > n {
			return t.list
		}
		add(next)
		cur = next
		ups++
	}
}

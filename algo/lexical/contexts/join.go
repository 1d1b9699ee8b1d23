package contexts

import (
	"strings"

	"parlance/algo/text/treebank"
)

// join makes one word of each token and those that hang on it, step by step, by a relation of the option join and stand
// beside it without a gap. The word has the tag of that token, the others make no contexts of their own, and what hangs
// on them hangs on the word.
func (b *batch) join(s *treebank.Sentence) {
	n := len(s.Heads)
	b.part = b.part[:0]
	for m := range n {
		b.part = append(b.part, m)
	}
	if len(b.m.opt.join) == 0 {
		return
	}
	for m := 1; m < n; m++ {
		if b.joins(s, m) {
			continue // its top is another token
		}
		from, to := m, m+1
		for from > 1 && b.top(s, from-1) == m {
			from--
		}
		for to < n && b.top(s, to) == m {
			to++
		}
		if to-from > 1 {
			b.oneWord(s, m, from, to)
		}
	}
}

// joins tells whether a token is joined with its head.
func (b *batch) joins(s *treebank.Sentence, m int) bool {
	h := int(s.Heads[m])
	main, _, _ := strings.Cut(s.Labels[m], ":")
	return h >= 1 && h < len(s.Heads) && h != m && b.tokens[s.From+m-1].fills &&
		(contains(b.m.opt.join, main) || contains(b.m.opt.join, s.Labels[m]))
}

// top is the token that a token hangs on by joining relations alone, itself for most; 0 in a circle.
func (b *batch) top(s *treebank.Sentence, m int) int {
	for range len(s.Heads) {
		if !b.joins(s, m) {
			return m
		}
		m = int(s.Heads[m])
	}
	return 0
}

// oneWord makes the tokens [from, to) the word of token m.
func (b *batch) oneWord(s *treebank.Sentence, m, from, to int) {
	parts := make([]string, 0, to-from)
	for k := from; k < to; k++ {
		t := b.tokens[s.From+k-1]
		if !t.fills {
			return
		}
		parts = append(parts, b.words.List[t.number])
	}
	for k := from; k < to; k++ {
		b.part[k] = m
	}
	b.tokens[s.From+m-1].number = b.words.Number(strings.Join(parts, " "))
}

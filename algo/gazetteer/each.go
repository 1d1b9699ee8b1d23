package gazetteer

import "parlance/algo/text"

// Each calls f with the length in tokens and the labels of every phrase that starts at
// forms[i], the shortest first. The labels must not be changed.
func (t *Trie) Each(forms []string, i int, f func(n int, labels []string)) {
	node := uint32(0)
	for k := i; k < len(forms); k++ {
		tok := forms[k]
		if t.lower {
			tok = text.Fold(tok)
		}
		ok := false
		if unspaced(tok) {
			node, ok = t.spelled(node, tok)
		} else {
			node, ok = t.step(node, tok)
		}
		if !ok {
			return
		}
		if end := t.ends[node]; end != nil {
			f(k-i+1, end)
		}
	}
}

// step follows the edge of a token or character.
func (t *Trie) step(node uint32, tok string) (uint32, bool) {
	id, ok := t.tokens[tok]
	if !ok {
		return 0, false
	}
	node, ok = t.edges[uint64(node)<<32|uint64(id)]
	return node, ok
}

// spelled follows the edges of the characters of a token.
func (t *Trie) spelled(node uint32, tok string) (uint32, bool) {
	for tok != "" {
		c, ok := character(tok), false
		if node, ok = t.step(node, c); !ok {
			return 0, false
		}
		tok = tok[len(c):]
	}
	return node, true
}

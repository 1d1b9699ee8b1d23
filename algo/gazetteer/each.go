package gazetteer

import "strings"

// Each calls f with the length in tokens and the labels of every phrase that starts at
// forms[i], the shortest first. The labels must not be changed.
func (t *Trie) Each(forms []string, i int, f func(n int, labels []string)) {
	node := uint32(0)
	for k := i; k < len(forms); k++ {
		tok := forms[k]
		if t.lower {
			tok = strings.ToLower(tok)
		}
		id, ok := t.tokens[tok]
		if !ok {
			return
		}
		if node, ok = t.edges[uint64(node)<<32|uint64(id)]; !ok {
			return
		}
		if end := t.ends[node]; end != nil {
			f(k-i+1, end)
		}
	}
}

package extract

import (
	"parlance/algo/gazetteer"
	"parlance/algo/text"
)

// Dictionary returns the spans of tokens that are phrases of the trie, within sentences and
// consolidated. Labels are those of the phrase, in alphabetical order.
func Dictionary(d *text.Document, trie *gazetteer.Trie, policy Policy) []Span {
	toks := d.Layer("tokens")
	if toks == nil {
		return nil
	}
	forms := toks.Strs("form")
	bounds := d.SentenceTokens()
	var out []Span
	for i := 0; i+1 < len(bounds); i++ {
		var found []Span
		from, to := bounds[i], bounds[i+1]
		for at := from; at < to; at++ {
			trie.Each(forms[from:to], int(at-from), func(n int, labels []string) {
				found = append(found, Span{Range: Range{at, at + int32(n)}, Labels: labels})
			})
		}
		out = append(out, Consolidate(found, policy)...)
	}
	return out
}

package draw

import "strings"

// Relations draws arcs from subjects to objects over the words of a text, positions of words from 0.
func Relations(words []Word, list []Arc) Figure { return Arcs(words, list) }

// Relations draws arcs from subjects to objects over the words of a text; where they are wider than the screen, the
// text and a line a relation.
func (c Console) Relations(words []Word, list []Arc) string {
	if s, fits := c.flatArcs(newArcs(words, list)); fits {
		return s
	}
	forms := make([]string, len(words))
	for i, w := range words {
		forms[i] = w.Form
	}
	var b strings.Builder
	b.WriteString(c.Flow(Cut(strings.Join(forms, " "), nil), false))
	for _, a := range list {
		if min(a.Head, a.Dep) < 0 || max(a.Head, a.Dep) >= len(words) {
			continue
		}
		b.WriteString("  " + harmless(words[a.Head].Form) + c.paint(" ─ ", dimInk) + c.paint(harmless(a.Label), labelInk) +
			c.paint(" → ", dimInk) +
			harmless(words[a.Dep].Form) + "\n")
	}
	return b.String()
}

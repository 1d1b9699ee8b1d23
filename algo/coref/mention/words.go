package mention

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bare is the words of a mention in small letters, without determiners in front and a possessive ending.
func (d *Document) Bare(m *Mention) string {
	s := m.Span
	for s.Start < m.Head {
		if _, ok := words().determiners[d.Lower[s.Start]]; !ok {
			break
		}
		s.Start++
	}
	if d.endsPossessive(s) && m.Head < s.End-1 {
		s.End--
	}
	return strings.Join(d.Lower[s.Start:s.End], " ")
}

// Text is the forms of a span with blanks between them.
func (d *Document) Text(s Span) string { return strings.Join(d.Forms[s.Start:s.End], " ") }

// Modifiers are the words before the head that are no determiners, possessors or marks, in small letters, each once.
func (d *Document) Modifiers(m *Mention) (out []string) {
	for t := m.Start; t < m.Head; t++ {
		switch d.Class(t) {
		case "ADJ", "NOUN", "PROPN", "NUM", "VERB", "ADV":
			if !slices.Contains(out, d.Lower[t]) {
				out = append(out, d.Lower[t])
			}
		}
	}
	return out
}

// Names are the proper nouns of a mention in small letters, each once. Titles are none.
func (d *Document) Names(m *Mention) (out []string) {
	for t := m.Start; t < m.End; t++ {
		_, title := words().titles[d.Lower[t]]
		if d.Class(t) == "PROPN" && !title && !slices.Contains(out, d.Lower[t]) {
			out = append(out, d.Lower[t])
		}
	}
	return out
}

// Initials are the initials of the words that begin with a capital, "" of fewer than two.
func (d *Document) Initials(m *Mention) string {
	var out []rune
	for t := m.Start; t < m.End; t++ {
		r, _ := utf8.DecodeRuneInString(d.Forms[t])
		if unicode.IsUpper(r) && !(t == m.Start && d.Class(t) == "DET") {
			out = append(out, r)
		}
	}
	if len(out) < 2 {
		return ""
	}
	return string(out)
}

// Package bio turns labelled spans into one label a token and back.
package bio

import (
	"strings"

	"parlance/algo/engine/chain"
	"parlance/algo/text"
)

// Scheme is a way to write spans as labels of tokens.
type Scheme string

// The schemes: B- begins, I- continues; IOBES marks the end (E-) and single tokens (S-) too.
const (
	BIO   Scheme = "bio"
	IOBES Scheme = "iobes"
)

// Outside is the label of tokens in no span.
const Outside = "O"

// Schemes lists the names.
func Schemes() []string { return []string{string(BIO), string(IOBES)} }

// Marks are those of tokens in spans.
func (s Scheme) Marks() []string {
	if s == IOBES {
		return []string{"B", "I", "E", "S"}
	}
	return []string{"B", "I"}
}

// Encode writes the labels of n tokens of a sentence into dst. Spans come in reading order,
// tokens 1-based; a span that overlaps one before it is left out and counted.
func (s Scheme) Encode(dst []string, n int, spans []text.Span) (labels []string, overlapping int) {
	labels = dst[:0]
	for range n {
		labels = append(labels, Outside)
	}
	free := int32(1)
	for _, sp := range spans {
		if sp.First < free || int(sp.Last) > n || sp.Last < sp.First {
			overlapping++
			continue
		}
		s.write(labels[sp.First-1:sp.Last], sp.Label)
		free = sp.Last + 1
	}
	return labels, overlapping
}

func (s Scheme) write(labels []string, label string) {
	last := len(labels) - 1
	for i := range labels {
		switch {
		case s == IOBES && last == 0:
			labels[i] = "S-" + label
		case i == 0:
			labels[i] = "B-" + label
		case s == IOBES && i == last:
			labels[i] = "E-" + label
		default:
			labels[i] = "I-" + label
		}
	}
}

// Split cuts a label into its mark and what it marks: B, PER of B-PER; O of O.
func Split(label string) (mark, what string) {
	mark, what, ok := strings.Cut(label, "-")
	if !ok {
		return Outside, ""
	}
	return mark, what
}

// Decode appends the spans of a sentence's labels to dst. A label that cannot continue what
// is before it begins a span, as conlleval reads it.
func (s Scheme) Decode(dst []text.Span, sent int32, labels []string) []text.Span {
	open := false
	for i, l := range labels {
		tok := int32(i + 1)
		mark, what := Split(l)
		if mark == Outside {
			open = false
			continue
		}
		last := len(dst) - 1
		if open && (mark == "I" || mark == "E") && dst[last].Label == what {
			dst[last].Last = tok
		} else {
			dst = append(dst, text.Span{Sent: sent, First: tok, Last: tok, Label: what})
		}
		open = mark == "B" || mark == "I"
	}
	return dst
}

// Constraints forbid the transitions that the scheme rules out.
func (s Scheme) Constraints(labels []string) *chain.Constraints {
	c := chain.NewConstraints(len(labels))
	for i, l := range labels {
		mark, what := Split(l)
		if mark == "I" || mark == "E" {
			c.ForbidStart(i)
		}
		if s == IOBES && (mark == "B" || mark == "I") {
			c.ForbidEnd(i)
		}
		for k, next := range labels {
			if !s.follows(mark, what, next) {
				c.Forbid(i, k)
			}
		}
	}
	return c
}

// follows reports whether next may follow a label.
func (s Scheme) follows(mark, what, next string) bool {
	m, w := Split(next)
	inside := mark == "B" || mark == "I"
	if m == "I" || m == "E" {
		return inside && w == what
	}
	return s == BIO || !inside
}

// Continuing returns the labels that make a span of the kind longer: I- and, of IOBES, E-.
func Continuing(labels []string, what string) []uint16 {
	var out []uint16
	for i, l := range labels {
		if m, w := Split(l); w == what && (m == "I" || m == "E") {
			out = append(out, uint16(i))
		}
	}
	return out
}

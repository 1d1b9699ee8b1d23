package metrics

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"parlance/algo/text"
)

// Comparable tells why the rows of a layer in two documents cannot be compared: most layers need the same tokens,
// tokens and sentences the same characters apart from white space, layers of byte offsets alone the same text.
func Comparable(def *text.LayerDef, gold, predicted *text.Document) error {
	switch def {
	case text.Labels, text.Words:
		return nil
	case text.Tokens, text.Sentences:
		return sameCharacters(gold, predicted)
	case text.Relations:
		if gold.Text != predicted.Text {
			return fmt.Errorf("document %s: gold and prediction have different texts", gold.ID)
		}
		return nil
	}
	return sameTokens(gold, predicted)
}

// sameTokens compares the number of the tokens of each sentence, and their forms.
func sameTokens(gold, predicted *text.Document) error {
	g, p := gold.Layer(text.Tokens.Name), predicted.Layer(text.Tokens.Name)
	if g == p {
		return nil
	}
	same := g != nil && p != nil && g.N == p.N
	for _, column := range []string{"sent", "form"} {
		if !same {
			break
		}
		if column == "sent" {
			same = equal(g.Ints(column), p.Ints(column))
		} else {
			same = equal(g.Strs(column), p.Strs(column))
		}
	}
	if !same {
		return fmt.Errorf("document %s: gold and prediction have different tokens", gold.ID)
	}
	return nil
}

// equal compares columns; one that is absent says nothing.
func equal[T comparable](a, b []T) bool {
	if a == nil || b == nil {
		return true
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func sameCharacters(gold, predicted *text.Document) error {
	a, b := gold.Text, predicted.Text
	for {
		x, n := visible(a)
		y, m := visible(b)
		if x != y {
			return fmt.Errorf("document %s: gold and prediction have different texts", gold.ID)
		}
		if n == 0 {
			return nil
		}
		a, b = a[n:], b[m:]
	}
}

// visible returns the first character that is no white space and the bytes up to its end; 0 at the end of the text.
func visible(s string) (r rune, n int) {
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		n += size
		if !unicode.IsSpace(r) {
			return r, n
		}
	}
	return 0, 0
}

// places counts for each byte offset of a text the characters before it that are no white space.
func places(s string) []int32 {
	out := make([]int32, len(s)+1)
	n := int32(0)
	for i := range s {
		r, size := utf8.DecodeRuneInString(s[i:])
		for k := range size {
			out[i+k] = n
		}
		if !unicode.IsSpace(r) {
			n++
		}
	}
	out[len(s)] = n
	return out
}

package extract

import (
	"fmt"
	"regexp"
	"strings"

	"parlance/algo/text"
)

// Keyword is what a concordance looks for: words that follow each other in a sentence.
type Keyword struct {
	Column string // of tokens
	words  []word
}

// word is a whole token, or an expression for one.
type word struct {
	text string
	fold bool
	re   *regexp.Regexp
}

// NewKeyword compiles the words of a phrase. With expressions each is a regular expression
// that must match a whole token. fold ignores case.
func NewKeyword(words []string, column string, expressions, fold bool) (*Keyword, error) {
	k := &Keyword{Column: column}
	for _, w := range words {
		out := word{text: w, fold: fold}
		if expressions {
			flags := ""
			if fold {
				flags = "(?i)"
			}
			re, err := regexp.Compile(flags + "^(?:" + w + ")$")
			if err != nil {
				return nil, fmt.Errorf("keyword '%s': %s", w, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
			}
			out.re = re
		}
		k.words = append(k.words, out)
	}
	return k, nil
}

func (w *word) matches(s string) bool {
	switch {
	case w.re != nil:
		return w.re.MatchString(s)
	case w.fold:
		return strings.EqualFold(w.text, s)
	}
	return w.text == s
}

// Find returns where the words stand, overlaps included.
func (k *Keyword) Find(d *text.Document) []Range {
	toks := d.Layer("tokens")
	if toks == nil || len(k.words) == 0 {
		return nil
	}
	vals := toks.Strs(k.Column)
	if vals == nil {
		return nil
	}
	sent := toks.Cols[0].Ints
	var out []Range
next:
	for i := 0; i+len(k.words) <= toks.N; i++ {
		if sent[i] != sent[i+len(k.words)-1] {
			continue
		}
		for j := range k.words {
			if !k.words[j].matches(vals[i+j]) {
				continue next
			}
		}
		out = append(out, Range{int32(i), int32(i + len(k.words))})
	}
	return out
}

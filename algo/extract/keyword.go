package extract

import (
	"fmt"
	"regexp"
	"strings"

	"parlance/algo/text"
)

// Keyword is what a concordance looks for: words that follow each other in a sentence, in one
// of several ways to cut a phrase.
type Keyword struct {
	Column  string // of tokens
	phrases [][]word
}

// word is a whole token, or an expression for one.
type word struct {
	text string
	fold bool
	re   *regexp.Regexp
}

// NewKeyword compiles the words of phrases. With expressions each word is a regular expression
// that must match a whole token. fold ignores case.
func NewKeyword(phrases [][]string, column string, expressions, fold bool) (*Keyword, error) {
	k := &Keyword{Column: column}
	for _, phrase := range phrases {
		words := make([]word, len(phrase))
		for i, w := range phrase {
			words[i] = word{text: w, fold: fold}
			if !expressions {
				continue
			}
			flags := ""
			if fold {
				flags = "(?i)"
			}
			if _, err := regexp.Compile(w); err != nil {
				return nil, fmt.Errorf("keyword '%s': %s", w, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
			}
			re, err := regexp.Compile(flags + "^(?:" + w + ")$")
			if err != nil {
				return nil, err
			}
			words[i].re = re
		}
		if len(words) > 0 {
			k.phrases = append(k.phrases, words)
		}
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
	if toks == nil || toks.Strs(k.Column) == nil {
		return nil
	}
	vals, sent := toks.Strs(k.Column), toks.Cols[0].Ints
	var out []Range
	for i := range vals {
		for _, words := range k.phrases {
			if last := i + len(words) - 1; last < len(vals) && sent[i] == sent[last] && follow(words, vals[i:]) {
				out = append(out, Range{int32(i), int32(last + 1)})
			}
		}
	}
	return out
}

// follow reports whether values begin with the words.
func follow(words []word, vals []string) bool {
	for j := range words {
		if !words[j].matches(vals[j]) {
			return false
		}
	}
	return true
}

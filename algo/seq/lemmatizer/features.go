package lemmatizer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// extractor makes the features of words, one after the other.
type extractor struct {
	suffix, prefix int
	all, first     string // tags
	feature        []byte
	ends           []int // where the characters of the lower-case form begin
}

// each calls use with every feature of a word, which is overwritten by the next one. A feature is a name, a value, and
// the tags that it goes with: all of them, or the first.
//
//	suffix1=s|NOUN NNS   prefix2=un|VERB   case=title|PROPN   length=5|NOUN   marks=9-|NUM   tags=|NOUN NNS
func (x *extractor) each(w *word, use func(feature []byte)) {
	x.all, x.first = strings.Join(w.tags, " "), ""
	if len(w.tags) > 0 {
		x.first = w.tags[0]
	}
	x.ends = x.ends[:0]
	for i := range w.lower {
		x.ends = append(x.ends, i)
	}
	x.ends = append(x.ends, len(w.lower))
	n := len(x.ends) - 1
	x.both("tags", 0, "", use)
	x.both("case", 0, shape(w.form), use)
	for k := 1; k <= x.suffix && k <= n; k++ {
		x.both("suffix", k, w.lower[x.ends[n-k]:], use)
	}
	for k := 1; k <= x.prefix && k <= n; k++ {
		x.one("prefix", k, w.lower[:x.ends[k]], x.first, use)
	}
	x.one("length", min(n, 9), "", x.first, use)
	x.one("marks", 0, marks(w.form), x.first, use)
}

// both makes a feature with all tags, and one with the first alone where there are more.
func (x *extractor) both(name string, k int, value string, use func([]byte)) {
	x.one(name, k, value, x.all, use)
	if x.first != x.all {
		x.one(name, k, value, x.first, use)
	}
}

func (x *extractor) one(name string, k int, value, tags string, use func([]byte)) {
	x.feature = append(x.feature[:0], name...)
	if k > 0 {
		x.feature = append(x.feature, '0'+byte(k))
	}
	x.feature = append(append(append(append(x.feature, '='), value...), '|'), tags...)
	use(x.feature)
}

// shape is the case of a form: lower, title, upper (of two letters at least), mixed or none.
func shape(form string) string {
	uppers, lowers := 0, 0
	for _, r := range form {
		switch {
		case unicode.IsUpper(r):
			uppers++
		case unicode.IsLower(r):
			lowers++
		}
	}
	first, _ := utf8.DecodeRuneInString(form)
	switch {
	case uppers+lowers == 0:
		return "none"
	case uppers == 0:
		return "lower"
	case unicode.IsUpper(first) && uppers == 1:
		return "title"
	case lowers == 0:
		return "upper"
	}
	return "mixed"
}

// marks tells whether a form has digits, hyphens and apostrophes.
func marks(form string) string {
	var b []byte
	if strings.ContainsAny(form, "0123456789") {
		b = append(b, '9')
	}
	if strings.Contains(form, "-") {
		b = append(b, '-')
	}
	if strings.ContainsAny(form, "'’") {
		b = append(b, '\'')
	}
	return string(b)
}

package feature

import (
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// atomDef is an atom of the notation.
type atomDef struct {
	usage, doc string
	args       int // needed
	optional   int
	number     int    // index of the argument that is a number, -1 for none
	reads      string // column of tokens
	resource   string // gazetteer or lexicon
	document   bool   // of documents
	fixed      bool   // without offset
	history    bool   // what the model said of tokens before
	many       bool   // several values a token, each an attribute; not joined with other atoms
	window     bool   // the two arguments are the first and the last offset
	// matched writes the labels of a phrase of the gazetteer behind B and I; false: its tokens have no value.
	matched func(labels []string) (string, bool)
	// value computes the value of a form, "" for none; nil for atoms that read otherwise.
	value func(c *column, form string) string
}

func yes(b bool) string {
	if b {
		return "1"
	}
	return ""
}

func plain(reads, doc string) *atomDef {
	return &atomDef{usage: reads + "[offset]", doc: doc, number: -1, reads: reads}
}

func ofForm(usage, doc string, args, number int, value func(c *column, form string) string) *atomDef {
	return &atomDef{usage: usage, doc: doc, args: args, number: number, reads: "form", value: value}
}

func flag(name, doc string, is func(form string) bool) *atomDef {
	return ofForm(name+"[offset]", doc, 0, -1, func(_ *column, f string) string { return yes(is(f)) })
}

func ofPhrases(name, doc string, matched func(labels []string) (string, bool)) *atomDef {
	return &atomDef{usage: name + "(name)[offset]", doc: doc, args: 1, number: -1, reads: "form", resource: "gazetteer",
		matched: matched}
}

// bias is the atom that every token has.
const bias = "bias"

// atoms is the table of atoms; documentation follows from it.
var atoms = map[string]*atomDef{
	"form": ofForm("form[offset]", "the word form", 0, -1, func(_ *column, f string) string { return f }),
	"lower": ofForm("lower[offset]", "the form in lower case", 0, -1, func(_ *column, f string) string {
		return strings.ToLower(f)
	}),
	"lemma": plain("lemma", "the lemma"),
	"upos":  plain("upos", "the universal part of speech"),
	"xpos":  plain("xpos", "the language-specific part of speech"),
	"feats": plain("feats", "the morphological features"),
	"prefix": ofForm("prefix(n)[offset]", "the first n characters of a longer form", 1, 0,
		func(c *column, f string) string {
			return Affix(f, c.size, false)
		}),
	"suffix": ofForm("suffix(n)[offset]", "the last n characters of a longer form", 1, 0,
		func(c *column, f string) string {
			return Affix(f, c.size, true)
		}),
	"shape": ofForm("shape[offset]", "X for capitals, x for small letters, 9 for digits, other characters as they "+
		"are, at most 4 of a kind in a row", 0, -1, func(_ *column, f string) string { return Shape(f, 4) }),
	"short_shape": ofForm("short_shape[offset]", "the shape with runs of a kind written once", 0, -1,
		func(_ *column, f string) string { return Shape(f, 1) }),
	"length": ofForm("length[offset]", "the number of characters, 10 for more", 0, -1,
		func(_ *column, f string) string { return strconv.Itoa(min(10, utf8.RuneCountInString(f))) }),
	"is_title": flag("is_title", "a capital, then no other", isTitle),
	"is_upper": flag("is_upper", "letters, all of them capitals", isUpper),
	"is_digit": flag("is_digit", "digits only", func(f string) bool { return all(f, unicode.IsDigit) }),
	"is_punct": flag("is_punct", "punctuation and symbols only", func(f string) bool {
		return all(f, func(c rune) bool { return unicode.IsPunct(c) || unicode.IsSymbol(c) })
	}),
	"has_upper": flag("has_upper", "a capital somewhere", func(f string) bool {
		return strings.IndexFunc(f, unicode.IsUpper) >= 0
	}),
	"has_digit": flag("has_digit", "a digit somewhere", func(f string) bool {
		return strings.IndexFunc(f, unicode.IsDigit) >= 0
	}),
	"has_hyphen": flag("has_hyphen", "a hyphen somewhere", func(f string) bool { return strings.ContainsRune(f, '-') }),
	"gazetteer": ofPhrases("gazetteer", "B- or I- and the labels of the longest phrase of the gazetteer, or of the "+
		"relation of a model, that covers the token",
		func(labels []string) (string, bool) { return "-" + strings.Join(labels, "+"), true }),
	"gaz_match": ofPhrases("gaz_match", "B or I where the longest phrase of the gazetteer covers the token, whatever "+
		"its label",
		func([]string) (string, bool) { return "", true }),
	"gaz_label": ofPhrases("gaz_label", "the value of gazetteer, nothing where the phrase has no label",
		func(labels []string) (string, bool) { return "-" + strings.Join(labels, "+"), len(labels) > 0 }),
	"lexicon": {usage: "lexicon(name, column[, n])[offset]", doc: "the column of a lexicon for the form, its first n " +
		"characters; the name is that of a lexicon or, as model[@version][.relation], of a relation whose first column is " +
		"the word, such as the clusters of brown", args: 2, optional: 1, number: 2, reads: "form", resource: "lexicon"},
	"bos": {usage: "bos", doc: "the first token of a sentence; bos[-1] is the token after it", number: -1, fixed: true},
	"eos": {usage: "eos", doc: "the last token of a sentence", number: -1, fixed: true},
	"label": {usage: "label[-1] or label[-2]", doc: "the label that the model gives to a token before, start " +
		"before the first; for kinds that label from left to right", number: -1, history: true},
	"substring": {usage: "substring(n)[offset]", doc: "every n neighbouring characters of the form, each an attribute; " +
		"not joined with other atoms", args: 1, number: 0, reads: "form", many: true},
	"word_cache": {usage: "word_cache(from, to)", doc: "the forms at the offsets from to to, without their order, each " +
		"once, with <start> and <end> outside of the sentence; each an attribute; not joined with other atoms", args: 2,
		number: -1, reads: "form", fixed: true, many: true, window: true,
		value: func(_ *column, f string) string { return f }},
	bias:   {usage: bias, doc: "every token", number: -1, fixed: true},
	"word": {usage: "word", doc: "the forms of a document", number: -1, reads: "form", document: true},
	"ngram": {usage: "ngram(n)", doc: "n neighbouring forms of a document in lower case", args: 1, number: 0,
		reads: "form", document: true},
	"char_ngram": {usage: "char_ngram(n)", doc: "n neighbouring characters of a document's text in lower case, white " +
		"space as one blank", args: 1, number: 0, document: true},
}

func atomNames() []string {
	out := make([]string, 0, len(atoms))
	for n := range atoms {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}

// AtomDoc is the documentation of one atom.
type AtomDoc struct{ Usage, Doc string }

// Atoms lists the atoms by name.
func Atoms() []AtomDoc {
	var out []AtomDoc
	for _, n := range atomNames() {
		out = append(out, AtomDoc{atoms[n].usage, atoms[n].doc})
	}
	return out
}

// Affix returns the first or last n characters of a form that has more.
func Affix(form string, n int, last bool) string {
	if last {
		at := len(form)
		for range n {
			if at == 0 {
				return ""
			}
			_, w := utf8.DecodeLastRuneInString(form[:at])
			at -= w
		}
		if at == 0 {
			return ""
		}
		return form[at:]
	}
	at := 0
	for range n {
		if at == len(form) {
			return ""
		}
		_, w := utf8.DecodeRuneInString(form[at:])
		at += w
	}
	if at == len(form) {
		return ""
	}
	return form[:at]
}

// Shape maps characters to kinds, writing at most run of a kind in a row.
func Shape(form string, run int) string {
	var b strings.Builder
	var last rune
	n := 0
	for _, c := range form {
		switch {
		case unicode.IsUpper(c):
			c = 'X'
		case unicode.IsLetter(c):
			c = 'x'
		case unicode.IsDigit(c):
			c = '9'
		}
		if c == last {
			n++
		} else {
			last, n = c, 1
		}
		if n <= run {
			b.WriteRune(c)
		}
	}
	return b.String()
}

func all(f string, is func(rune) bool) bool {
	for _, c := range f {
		if !is(c) {
			return false
		}
	}
	return f != ""
}

func isTitle(f string) bool {
	c, n := utf8.DecodeRuneInString(f)
	return unicode.IsUpper(c) && strings.IndexFunc(f[n:], unicode.IsUpper) < 0
}

func isUpper(f string) bool {
	return strings.IndexFunc(f, unicode.IsUpper) >= 0 && strings.IndexFunc(f, unicode.IsLower) < 0
}

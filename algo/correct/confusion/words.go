package confusion

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

func set(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

var quantifiers = set(
	`many much few little several some any all both each every another other others such more most less
least enough no what which whose this that these those my your his her its our their one`)

// vocalic are words that begin with a vowel letter and a consonant, such as university; mute ones begin with a mute h.
var (
	vocalic = []string{"uni", "use", "usu", "uti", "eur", "one", "once", "ubiq", "ura", "ute", "ufo", "u.", "ewe", "euph",
		"eul"}
	notVocalic = []string{"unim", "unin", "unid", "unint", "unil"}
	mute       = []string{"hour", "honest", "honour", "honor", "heir"}
	spelled    = set("f h l m n r s x a e i o")
)

// Article is a or an, as the next word is spoken.
func Article(next string) string {
	w := strings.ToLower(next)
	if w == "" {
		return "a"
	}
	if strings.HasPrefix(w, "8") || w == "11" || w == "18" || strings.HasPrefix(w, "11-") || strings.HasPrefix(w, "18-") {
		return "an"
	}
	for _, p := range mute {
		if strings.HasPrefix(w, p) {
			return "an"
		}
	}
	first, n := utf8.DecodeRuneInString(w)
	if n == len(w) || capitals(next) || n < len(w) && w[n] == '-' {
		if spelled[string(first)] {
			return "an"
		}
		return "a"
	}
	if !strings.ContainsRune("aeiou", first) {
		return "a"
	}
	for _, p := range notVocalic {
		if strings.HasPrefix(w, p) {
			return "an"
		}
	}
	for _, p := range vocalic {
		if strings.HasPrefix(w, p) {
			return "a"
		}
	}
	return "an"
}

// capitals tells whether a word is an abbreviation that is spelled out, such as MP.
func capitals(w string) bool {
	return len(w) > 1 && len(w) < 4 && strings.ToUpper(w) == w && !strings.ContainsFunc(w, func(r rune) bool {
		return !unicode.IsLetter(r)
	})
}

// Title returns a word with a capital.
func Title(w string) string {
	r, n := utf8.DecodeRuneInString(w)
	return string(unicode.ToUpper(r)) + w[n:]
}

// capital tells whether a word begins with one.
func capital(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.IsUpper(r)
}

// As gives a word the case of another one.
func As(word, model string) string {
	switch {
	case utf8.RuneCountInString(model) > 1 && strings.ToUpper(model) == model && strings.ToLower(model) != model:
		return strings.ToUpper(word)
	case capital(model):
		return Title(word)
	}
	return word
}

// lowered is the first word of a sentence when it no longer is the first.
func (s *Sentence) lowered() string {
	w := s.Forms[0]
	if proper(s.Tags[0]) || w == "I" || strings.HasPrefix(w, "I'") || len(w) > 1 && strings.ToUpper(w) == w {
		return w
	}
	return strings.ToLower(w)
}

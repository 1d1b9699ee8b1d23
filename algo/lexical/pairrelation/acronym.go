package pairrelation

import (
	"strings"
	"unicode"
)

// maxAcronym bounds the letters of an acronym.
const maxAcronym = 12

// acronym reports whether a term abbreviates another: by the first letters of its words, with or
// without function words; in capitals also by letters within words, each word giving its first; where
// no spaces are written, by letters in their order, at most half of them.
func acronym(short, long *term, function map[string]bool) bool {
	if long.dense {
		return short.dense && abbreviates([]rune(short.lower), []rune(long.lower))
	}
	letters := []rune(strings.ReplaceAll(short.text, ".", ""))
	if len(letters) < 2 || len(letters) > maxAcronym || strings.ContainsFunc(short.text, boundary) || len(long.words) < 2 {
		return false
	}
	lower := []rune(strings.ToLower(string(letters)))
	content := long.morphemes(function)
	if initials(lower, long.words) || initials(lower, content) {
		return true
	}
	for _, r := range letters {
		if !unicode.IsUpper(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return len(content) > 1 && spread(lower, content)
}

func initials(letters []rune, words []string) bool {
	if len(words) != len(letters) {
		return false
	}
	for i, w := range words {
		if []rune(w)[0] != letters[i] {
			return false
		}
	}
	return true
}

// spread reports whether letters can be taken from the words in order, from each its first and
// perhaps more.
func spread(letters []rune, words []string) bool {
	if len(words) == 0 {
		return len(letters) == 0
	}
	word := []rune(words[0])
	if len(letters) < len(words) || word[0] != letters[0] {
		return false
	}
	if spread(letters[1:], words[1:]) {
		return true
	}
	at := 1
	for n := 1; n < len(letters); n++ {
		for at < len(word) && word[at] != letters[n] {
			at++
		}
		if at == len(word) {
			return false
		}
		at++
		if spread(letters[n+1:], words[1:]) {
			return true
		}
	}
	return false
}

// abbreviates reports whether at most half of the letters of a term, in their order, are another,
// which is no mere end or beginning of it.
func abbreviates(short, long []rune) bool {
	if len(short) < 2 || 2*len(short) > len(long) || commonSuffix(short, long) == len(short) ||
		commonPrefix(short, long) == len(short) {
		return false
	}
	at := 0
	for _, r := range short {
		for at < len(long) && long[at] != r {
			at++
		}
		if at == len(long) {
			return false
		}
		at++
	}
	return true
}

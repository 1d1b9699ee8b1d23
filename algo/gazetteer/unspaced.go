package gazetteer

import (
	"unicode"
	"unicode/utf8"
)

// unspaced tells of a token with a character of a script that writes no blanks between words. Such tokens are spelled
// by their characters in the trie, as the words of a text may be cut otherwise than the phrase; phrases end at the end
// of a word all the same.
func unspaced(tok string) bool {
	for i := 0; i < len(tok); i++ {
		if tok[i] < 0xe0 { // the characters in question have three bytes or four
			continue
		}
		for _, r := range tok[i:] {
			if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
				unicode.Myanmar) {
				return true
			}
		}
		return false
	}
	return false
}

// character is the first character of a token.
func character(tok string) string {
	_, n := utf8.DecodeRuneInString(tok)
	return tok[:n]
}

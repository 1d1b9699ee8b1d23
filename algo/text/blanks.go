package text

import "strings"

// Blanks are the characters that end a word where words are written one behind the other, as in files of n-grams and
// aligned sentences: space, tab and the ends of lines. No-break, ideographic and other spaces of Unicode are parts of
// words.
const Blanks = " \t\r\n"

// Fields returns the words of a text that stand between blanks.
func Fields(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(Blanks, r) })
}

// Trim returns a text without the blanks at its ends.
func Trim(s string) string { return strings.Trim(s, Blanks) }

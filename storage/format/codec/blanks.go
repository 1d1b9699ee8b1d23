package codec

import "strings"

// separators are the characters between the fields of a line, where a format says "separated by blanks" or "by white
// space": the space and the tab. Other spaces of Unicode are parts of words, as text.Fields has it.
const separators = " \t"

// Blanks are the characters between the words of marked text.
const Blanks = " \t\r\n"

// IsBlank reports whether a line has nothing but blanks.
func IsBlank(line []byte) bool {
	for _, c := range line {
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return false
		}
	}
	return true
}

// IsBlankText is IsBlank of a text.
func IsBlankText(line string) bool { return strings.Trim(line, Blanks) == "" }

// AppendFields appends the fields of a line between blanks.
func AppendFields(dst []string, line string) []string {
	for {
		line = strings.TrimLeft(line, separators)
		if line == "" {
			return dst
		}
		i := strings.IndexAny(line, separators)
		if i < 0 {
			return append(dst, line)
		}
		dst = append(dst, line[:i])
		line = line[i:]
	}
}

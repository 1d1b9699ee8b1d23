package format

import "strings"

// separators are the characters between the fields of a line, where a format says "separated by blanks" or "by white
// space": the space and the tab. Other spaces of Unicode are parts of words, as text.Fields has it.
const separators = " \t"

// blanks are the characters between the words of marked text.
const blanks = " \t\r\n"

// isBlank reports whether a line has nothing but blanks.
func isBlank(line []byte) bool {
	for _, c := range line {
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return false
		}
	}
	return true
}

// isBlankText is isBlank of a text.
func isBlankText(line string) bool { return strings.Trim(line, blanks) == "" }

// appendFields appends the fields of a line between blanks.
func appendFields(dst []string, line string) []string {
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

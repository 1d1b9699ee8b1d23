package segment

import "strings"

// emoticons are signs that stand for faces where they stand alone.
var emoticons = func() map[string]bool {
	m := map[string]bool{"<3": true}
	for _, eyes := range []string{":", ";", "="} {
		for _, nose := range []string{"", "-"} {
			for _, mouth := range []string{")", "(", "))", "((", "D", "P", "p", "/", "|", "O", "o"} {
				m[eyes+nose+mouth] = true
			}
		}
	}
	return m
}()

// fixed returns the length of what stands at the start of a chunk and is never cut, 0 for nothing: a chunk that is an
// emoticon; a date or a telephone number, which is digits in three groups at least with hyphens or slashes between
// them; and e-mail with its endings.
func fixed(chunk string) int {
	switch c := chunk[0]; {
	case c == ':' || c == ';' || c == '=' || c == '<':
		if len(chunk) <= 4 && emoticons[chunk] {
			return len(chunk)
		}
	case c >= '0' && c <= '9':
		return groups(chunk)
	case c|0x20 == 'e' && len(chunk) >= len("e-mail") && strings.EqualFold(chunk[:len("e-mail")], "e-mail"):
		n := len("e-mail")
		for n < len(chunk) && letter(chunk[n]) {
			n++
		}
		return n
	}
	return 0
}

// groups returns the length of three groups of digits or more with one hyphen or slash between each two, 0 for fewer
// and where a letter or another hyphen or slash follows.
func groups(s string) int {
	n, end := 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			if i == 0 || i == end+1 && end > 0 {
				n++
			}
			for i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9' {
				i++
			}
			end = i + 1
		case (c == '-' || c == '/') && end == i:
		case letter(c) || c == '-' || c == '/' || c >= 0x80:
			return 0
		default:
			i = len(s)
		}
	}
	if n < 3 || end < len(s) && (s[end] == '-' || s[end] == '/') {
		return 0
	}
	return end
}

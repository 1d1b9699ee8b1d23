package expr

import "strings"

// likeParts splits a LIKE pattern at its %. ok is false if it has _ or \, which it does not handle.
func likeParts(pattern string) (parts []string, ok bool) {
	if strings.ContainsAny(pattern, `_\`) {
		return nil, false
	}
	return strings.Split(pattern, "%"), true
}

// LikePrefix returns the text with which everything that matches a LIKE pattern begins.
func LikePrefix(pattern string) string {
	var b strings.Builder
	escaped := false
	for _, r := range pattern {
		switch {
		case escaped:
			escaped = false
		case r == '\\':
			escaped = true
			continue
		case r == '%' || r == '_':
			return b.String()
		}
		b.WriteRune(r)
	}
	return b.String()
}

// matchLike reports whether a text matches the parts of a pattern.
func matchLike(s string, parts []string) bool {
	last := len(parts) - 1
	if last == 0 {
		return s == parts[0]
	}
	s, ok := strings.CutPrefix(s, parts[0])
	if !ok {
		return false
	}
	for _, p := range parts[1:last] {
		i := strings.Index(s, p)
		if i < 0 {
			return false
		}
		s = s[i+len(p):]
	}
	return strings.HasSuffix(s, parts[last])
}

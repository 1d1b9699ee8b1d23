package expr

import "strings"

// likeParts are the pieces of a LIKE pattern between its %; ok is false where it has _ or \.
func likeParts(pattern string) (parts []string, ok bool) {
	if strings.ContainsAny(pattern, `_\`) {
		return nil, false
	}
	return strings.Split(pattern, "%"), true
}

// LikePrefix is what all texts begin with that match a pattern of LIKE.
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

// matchLike matches a text against the pieces of a pattern.
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

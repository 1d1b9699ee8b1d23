package option

import "strings"

// joinList writes elements with commas between them, those that would be misread in double quotes,
// which stand twice within.
func joinList(list []string) string {
	out := make([]string, len(list))
	for i, e := range list {
		if e == "" || e[0] == '"' || strings.Contains(e, ",") {
			e = `"` + strings.ReplaceAll(e, `"`, `""`) + `"`
		}
		out[i] = e
	}
	return strings.Join(out, ",")
}

// splitList reads what joinList wrote. Empty elements without quotes are none.
func splitList(s string) []string {
	var out []string
	for s != "" {
		if e, rest, ok := quoted(s); ok {
			out, s = append(out, e), rest
			continue
		}
		e, rest, _ := strings.Cut(s, ",")
		if e != "" {
			out = append(out, e)
		}
		s = rest
	}
	return out
}

// quoted reads an element in double quotes and what comes after its comma.
func quoted(s string) (e, rest string, ok bool) {
	if s[0] != '"' {
		return "", "", false
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] != '"':
			b.WriteByte(s[i])
		case i+1 < len(s) && s[i+1] == '"':
			b.WriteByte('"')
			i++
		case i+1 == len(s):
			return b.String(), "", true
		case s[i+1] == ',':
			return b.String(), s[i+2:], true
		default:
			return "", "", false
		}
	}
	return "", "", false
}

package template

import "strings"

// Partial splits a path at its highest word: from X up to it, and from it down to Y, both with the word. ok is false
// where one noun hangs on the other, and where the word is neither verb nor adjective.
func Partial(path string) (x, y string, ok bool) {
	at := strings.Index(path, " >")
	if at < 0 || !strings.Contains(path[:at], " <") || strings.Contains(path[at:], " <") {
		return "", "", false
	}
	x = path[:at]
	head := x[strings.LastIndexByte(x, ' ')+1:]
	if strings.HasSuffix(head, "/n") || strings.HasSuffix(head, "/o") {
		return "", "", false
	}
	return x, head + path[at:], true
}

// Mirror is the same path read from Y to X: X <nsubj cause >obj Y is X <obj cause >nsubj Y.
func Mirror(path string) string {
	f := strings.Fields(path)
	out := make([]string, len(f))
	for i, w := range f {
		k := len(f) - 1 - i
		switch {
		case w == "X":
			w = "Y"
		case w == "Y":
			w = "X"
		case i%2 == 1 && w[0] == '<':
			w = ">" + w[1:]
		case i%2 == 1 && w[0] == '>':
			w = "<" + w[1:]
		}
		out[k] = w
	}
	return strings.Join(out, " ")
}

// Canonical is the one of a path and its mirror that is first in the order of texts, and whether it is the mirror.
func Canonical(path string) (string, bool) {
	if m := Mirror(path); m < path {
		return m, true
	}
	return path, false
}

// IsPath tells whether a text is a path from X to Y, or from Y to X.
func IsPath(s string) bool {
	f := strings.Fields(s)
	if len(f) < 3 || len(f)%2 == 0 || !(f[0] == "X" && f[len(f)-1] == "Y" || f[0] == "Y" && f[len(f)-1] == "X") {
		return false
	}
	for i := 1; i < len(f); i += 2 {
		if len(f[i]) < 2 || f[i][0] != '<' && f[i][0] != '>' {
			return false
		}
	}
	return true
}

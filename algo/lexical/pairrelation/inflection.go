package pairrelation

import "strings"

// detachments are English endings with what stands in their place in base forms, as WordNet's morphy
// takes them off.
var detachments = [][2]string{
	{"ses", "s"}, {"xes", "x"}, {"zes", "z"}, {"ches", "ch"}, {"shes", "sh"}, {"men", "man"}, {"ies", "y"},
	{"es", "e"}, {"es", ""}, {"s", ""}, {"ed", "e"}, {"ed", ""}, {"ing", "e"}, {"ing", ""}, {"er", ""}, {"est", ""},
	{"er", "e"}, {"est", "e"},
}

// baseForms returns what a word in lower case may be a form of; not all need be words.
func baseForms(w string) []string {
	var out []string
	for _, d := range detachments {
		rest, ok := strings.CutSuffix(w, d[0])
		if !ok || len(rest) < 2 || d[0] == "s" && strings.HasSuffix(rest, "s") {
			continue
		}
		out = include(out, rest+d[1])
		// stopped, running: the last consonant is written twice
		if n := len(rest); (d[0] == "ed" || d[0] == "ing" || d[0] == "er" || d[0] == "est") && d[1] == "" && n > 3 &&
			rest[n-1] == rest[n-2] {
			out = include(out, rest[:n-1])
		}
	}
	return out
}

// sameBase reports whether two terms differ in their last words alone, and these are forms of one
// entity of a knowledge base.
func sameBase(a, b *term, x, y entry) bool {
	if len(a.words) != len(b.words) || len(a.words) == 0 {
		return false
	}
	last := len(a.words) - 1
	for i := range last {
		if a.words[i] != b.words[i] {
			return false
		}
	}
	return a.words[last] != b.words[last] && meets(x.keys, y.keys)
}

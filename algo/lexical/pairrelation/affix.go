package pairrelation

import "strings"

// negations are prefixes that make the opposite of a word; opposites are pairs of prefixes, and
// endings of endings, that do so on a common rest.
var (
	negations = []string{"un", "in", "im", "il", "ir", "dis", "non", "anti", "counter", "de", "mis"}
	opposites = [][2]string{{"in", "ex"}, {"in", "out"}, {"over", "under"}, {"up", "down"}, {"pre", "post"},
		{"ante", "post"}, {"pro", "anti"}, {"hyper", "hypo"},
		{"macro", "micro"}, {"maxi", "mini"}, {"inter", "intra"}, {"inner", "outer"}, {"fore", "hind"}, {"endo", "exo"},
		{"mono", "poly"}, {"homo", "hetero"},
		{"im", "ex"}, {"as", "des"}, {"ac", "de"}, {"in", "de"}, {"front", "rear"}, {"front", "back"}}
	endings = [][2]string{{"ful", "less"}, {"or", "ee"}, {"er", "ee"}}
)

// leastRest is the number of letters that must be left without the prefix, so that income is not
// taken for the opposite of come too easily.
const leastRest = 4

// affixOpposite reports whether two words are opposites by prefix or ending.
func affixOpposite(a, b string) bool {
	for _, p := range negations {
		if len(a) >= leastRest && b == p+a || len(b) >= leastRest && a == p+b {
			return true
		}
	}
	for _, o := range opposites {
		if swapPrefix(a, b, o[0], o[1]) || swapPrefix(a, b, o[1], o[0]) {
			return true
		}
	}
	for _, o := range endings {
		if swapSuffix(a, b, o[0], o[1]) || swapSuffix(a, b, o[1], o[0]) {
			return true
		}
	}
	return false
}

func swapPrefix(a, b, x, y string) bool {
	rest, ok := strings.CutPrefix(a, x)
	return ok && len(rest) >= leastRest-1 && b == y+rest
}

func swapSuffix(a, b, x, y string) bool {
	rest, ok := strings.CutSuffix(a, x)
	return ok && len(rest) >= leastRest-1 && b == rest+y
}

// differing returns the only words in which two terms of the same number of words differ.
func differing(a, b *term) (x, y string, ok bool) {
	if len(a.words) != len(b.words) {
		return "", "", false
	}
	for i, w := range a.words {
		if w == b.words[i] {
			continue
		}
		if ok {
			return "", "", false
		}
		x, y, ok = w, b.words[i], true
	}
	return x, y, ok
}

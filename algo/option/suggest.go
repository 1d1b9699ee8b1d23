package option

import (
	"strings"

	"parlance/algo/edit"
)

// DidYouMean returns "; did you mean x?" for the closest known name, or "".
func DidYouMean(name string, known []string) string {
	if s := Closest(name, known); s != "" {
		return "; did you mean " + s + "?"
	}
	return ""
}

// longestMeant is the length in bytes of a name beyond which none is suggested in its place.
const longestMeant = 100

// Closest returns the known name with the smallest edit distance (ignoring case, swaps
// counting one), if that is at most a third of its length plus one; else "". Long names have none.
func Closest(name string, known []string) string {
	if len(name) > longestMeant {
		return ""
	}
	best, bestDist, low := "", 1<<30, []byte(strings.ToLower(name))
	for _, k := range known {
		if len(k) > 2*longestMeant { // farther from the name than a suggestion may be
			continue
		}
		d := edit.Damerau(low, []byte(strings.ToLower(k)))
		if d < bestDist || d == bestDist && k < best {
			best, bestDist = k, d
		}
	}
	if best == "" || bestDist > 1+len(best)/4 || bestDist >= len(name) {
		return ""
	}
	return best
}

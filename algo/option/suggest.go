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

// Closest returns the known name with the smallest edit distance (ignoring case, swaps
// counting one), if that is at most a third of its length plus one; else "".
func Closest(name string, known []string) string {
	best, bestDist := "", 1<<30
	for _, k := range known {
		d := edit.Damerau([]byte(strings.ToLower(name)), []byte(strings.ToLower(k)))
		if d < bestDist || d == bestDist && k < best {
			best, bestDist = k, d
		}
	}
	if best == "" || bestDist > 1+len(best)/4 || bestDist >= len(name) {
		return ""
	}
	return best
}

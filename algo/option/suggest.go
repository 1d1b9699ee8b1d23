package option

import "strings"

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
		d := distance(strings.ToLower(name), strings.ToLower(k))
		if d < bestDist || d == bestDist && k < best {
			best, bestDist = k, d
		}
	}
	if best == "" || bestDist > 1+len(best)/4 || bestDist >= len(name) {
		return ""
	}
	return best
}

// distance is the optimal string alignment distance in bytes.
func distance(a, b string) int {
	prev2, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}

package metrics

import (
	"math"
	"strings"
)

// gleuOrder is the longest n-grams of GLEU.
const gleuOrder = 4

// GLEU of corrections (Napoles, Sakaguchi, Post and Tetreault 2015, and their update of 2016), from sums over
// sentences, for n = 1 … 4:
//
//	p_n = max(0, Σ min(C_h, C_r) − Σ min(C_h, C_s where C_r = 0)) / n-grams of h
//	GLEU = min(1, exp(1 − |r|/|h|)) · exp(1/4 Σ log p_n)
//
// h is the corrected sentence, s the source, r a reference: what an annotator made of s. Of several references the
// counts are their means, where the authors draw one by chance, 500 times.
var gleu = Formula(2*gleuOrder+2, func(s []float64) float64 {
	sum := 0.0
	for n := range gleuOrder {
		if s[n] <= 0 || s[gleuOrder+n] == 0 {
			return 0
		}
		sum += math.Log(s[n] / s[gleuOrder+n])
	}
	written, reference := s[2*gleuOrder], s[2*gleuOrder+1]
	return math.Exp(min(0, 1-reference/written) + sum/gleuOrder)
})

// grams counts the n-grams of words.
func grams(words []string, n int) map[string]int {
	out := map[string]int{}
	for i := 0; i+n <= len(words); i++ {
		out[strings.Join(words[i:i+n], " ")]++
	}
	return out
}

// gleuRow is the statistics of a sentence.
func gleuRow(source, written []string, references [][]string) []float32 {
	row := make([]float32, 2*gleuOrder+2)
	share := 1 / float32(len(references))
	row[2*gleuOrder] = float32(len(written))
	for _, r := range references {
		row[2*gleuOrder+1] += share * float32(len(r))
	}
	for n := range gleuOrder {
		h, s := grams(written, n+1), grams(source, n+1)
		row[gleuOrder+n] = float32(max(0, len(written)-n))
		for _, ref := range references {
			r, right := grams(ref, n+1), 0
			for g, c := range h {
				if k := r[g]; k > 0 {
					right += min(c, k)
				} else {
					right -= min(c, s[g])
				}
			}
			row[n] += share * float32(max(0, right))
		}
	}
	return row
}

// referenceOf is the source with the edits of an annotator; of edits that overlap the first is made.
func referenceOf(source []string, edits []correction) []string {
	var kept []correction
	for _, e := range edits {
		if _, err := applied(source, append(kept[:len(kept):len(kept)], e)); err == nil {
			kept = append(kept, e)
		}
	}
	out, err := applied(source, kept)
	if err != nil {
		return source
	}
	return out
}

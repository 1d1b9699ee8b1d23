package metrics

import (
	"math"
	"strings"
)

// bleuOrder is the longest n-grams of BLEU, charOrder those of chrF in characters, charBeta its weight of recall.
const (
	bleuOrder = 4
	charOrder = 6
	charBeta  = 2
)

// BLEUStatistics are what BLEU adds up over sentences: for n from 1 to 4 the n-grams of the translation that the
// reference has too, each as often as there, then all of them, then the words of both.
func BLEUStatistics(translation, reference []string) []float32 {
	out := make([]float32, 2*bleuOrder+2)
	for n := 1; n <= bleuOrder; n++ {
		matched, all, _ := inBoth(grams(translation, n), grams(reference, n))
		out[n-1], out[bleuOrder+n-1] = float32(matched), float32(all)
	}
	out[2*bleuOrder], out[2*bleuOrder+1] = float32(len(translation)), float32(len(reference))
	return out
}

// BLEU is the share of n-grams that are right, as a geometric mean, with a penalty for what is shorter than the
// references (Papineni, Roukos, Ward and Zhu 2002):
//
//	BLEU = min(1, exp(1 − r/c)) exp(1/4 Σ_n log p_n)
//
// It is 0 where no n-gram of a length is right.
var BLEU = Formula(2*bleuOrder+2, func(s []float64) float64 {
	log := 0.0
	for n := range bleuOrder {
		if s[n] == 0 {
			return 0
		}
		log += math.Log(s[n]/s[bleuOrder+n]) / bleuOrder
	}
	return math.Exp(log + min(0, 1-s[2*bleuOrder+1]/s[2*bleuOrder]))
})

// CharFStatistics are what chrF adds up: for n from 1 to 6 the n-grams of characters that both have, those of the
// translation, and those of the reference. White space does not count.
func CharFStatistics(translation, reference []string) []float32 {
	out := make([]float32, 3*charOrder)
	a, b := characters(translation), characters(reference)
	for n := 1; n <= charOrder; n++ {
		matched, mine, theirs := inBoth(grams(a, n), grams(b, n))
		out[3*n-3], out[3*n-2], out[3*n-1] = float32(matched), float32(mine), float32(theirs)
	}
	return out
}

// CharF is chrF2 (Popović 2015): F with twice as much weight for recall, of precision and recall that are means over
// the lengths of n-grams that both texts have.
var CharF = Formula(3*charOrder, func(s []float64) float64 {
	precision, recall, n := 0.0, 0.0, 0.0
	for k := range charOrder {
		if mine, theirs := s[3*k+1], s[3*k+2]; mine > 0 && theirs > 0 {
			precision += s[3*k] / mine
			recall += s[3*k] / theirs
			n++
		}
	}
	if n == 0 || precision+recall == 0 {
		return 0
	}
	precision, recall = precision/n, recall/n
	return (1 + charBeta*charBeta) * precision * recall / (charBeta*charBeta*precision + recall)
})

func characters(words []string) []string { return strings.Split(strings.Join(words, ""), "") }

// inBoth is how many both have, and the sizes of both.
func inBoth(a, b map[string]int) (both, first, second int) {
	for g, n := range a {
		first += n
		both += min(n, b[g])
	}
	for _, n := range b {
		second += n
	}
	return both, first, second
}

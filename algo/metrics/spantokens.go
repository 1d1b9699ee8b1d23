package metrics

import "parlance/algo/text"

// spanTokens scores the labels that spans give their tokens, where Options ask for it: of tokens in several spans the
// first counts, tokens in none are outside.
//
//	token_accuracy    tokens with the right label, or rightly outside
//	token_precision   of tokens that are predicted not to be outside; token_recall of those that gold has; token_f1
//	weighted_…        the same with a taxonomy, where a parent or child of the gold label counts ½, a sibling ¼
type spanTokens struct {
	units  Units
	parent map[string]string // nil without a taxonomy
}

// What is counted of a unit.
const (
	tokensRight     = iota // labels, outside as well
	tokensAll              // tokens
	tokensCredit           // as tokensRight, weighted
	tokensTrue             // right, not outside
	tokensPredicted        // predicted not to be outside
	tokensGold             // gold not outside
	tokensTrueCredit
	tokensWidth
)

// Credit is what a predicted label counts beside a gold one: 1 where they are equal, ½ where one is the parent of the
// other, ¼ where they have the same parent, else 0 (Singh, Hillard and Leggetter 2010).
func Credit(gold, predicted string, parent map[string]string) float32 {
	switch {
	case gold == predicted:
		return 1
	case gold == "" || predicted == "":
		return 0
	case parent[gold] == predicted || parent[predicted] == gold:
		return 0.5
	case parent[gold] != "" && parent[gold] == parent[predicted]:
		return 0.25
	}
	return 0
}

// sentence counts the tokens of a sentence of n.
func (s *spanTokens) sentence(n int, gold, predicted []text.Span) {
	var row [tokensWidth]float32
	g, p := tokenLabels(n, gold), tokenLabels(n, predicted)
	for i := range g {
		right, credit := One(g[i] == p[i]), Credit(g[i], p[i], s.parent)
		row[tokensAll]++
		row[tokensRight] += right
		row[tokensCredit] += credit
		row[tokensGold] += One(g[i] != "")
		row[tokensPredicted] += One(p[i] != "")
		if g[i] != "" && p[i] != "" {
			row[tokensTrue] += right
			row[tokensTrueCredit] += credit
		}
	}
	s.units.Add(row[:]...)
}

func tokenLabels(n int, spans []text.Span) []string {
	out := make([]string, n)
	for _, s := range spans {
		for t := max(1, s.First); t <= min(int32(n), s.Last); t++ {
			if out[t-1] == "" {
				out[t-1] = s.Label
			}
		}
	}
	return out
}

// metrics returns the scores.
func (s *spanTokens) metrics(ends []int32, beta float64) []Metric {
	sums := s.units.sums(tokensWidth)
	list := func(prefix string, right, hit int) []Metric {
		precision, recall := Share(hit, tokensPredicted), Share(hit, tokensGold)
		return []Metric{
			{Name: prefix + "accuracy", Label: All, Combine: Share(right, tokensAll), Units: s.units, Ends: ends,
				Support: sums[tokensAll]},
			{Name: prefix + "precision", Label: All, Combine: precision, Units: s.units, Ends: ends,
				Support: sums[tokensGold]},
			{Name: prefix + "recall", Label: All, Combine: recall, Units: s.units, Ends: ends,
				Support: sums[tokensGold]},
			{Name: prefix + fName(beta), Label: All, Combine: Harmonic(beta, precision, recall), Units: s.units,
				Ends: ends, Support: sums[tokensGold]},
		}
	}
	out := list("token_", tokensRight, tokensTrue)
	if s.parent != nil {
		out = append(out, list("weighted_", tokensCredit, tokensTrueCredit)...)
	}
	return out
}

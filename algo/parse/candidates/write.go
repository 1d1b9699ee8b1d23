package candidates

import (
	"cmp"
	"math"
	"slices"

	"parlance/algo/parse/constituent"
)

// Scored is a candidate with its score and its share of exp(score) among those of the sentence.
type Scored struct {
	*Candidate
	Place       int // in the list of the base, from 0
	Score, Prob float64
}

// Order sorts the candidates of a sentence by score: the best comes first, of equal ones the one before in the list of
// the base.
func Order(x *Sentence, scores []float64) []Scored {
	out := make([]Scored, len(x.List))
	for i := range out {
		out[i] = Scored{Candidate: &x.List[i], Place: i, Score: scores[i]}
	}
	slices.SortStableFunc(out, func(a, b Scored) int { return cmp.Compare(b.Score, a.Score) })
	sum := 0.0
	for i := range out {
		out[i].Prob = math.Exp(out[i].Score - out[0].Score)
		sum += out[i].Prob
	}
	for i := range out {
		out[i].Prob /= sum
	}
	return out
}

// Write gives the k best trees to the layer. prob of a phrase is the sum of the shares of the trees that have it; with
// k over 1, that of the tree.
func Write(w *constituent.Writer, x *Sentence, list []Scored, k int) {
	shares := map[span]float64{}
	if w.Probs && k == 1 {
		for _, c := range list {
			seen := map[span]bool{}
			spans(c.Tree, func(s span) {
				if !seen[s] {
					seen[s] = true
					shares[s] += c.Prob
				}
			})
		}
	}
	for i, c := range list[:min(k, len(list))] {
		w.Tree(x.Sentence, i+1, c.Tree, x.Root, func(n *constituent.Node, from, to int) float64 {
			switch {
			case k > 1:
				return c.Prob
			case constituent.IsRoot(n.Label):
				return 1
			}
			return min(1, shares[span{n.Label, from, to}])
		})
	}
}

// span is a phrase by its label and tokens.
type span struct {
	label    string
	from, to int
}

func spans(n *constituent.Node, visit func(span)) {
	if n.Leaf() {
		return
	}
	from, to := n.Span()
	visit(span{n.Label, from, to})
	for _, c := range n.Children {
		spans(c, visit)
	}
}

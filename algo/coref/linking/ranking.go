package linking

import "math"

// Ranking is the loss of the links of one mention i, where gold says which of its candidates are of its cluster. A
// mention without any is the first of its cluster, and is right if it is linked to nothing.
//
//	l_i = max_j (w_ji + Δ_j) − max_{j gold} w_ji                                     at temperature 0
//	l_i = γ log Σ_j exp((w_ji + Δ_j)/γ) − γ log Σ_{j gold} exp(w_ji/γ)               at temperature γ
//
// with j over the candidates and nothing, whose score is 0. Δ is 0 where j is right, else what the mistake costs. The
// first is L3M (Chang, Samdani and Roth 2013, eq. 3), the second PL3M. With equal costs and steps of one length the
// first is the latent perceptron (Chang et al. 2012, algorithm 1).
type Ranking struct {
	Temperature float64
	FalseLink   float64 // costs a first mention that is linked
	MissedLink  float64 // costs another mention that is linked to nothing
	WrongLink   float64 // costs a link to another cluster
}

// Gradient writes the derivatives of l_i by the scores of the candidates to coef and returns l_i, which is never below
// 0. Of equal scores nothing comes first, then the nearest candidate.
func (r Ranking) Gradient(row []float64, gold []bool, coef []float64) float64 {
	first := true
	for _, g := range gold {
		first = first && !g
	}
	clear(coef)
	if r.Temperature < smallest {
		return r.hinge(row, gold, first, coef)
	}
	return r.soft(row, gold, first, coef)
}

// costs are Δ of nothing, and of candidates that are not gold.
func (r Ranking) costs(first bool) (nothing, other float64) {
	if first {
		return 0, r.FalseLink
	}
	return r.MissedLink, r.WrongLink
}

func (r Ranking) hinge(row []float64, gold []bool, first bool, coef []float64) float64 {
	nothing, other := r.costs(first)
	loud, high := None, nothing
	right, best := None, math.Inf(-1)
	if first {
		best = 0
	}
	for j := len(row) - 1; j >= 0; j-- {
		w := row[j]
		if gold[j] {
			if w > best {
				right, best = j, w
			}
		} else {
			w += other
		}
		if w > high {
			loud, high = j, w
		}
	}
	if loud != right {
		if loud != None {
			coef[loud]++
		}
		if right != None {
			coef[right]--
		}
	}
	return high - best
}

func (r Ranking) soft(row []float64, gold []bool, first bool, coef []float64) float64 {
	nothing, other := r.costs(first)
	g := r.Temperature
	high, best := nothing, math.Inf(-1)
	if first {
		best = 0
	}
	for j, w := range row {
		if gold[j] {
			best = max(best, w)
			high = max(high, w)
		} else {
			high = max(high, w+other)
		}
	}
	// Sums of all and of the gold ones, each divided by its greatest term.
	all, right := math.Exp((nothing-high)/g), 0.0
	if first {
		right = math.Exp(-best / g)
	}
	for j, w := range row {
		if gold[j] {
			coef[j] = math.Exp((w - high) / g)
			right += math.Exp((w - best) / g)
		} else {
			coef[j] = math.Exp((w + other - high) / g)
		}
		all += coef[j]
	}
	for j, w := range row {
		coef[j] /= all
		if gold[j] {
			coef[j] -= math.Exp((w-best)/g) / right
		}
	}
	return high + g*math.Log(all) - best - g*math.Log(right)
}

// Completion is the gold candidate with the greatest score, None for the first mention of a cluster: what the concave
// part of the loss at temperature 0 chooses.
func Completion(row []float64, gold []bool) int {
	right := None
	for j := len(row) - 1; j >= 0; j-- {
		if gold[j] && (right == None || row[j] > row[right]) {
			right = j
		}
	}
	return right
}

// Bound is the convex upper bound of the loss at temperature 0 that touches it where right is the Completion:
// max_j (w_ji + Δ_j) − w_right. It writes its derivatives as Gradient does.
func (r Ranking) Bound(row []float64, gold []bool, right int, coef []float64) float64 {
	nothing, other := r.costs(right == None)
	clear(coef)
	loud, high := None, nothing
	for j := len(row) - 1; j >= 0; j-- {
		w := row[j]
		if !gold[j] {
			w += other
		}
		if w > high {
			loud, high = j, w
		}
	}
	if loud != None {
		coef[loud]++
	}
	if right != None {
		coef[right]--
		high -= row[right]
	}
	return high
}

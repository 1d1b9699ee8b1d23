package argumentrecognizer

import "math"

// softplus is log(1 + e^x).
func softplus(x float64) float64 {
	if x > 30 {
		return x
	}
	return math.Log1p(math.Exp(x))
}

// apart chooses nodes so that none is below another one and Π p(n) of those chosen times Π 1 − p(n) of the others is
// the largest (Toutanova, Haghighi and Manning 2005). From the leaves up,
//
//	no(n)   = log(1 − p(n)) + Σ_c no(c)
//	best(n) = max(log(1 − p(n)) + Σ_c best(c), log p(n) + Σ_c no(c)),
//
// with log p = −log(1 + e^−s) and log(1 − p) = −log(1 + e^s). parent gives that of nodes in preorder; score is −Inf for
// a node that may not be chosen. Ties leave a node out.
func apart(parent []int32, score []float64) (chosen []int32) {
	n := len(parent)
	no, best := make([]float64, n), make([]float64, n)
	takes := make([]bool, n)
	for i := n - 1; i >= 0; i-- {
		yes := math.Inf(-1)
		if s := score[i]; !math.IsInf(s, -1) {
			yes = no[i] - softplus(-s)
			no[i] -= softplus(s)
			best[i] -= softplus(s)
		}
		if takes[i] = yes > best[i]; takes[i] {
			best[i] = yes
		}
		if p := parent[i]; p >= 0 {
			no[p] += no[i]
			best[p] += best[i]
		}
	}
	hidden := make([]bool, n)
	for i := range n {
		if p := parent[i]; p >= 0 && hidden[p] {
			hidden[i] = true
		} else if takes[i] {
			chosen = append(chosen, int32(i))
			hidden[i] = true
		}
	}
	return chosen
}

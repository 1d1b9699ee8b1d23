package significance

import "math"

// McNemar returns the two-sided exact p of McNemar's test (1947): onlyA and onlyB are the items
// that one system alone has right; with n = onlyA + onlyB and X ~ Binomial(n, ½)
//
//	p = min(1, 2 · P(X ≤ min(onlyA, onlyB))).
func McNemar(onlyA, onlyB int) float64 {
	n, k := onlyA+onlyB, min(onlyA, onlyB)
	if onlyA == onlyB {
		return 1
	}
	lg := func(x int) float64 { v, _ := math.Lgamma(float64(x) + 1); return v }
	term := math.Exp(lg(n) - lg(k) - lg(n-k) - float64(n)*math.Ln2)
	sum := 0.0
	// From the largest term downwards: C(n, k−1) = C(n, k) · k / (n−k+1).
	for ; k >= 0 && term > sum*1e-18; k-- {
		sum += term
		term *= float64(k) / float64(n-k+1)
	}
	return min(1, 2*sum)
}

package similarity

import "math"

// bernoulli are the Bernoulli numbers B_0 to B_12.
var bernoulli = [...]float64{1, -1. / 2, 1. / 6, 0, -1. / 30, 0, 1. / 42, 0, -1. / 30, 0, 5. / 66, 0, -691. / 2730}

// gammaRatio is Γ(x+d)/Γ(x) for x > 0 and d > 0. Where lgamma would lose digits by cancellation, it is
// the asymptotic series; relative errors stay below 1e-13.
func gammaRatio(x, d float64) float64 { return math.Exp(logGammaRatio(x, d)) }

// logGammaRatio is ln Γ(x+d) − ln Γ(x) = d ln x + Σ_{n≥1} (−1)^{n+1} (B_{n+1}(d) − B_{n+1}) / (n (n+1) xⁿ)
// for large x, with the Bernoulli polynomials B_n(d). Smaller x are raised by Γ(x+1) = x Γ(x).
func logGammaRatio(x, d float64) float64 {
	least := 40 * max(1, d)
	raised := 1.0 // Γ(x+d)/Γ(x) = Γ(x+k+d)/Γ(x+k) · Π_{i<k} (x+i)/(x+i+d)
	for ; x < least; x++ {
		raised *= x / (x + d)
	}
	sum, power, sign := 0.0, 1.0, 1.0
	for n := 1; n+1 < len(bernoulli); n++ {
		power /= x
		sum += sign * (bernoulliAt(n+1, d) - bernoulli[n+1]) / float64(n*(n+1)) * power
		sign = -sign
	}
	return d*math.Log(x) + sum + math.Log(raised)
}

// bernoulliAt is the Bernoulli polynomial B_n(d) = Σ_k C(n,k) B_k d^{n−k}.
func bernoulliAt(n int, d float64) float64 {
	sum, binomial := 0.0, 1.0
	for k := 0; k <= n; k++ {
		sum += binomial * bernoulli[k] * math.Pow(d, float64(n-k))
		binomial = binomial * float64(n-k) / float64(k+1)
	}
	return sum
}

// lgamma is ln Γ(x) for x > 0.
func lgamma(x float64) float64 {
	y, _ := math.Lgamma(x)
	return y
}

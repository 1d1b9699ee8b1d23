package significance

import "math"

// PairedT returns t and the two-sided p of the paired t-test (Student 1908): with n differences
// of mean m and variance s², t = m / √(s²/n) has n−1 degrees of freedom. Equal differences other
// than 0 have an infinite t and p = 0; fewer than two, or all 0, have t = 0 and p = 1.
func PairedT(differences []float64) (t, p float64) {
	n := float64(len(differences))
	mean, squares := 0.0, 0.0
	for _, d := range differences {
		mean += d / n
	}
	for _, d := range differences {
		squares += (d - mean) * (d - mean)
	}
	switch {
	case n < 2 || math.Abs(mean) < tie:
		return 0, 1
	case squares <= n*tie*tie:
		return math.Copysign(math.Inf(1), mean), 0
	}
	t = mean / math.Sqrt(squares/(n-1)/n)
	return t, StudentT(t, n-1)
}

// StudentT returns the probability that |T| ≥ |t| with the given degrees of freedom, above 0:
// I_x(df/2, ½) with x = df/(df + t²).
func StudentT(t, df float64) float64 {
	if math.IsInf(t, 0) {
		return 0
	}
	return incompleteBeta(df/2, 0.5, df/(df+t*t), t*t/(df+t*t))
}

// incompleteBeta returns the regularised incomplete beta function I_x(a, b); y is 1−x. It is
// exact to about 1e-13.
func incompleteBeta(a, b, x, y float64) float64 {
	if x <= 0 || y <= 0 {
		return max(0, min(1, x))
	}
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	front := math.Exp(lab - la - lb + a*math.Log(x) + b*math.Log(y))
	// I_x(a, b) = 1 − I_y(b, a), and the fraction converges fast on the left of the mean.
	if x < (a+1)/(a+b+2) {
		return front * betaFraction(a, b, x) / a
	}
	return 1 - front*betaFraction(b, a, y)/b
}

// betaFraction evaluates the continued fraction of I_x(a, b) by the method of Lentz (Press et al.
// 2007, section 6.4):
//
//	1/(1 + d_1/(1 + d_2/(1 + …))),  d_2m = m(b−m)x / ((a+2m−1)(a+2m)),
//	d_2m+1 = −(a+m)(a+b+m)x / ((a+2m)(a+2m+1)).
func betaFraction(a, b, x float64) float64 {
	away := func(v float64) float64 { // from 0, by which nothing can be divided
		if math.Abs(v) < 1e-300 {
			return 1e-300
		}
		return v
	}
	c, d := 1.0, 1/away(1-(a+b)*x/(a+1))
	f := d
	for m := 1.0; m < 10000; m++ {
		e := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d, c = 1/away(1+e*d), away(1+e/c)
		f *= c * d
		e = -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d, c = 1/away(1+e*d), away(1+e/c)
		f *= c * d
		if math.Abs(c*d-1) < 1e-15 {
			break
		}
	}
	return f
}

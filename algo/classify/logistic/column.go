package logistic

import "math"

// column is one feature where it is not 0, and the probabilities of its labels there. A step z along
// its weight changes the objective by
//
//	A(z) = Σ_x c(x)·log(1 + p_x·(e^{z·f_x} − 1)) − z·O + ½·L2·((w+z)² − w²) + A·(|w+z| − |w|)
//
// with p_x = S/T (Huang et al. 2009, sec. 3.2).
type column struct {
	p, values, count  []float64
	w, observed, high float64
	l2, l1            float64
}

// derivatives returns A′(z) and A″(z), without the L1 penalty:
//
//	A′ = Σ c·f·p − O + L2·(w+z)    A″ = Σ c·f²·p·(1−p) + L2
func (c *column) derivatives(z float64) (g, h float64) {
	for i, p := range c.p {
		v := c.values[i]
		if z != 0 { // p·e^{zv} / (1 − p + p·e^{zv})
			p = p / (p + (1-p)*math.Exp(-z*v))
		}
		cv := c.count[i] * v
		g += cv * p
		h += cv * v * p * (1 - p)
	}
	return g - c.observed + c.l2*(c.w+z), h + c.l2
}

// change is A(z).
func (c *column) change(z float64) float64 {
	sum := 0.0
	for i, p := range c.p {
		if u := z * c.values[i]; u > -1 {
			sum += c.count[i] * math.Log1p(p*math.Expm1(u))
		} else { // holds for p = 1 as well
			sum += c.count[i] * math.Log((1-p)+p*math.Exp(u))
		}
	}
	return sum - z*c.observed + c.penalty(z)
}

// penalty is what the penalties of A(z) grow by.
func (c *column) penalty(z float64) float64 {
	return 0.5*c.l2*(2*c.w*z+z*z) + c.l1*(math.Abs(c.w+z)-math.Abs(c.w))
}

// soft is the step to the minimum of g·z + ½·h·z² + l1·|w + z|.
func soft(g, h, l1, w float64) float64 {
	switch {
	case l1 == 0:
		return -g / h
	case g+l1 <= h*w:
		return -(g + l1) / h
	case g-l1 >= h*w:
		return -(g - l1) / h
	}
	return -w
}

// violation is the derivative, or with an L1 penalty the subgradient of least size.
func violation(g, l1, w float64) float64 {
	switch {
	case l1 == 0:
		return g
	case w > 0:
		return g + l1
	case w < 0:
		return g - l1
	}
	return math.Copysign(max(0, math.Abs(g)-l1), g)
}

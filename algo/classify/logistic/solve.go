package logistic

import "math"

// solver finds the step along one feature.
type solver interface {
	// step returns the step and how many trials it took.
	step(c *column, g, h float64) (z float64, trials int)
}

// newton takes one Newton step, or a shorter one (Huang et al. 2009, sec. 3.2; with an L1 penalty
// Yuan, Chang, Hsieh and Lin 2010, sec. 4.1).
type newton struct {
	shrink   float64 // β
	decrease float64 // γ of eq. 16
	safe     float64 // |z|·high up to which the full step always decreases enough
}

// newNewton works out how long a step needs no trial. The second derivative of the loss changes by
// a factor of e^{f·|z|} at most, for p(1−p) does, so that with a = high·|z|
//
//	A(z) ≤ Δ + h·z²·(e^a − a − 1)/a², where Δ = g·z + penalties ≤ −h·z²
//
// and A(z) ≤ γ·Δ wherever e^a − a − 1 ≤ (1−γ)·a².
func newNewton(shrink, decrease float64) newton {
	lo, hi := 0.0, 4.0
	for range 60 {
		if a := (lo + hi) / 2; math.Exp(a)-a-1 <= (1-decrease)*a*a {
			lo = a
		} else {
			hi = a
		}
	}
	return newton{shrink, decrease, lo}
}

// within reports whether a Newton step needs no trial.
func (n newton) within(z, high float64) bool { return math.Abs(z)*high <= n.safe }

func (n newton) step(c *column, g, h float64) (float64, int) {
	d := soft(g, h, c.l1, c.w)
	if n.within(d, c.high) {
		return d, 1
	}
	d = min(max(d, -maxStep/c.high), maxStep/c.high)
	// Δ = g·d + L1·(|w+d| − |w|) bounds the slope from above
	slope := g*d + c.l1*(math.Abs(c.w+d)-math.Abs(c.w))
	lambda := 1.0
	for trials := 1; trials < 200; trials++ {
		z := lambda * d
		if a := c.change(z); a <= n.decrease*lambda*slope {
			return z, trials
		}
		lambda *= n.shrink
	}
	return 0, 200
}

// exact minimises along the feature by Newton steps that stay in a bracket.
type exact struct{}

const (
	flat      = 1e-10 // derivative of a minimum
	mostSteps = 50
)

func (exact) step(c *column, g, h float64) (float64, int) {
	lo, hi := -maxStep/c.high, maxStep/c.high
	z := 0.0
	for i := range mostSteps {
		if i > 0 {
			g, h = c.derivatives(z)
		}
		if math.Abs(violation(g, c.l1, c.w+z)) <= flat {
			return z, i
		}
		if violation(g, c.l1, c.w+z) > 0 { // the minimum lies below
			hi = z
		} else {
			lo = z
		}
		next := z + soft(g, h, c.l1, c.w+z)
		if !(next > lo && next < hi) {
			next = (lo + hi) / 2
		}
		if next == z {
			return z, i + 1
		}
		z = next
	}
	return z, mostSteps
}

// maxStep is the longest |z|·f of a step: beyond a factor of e^20, sums in 64 bits say little about
// what lies there.
const maxStep = 20

// scaled minimises the surrogate of sequential conditional generalized iterative scaling (Goodman
// 2002; Huang et al. 2009, eq. 12):
//
//	A(z) = (e^{z·f#} − 1)/f#·E + Q(z), with f# the highest value of the feature
type scaled struct{}

func (scaled) step(c *column, g, h float64) (float64, int) {
	return surrogate(g+c.observed-c.l2*c.w, c.high, c.observed-c.l2*c.w, c.l2), 1
}

// surrogate returns the root of E·e^{z·F} + L2·z − rest, where rest = O − L2·w. The function rises
// and is convex, so that Newton's method from where it is not negative falls to the root.
func surrogate(e, f, rest, l2 float64) float64 {
	if e <= 0 {
		if l2 > 0 {
			return min(max(rest/l2, -maxStep/f), maxStep/f)
		}
		return 0
	}
	if l2 == 0 {
		if rest <= 0 {
			return -maxStep / f
		}
		return math.Log(rest/e) / f
	}
	z := 0.0
	if e < rest {
		z = math.Log(rest/e) / f
	}
	for range mostSteps {
		x := e * math.Exp(z*f)
		d := x + l2*z - rest
		if math.Abs(d) <= flat {
			break
		}
		z -= d / (f*x + l2)
	}
	return z
}

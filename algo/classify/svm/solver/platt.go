package solver

import "math"

// Sigmoid gives the probability of class +1 from a decision value: 1/(1 + exp(A·f + B)) (Platt 1999).
type Sigmoid struct{ A, B float64 }

// Of returns the probability at the decision value f.
func (s Sigmoid) Of(f float64) float64 { return logistic(-s.A*f - s.B) }

// logistic is 1/(1 + exp(−z)), by exponentials that do not overflow.
func logistic(z float64) float64 {
	e := math.Exp(-math.Abs(z))
	if z < 0 {
		return e / (1 + e)
	}
	return 1 / (1 + e)
}

// softplus is log(1 + exp(z)).
func softplus(z float64) float64 { return max(z, 0) + math.Log1p(math.Exp(-math.Abs(z))) }

// platt is the fit of a sigmoid: the entropy between the targets u of class −1 and what the sigmoid says of the
// decision values f. It is convex in A and B,
//
//	L(A, B) = Σ_i softplus(z_i) − u_i·z_i,   z_i = A·f_i + B
type platt struct{ f, u []float64 }

// FitSigmoid fits Platt's probabilities to decision values; y is +1 or −1. Of n samples of a class its target is
// (n + 1)/(n + 2) and that of the other 1/(n + 2), which keeps the minimum finite (Lin, Lin and Weng 2007).
func FitSigmoid(f []float64, y []int8) Sigmoid {
	if len(f) == 0 {
		return Sigmoid{}
	}
	count := [2]float64{} // of +1, of −1
	for _, l := range y {
		count[sign(l)]++
	}
	target := [2]float64{1 / (count[0] + 2), (count[1] + 1) / (count[1] + 2)}
	t, mean := platt{f, make([]float64, len(f))}, 0.0
	for i, l := range y {
		t.u[i] = target[sign(l)]
		mean += t.u[i] / float64(len(f))
	}
	return t.minimise(Sigmoid{0, math.Log(mean / (1 - mean))}) // the best of those that are the same for all f
}

func sign(l int8) int {
	if l > 0 {
		return 0
	}
	return 1
}

const (
	newtonSteps = 100   // at most; some ten are usual
	negligible  = 1e-14 // fall of the loss, as a part of it, that is lost in rounding
)

// minimise takes Newton steps, each halved until the loss falls by a quarter of what the slope promises or more.
// Half the promise estimates how far the minimum is below: it ends where that is negligible.
func (t platt) minimise(s Sigmoid) Sigmoid {
	loss := t.loss(s)
	for range newtonSteps {
		by, promise := t.newton(s)
		if !(promise > negligible*loss) {
			break
		}
		step := 1.0
		for ; step > 0; step /= 2 {
			next := Sigmoid{s.A + step*by.A, s.B + step*by.B}
			if v := t.loss(next); v <= loss-step*promise/4 {
				s, loss = next, v
				break
			}
		}
		if step == 0 {
			break
		}
	}
	return s
}

func (t platt) loss(s Sigmoid) float64 {
	sum := 0.0
	for i, f := range t.f {
		z := s.A*f + s.B
		sum += softplus(z) - t.u[i]*z
	}
	return sum
}

// newton is the step −H⁻¹·g, and the fall g·H⁻¹·g that it promises. With h_i = p_i·(1 − p_i) and decision values
// less their mean f̄ = Σ h·f / Σ h the Hessian is diagonal, so that slope and height at f̄ move independently:
//
//	ΔA = −Σ g_i·(f_i − f̄) / Σ h_i·(f_i − f̄)²,   Δ(B + A·f̄) = −Σ g_i / Σ h_i,   g_i = 1 − p_i − u_i
//
// Values that are all the same have no slope.
func (t platt) newton(s Sigmoid) (by Sigmoid, promise float64) {
	weight, mean, g0 := 0.0, 0.0, 0.0
	for i, f := range t.f {
		p := s.Of(f)
		h := p * (1 - p)
		weight += h
		mean += h * f
		g0 += 1 - p - t.u[i]
	}
	if weight == 0 {
		return Sigmoid{}, 0
	}
	mean /= weight
	g1, spread := 0.0, 0.0
	for i, f := range t.f {
		p, d := s.Of(f), f-mean
		g1 += (1 - p - t.u[i]) * d
		spread += p * (1 - p) * d * d
	}
	height := -g0 / weight
	promise = g0 * g0 / weight
	if spread > 0 {
		by.A = -g1 / spread
		promise += g1 * g1 / spread
	}
	by.B = height - by.A*mean
	return by, promise
}

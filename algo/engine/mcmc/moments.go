package mcmc

import "math"

// Moments is the mean of a quantity over the states of a chain, with its standard error by the means of batches:
// states that follow each other are alike, batches of them are nearly independent.
type Moments struct {
	size    int // states a batch
	n       int // in the present batch
	sum     float64
	batches int
	mean, m float64 // of the batches: mean and sum of squared deviations
}

// NewMoments returns an empty sum with batches of n states.
func NewMoments(batch int) *Moments { return &Moments{size: max(1, batch)} }

// Add adds the value of a state.
func (m *Moments) Add(x float64) {
	m.sum += x
	if m.n++; m.n < m.size {
		return
	}
	x = m.sum / float64(m.n)
	m.batches++
	d := x - m.mean
	m.mean += d / float64(m.batches)
	m.m += d * (x - m.mean)
	m.n, m.sum = 0, 0
}

// Mean is that of the complete batches, NaN without one.
func (m *Moments) Mean() float64 {
	if m.batches == 0 {
		return math.NaN()
	}
	return m.mean
}

// Error is the standard error of the mean, NaN with fewer than two batches.
func (m *Moments) Error() float64 {
	if m.batches < 2 {
		return math.NaN()
	}
	return math.Sqrt(m.m / float64(m.batches-1) / float64(m.batches))
}

// Agreement is what several chains say of a quantity.
type Agreement struct {
	Mean  float64
	Error float64 // standard error of the mean, NaN where it cannot be told
	Rhat  float64 // potential scale reduction: near 1 where the chains agree; NaN for one chain or one state each
}

// Agree compares chains by the values of a quantity in their states, equally many each (Gelman and Rubin 1992).
//
//	W = mean variance inside chains, B/n = variance of the means of the m chains of n states
//	R̂ = √(((n − 1)/n · W + B/n) / W)
//
// The standard error is √(B/n / m) from several chains, and that of the means of √n batches from one. Chains that all
// stand still at one value agree, with R̂ = 1; at different values R̂ is +Inf.
func Agree(chains [][]float64) Agreement {
	m := len(chains)
	if m == 0 || len(chains[0]) == 0 {
		return Agreement{math.NaN(), math.NaN(), math.NaN()}
	}
	n := len(chains[0])
	inside, means := 0.0, NewMoments(1)
	for _, c := range chains {
		x := NewMoments(1)
		for _, v := range c {
			x.Add(v)
		}
		means.Add(x.Mean())
		if n > 1 {
			inside += x.m / float64(n-1) / float64(m)
		}
	}
	out := Agreement{means.Mean(), means.Error(), math.NaN()}
	if m == 1 {
		batches := NewMoments(int(math.Sqrt(float64(n))))
		for _, v := range chains[0] {
			batches.Add(v)
		}
		out.Error = batches.Error()
		return out
	}
	between := means.m / float64(m-1)
	switch {
	case n < 2:
	case between == 0 && inside == 0:
		out.Rhat = 1
	default:
		out.Rhat = math.Sqrt((float64(n-1)/float64(n)*inside + between) / inside)
	}
	return out
}

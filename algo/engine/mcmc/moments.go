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

// NewMoments returns an empty sum with batches of so many states.
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

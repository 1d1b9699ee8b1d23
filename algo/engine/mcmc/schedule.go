package mcmc

import "math"

// Schedule is the temperature over the sweeps of a run: from First to Last.
type Schedule struct {
	First, Last float64
	Linear      bool // falls by equal differences, else by equal factors
}

// At is the temperature of sweep i of n, from 0.
//
//	τ_i = First · (Last / First)^(i / (n − 1))   or   First + (Last − First) · i / (n − 1)
func (s Schedule) At(i, n int) float64 {
	if n <= 1 || i >= n-1 {
		return s.Last
	}
	x := float64(i) / float64(n-1)
	if s.Linear {
		return s.First + (s.Last-s.First)*x
	}
	return s.First * math.Pow(s.Last/s.First, x)
}

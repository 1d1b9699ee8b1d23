package aligner

import "math"

// expDigamma is exp ψ(x) for x > 0, by ψ(x) = ψ(x+1) − 1/x and, from 7 on, the series of Bernardo (1976).
func expDigamma(x float64) float64 {
	r := 0.0
	for ; x < 7; x++ {
		r -= 1 / x
	}
	y := 1 / (x * x)
	return x * math.Exp(r-0.5/x-y*(1.0/12-y*(1.0/120-y*(1.0/252-y/240))))
}

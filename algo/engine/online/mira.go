package online

import "math"

// MIRA takes the least step after which the gold output is ahead of each of some outputs by its loss, as far as C lets
// (Crammer et al. 2006; McDonald, Crammer and Pereira 2005); deltas are gold against one of them each. It returns the
// factors.
func (w *Weights) MIRA(deltas []Vector, losses []float64, c float64) ([]float64, error) {
	lack := make([]float64, len(deltas))
	for j, d := range deltas {
		lack[j] = losses[j] - w.Dot(d)
	}
	alpha := Hildreth(deltas, lack, c)
	for j, a := range alpha {
		if !finite(a) || !finite(lack[j]) {
			return nil, ErrNotFinite
		}
	}
	for j, a := range alpha {
		if a > 0 {
			w.Move(deltas[j], a)
		}
	}
	w.Next()
	return alpha, nil
}

// Bounds of Hildreth's method.
const (
	hildrethRounds    = 10_000
	hildrethTolerance = 1e-8
)

// Hildreth returns the multipliers of the least change Σ α_j·Δ_j with Δ_j·(w + Σ α·Δ) ≥ loss_j, 0 ≤ α ≤
// c, by cyclic steps on the dual (Censor and Zenios 1997): lack_j is loss_j − Δ_j·w.
func Hildreth(deltas []Vector, lack []float64, c float64) []float64 {
	n := len(deltas)
	gram, alpha := make([]float64, n*n), make([]float64, n)
	for i := range n {
		for j := range i + 1 {
			gram[i*n+j] = deltas[i].Dot(deltas[j])
			gram[j*n+i] = gram[i*n+j]
		}
	}
	for range hildrethRounds {
		most := 0.0
		for j := range n {
			if gram[j*n+j] < 1e-12 {
				continue
			}
			rest := lack[j]
			for i, a := range alpha {
				rest -= a * gram[j*n+i]
			}
			next := min(c, max(0, alpha[j]+rest/gram[j*n+j]))
			most = max(most, math.Abs(next-alpha[j])*gram[j*n+j])
			alpha[j] = next
		}
		if most < hildrethTolerance {
			break
		}
	}
	return alpha
}

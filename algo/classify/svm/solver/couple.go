package solver

import "math"

// Couple turns probabilities of class i in pairs, r[i][j] with r[j][i] = 1 − r[i][j], into probabilities of the
// classes (the second method of Wu, Lin and Weng 2004):
//
//	min Σ_i Σ_{j≠i} (r_ji·p_i − r_ij·p_j)² = 2·pᵀQp  with Σ p = 1,   Q_ii = Σ_{j≠i} r_ji²,   Q_ij = −r_ji·r_ij
//
// Pairs that are both 0 are left out of the sum; where the others leave a choice, Σ p² is least, so that classes
// without any pair are equally probable. No p is below 0: Q is positive semidefinite and has nothing above 0 off
// its diagonal, so that |p| would be better.
//
// The conditions Qp = −λ·1, Σ p = 1 stay the same when 1·1ᵀ is added to Q, which makes it positive
// definite if pairs connect all classes; a very small part of the identity sees to the others. So p is the
// solution of (Q + 1·1ᵀ + δI)·p = 1, scaled. It takes K³/6 multiplications for K classes.
func Couple(r [][]float64) []float64 {
	k := len(r)
	a, p := make([]float64, k*k), make([]float64, k)
	for i := range r {
		p[i] = 1
		diagonal := 0.0
		for j := range r {
			a[i*k+j] = 1 - r[j][i]*r[i][j]
			if j != i {
				diagonal += r[j][i] * r[j][i]
			}
		}
		a[i*k+i] = 1 + diagonal + slight
	}
	solve(a, p)
	sum := 0.0
	for i := range p {
		p[i] = max(p[i], 0) // rounding
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// slight is δ: what it changes is far below the tolerance of the probabilities that are coupled.
const slight = 1e-11

// solve sets b to the solution of A·x = b, with A symmetric and positive definite, by rows. The lower half of A
// becomes its Cholesky factor L, A = L·Lᵀ.
func solve(a, b []float64) {
	k := len(b)
	for i := range k {
		row := a[i*k:][:i+1]
		for j := range row {
			v := row[j] - dot(row[:j], a[j*k:])
			if j < i {
				row[j] = v / a[j*k+j]
			} else {
				row[j] = math.Sqrt(v)
			}
		}
		b[i] = (b[i] - dot(row[:i], b)) / row[i] // L·y = b
	}
	for i := k - 1; i >= 0; i-- { // Lᵀ·x = y
		b[i] /= a[i*k+i]
		for j := range i {
			b[j] -= a[i*k+j] * b[i]
		}
	}
}

// dot is Σ a_i·b_i over the length of a.
func dot(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

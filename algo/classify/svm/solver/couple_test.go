package solver

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// duels draws probabilities of pairs; without tells which pairs are left out.
func duels(t *rapid.T, k int, without func(i, j int) bool) [][]float64 {
	r := make([][]float64, k)
	for i := range r {
		r[i] = make([]float64, k)
	}
	for i := range r {
		for j := range i {
			if !without(i, j) {
				r[i][j] = logistic(rapid.Float64Range(-16, 16).Draw(t, "r"))
				r[j][i] = 1 - r[i][j]
			}
		}
	}
	return r
}

// disagreement is Σ_i Σ_{j≠i} (r_ji·p_i − r_ij·p_j)².
func disagreement(r [][]float64, p []float64) float64 {
	sum := 0.0
	for i := range r {
		for j := range r {
			d := r[j][i]*p[i] - r[i][j]*p[j]
			sum += d * d
		}
	}
	return sum
}

// TestCouplingIsTheBest: the derivatives of the disagreement are the same for all classes, as where Σ p = 1
// they must be, and no p near it, by random moves, is better. Some pairs are left out.
func TestCouplingIsTheBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 12).Draw(t, "classes")
		label := make([]int, k)
		for i := 1; i < k; i++ {
			label[i] = rapid.IntRange(1, k).Draw(t, "label") // class 0 meets all others
		}
		r := duels(t, k, func(i, j int) bool { return label[i] == label[j] })
		p := Couple(r)
		sum := 0.0
		for _, v := range p {
			if sum += v; !(v >= 0) {
				t.Fatalf("%v", p)
			}
		}
		slopes := make([]float64, k)
		for i := range r {
			for j := range r {
				slopes[i] += r[j][i] * (r[j][i]*p[i] - r[i][j]*p[j])
			}
			if math.Abs(slopes[i]-slopes[0]) > 1e-10 {
				t.Fatalf("slopes %v and %v", slopes[i], slopes[0])
			}
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Fatalf("sum %v", sum)
		}
		least := disagreement(r, p)
		i, j := rapid.IntRange(0, k-1).Draw(t, "from"), rapid.IntRange(0, k-1).Draw(t, "to")
		p[i], p[j] = p[i]-1e-3, p[j]+1e-3
		if disagreement(r, p) < least-1e-12 {
			t.Fatalf("%v is better than %v", disagreement(r, p), least)
		}
	})
}

// TestCouplingThatAgrees: probabilities that agree in all pairs come back, very small ones too.
func TestCouplingThatAgrees(t *testing.T) {
	for _, p := range [][]float64{{.5, .3, .15, .05}, {.999, 1e-6, 1e-3 - 1e-6}, {.25, .75}} {
		r := make([][]float64, len(p))
		for i := range r {
			r[i] = make([]float64, len(p))
			for j := range r {
				if j != i {
					r[i][j] = p[i] / (p[i] + p[j])
				}
			}
		}
		for i, x := range Couple(r) {
			near(t, "p", x, p[i], 1e-9)
		}
	}
}

// TestCouplingOfSeparateClasses: classes that no pair connects share the mass.
func TestCouplingOfSeparateClasses(t *testing.T) {
	none := [][]float64{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}
	for _, v := range Couple(none) {
		near(t, "p without pairs", v, 1./3, 1e-9)
	}
	// (3x, x) and (y, y) with 4x + 2y = 1 and the least of 10x² + 2y²: x = 1/9, y = 5/18.
	two := [][]float64{{0, .75, 0, 0}, {.25, 0, 0, 0}, {0, 0, 0, .5}, {0, 0, .5, 0}}
	for i, v := range Couple(two) {
		near(t, "p of two pairs", v, []float64{3. / 9, 1. / 9, 5. / 18, 5. / 18}[i], 1e-4)
	}
}

func BenchmarkCouple(b *testing.B) {
	const k = 22
	r := make([][]float64, k)
	for i := range r {
		r[i] = make([]float64, k)
	}
	for i := range r {
		for j := range i {
			r[i][j] = logistic(3*math.Sin(float64(i*k+j)) + float64(j-i)/4)
			r[j][i] = 1 - r[i][j]
		}
	}
	for b.Loop() {
		Couple(r)
	}
}

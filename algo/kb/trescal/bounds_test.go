package trescal

import (
	"math"
	"math/rand/v2"
	"testing"

	"parlance/algo/kb/triples"
)

// drawn are factors of random lengths over several orders of size.
func drawn(r *rand.Rand, rank, entities, relations int, scale float64) *factors {
	f := &factors{rank: rank, scratch: newScratch(), limits: new(bounds)}
	for range entities {
		size := scale * math.Exp(2*r.NormFloat64())
		for range rank {
			f.A = append(f.A, float32(size*r.NormFloat64()))
		}
	}
	for range relations * rank * rank {
		f.R = append(f.R, float32(scale*r.NormFloat64()))
	}
	return f
}

// TestBounds compares bounds with all scores, and what is above a score with a look through all.
func TestBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct {
		rank, entities int
		scale          float64
	}{{1, 1, 1}, {1, 300, 1}, {5, 300, 1}, {100, 200, 1}, {3, 50, 1e-13}, {3, 50, 1e-16}, {2, 20, 0}} {
		f := drawn(r, c.rank, c.entities, 3, c.scale)
		given := []int32{int32(c.entities - 1), 0, int32(c.entities / 2)}
		scores, bound := make([]float64, 3*c.entities), make([]float64, 3)
		for k := range int32(3) {
			for _, side := range []triples.Side{triples.Subject, triples.Object} {
				f.Scores(side, k, given, scores)
				f.Bounds(side, k, given, bound)
				for i, x := range scores {
					if x > bound[i/c.entities] {
						t.Fatalf("rank %d: score %g above its bound %g", c.rank, x, bound[i/c.entities])
					}
				}
				for _, least := range []float64{math.Inf(-1), 0, scores[len(scores)/2], scores[0], math.Inf(1)} {
					checkAbove(t, f, side, k, given, scores, least)
				}
			}
		}
	}
}

// checkAbove looks through the scores of all entities.
func checkAbove(t *testing.T, f *factors, side triples.Side, relation int32, given []int32, scores []float64,
	least float64) {
	t.Helper()
	n := len(scores) / len(given)
	got := map[int]float64{}
	scored := f.Above(side, relation, given, least, func(i int, e int32, s float64) { got[i*n+int(e)] = s })
	above := 0
	for i, x := range scores {
		if x < least {
			continue
		}
		above++
		if s, ok := got[i]; !ok || s != x {
			t.Fatalf("rank %d, least %g: score %g of cell %d, want %g", f.rank, least, s, i, x)
		}
	}
	if scored < int64(above) || scored > int64(len(scores)) || math.IsInf(least, 1) && scored > 0 {
		t.Fatalf("rank %d, least %g: %d of %d scored, %d are above", f.rank, least, scored, len(scores), above)
	}
}

// TestNorm compares with the largest singular value of a matrix that stretches one direction and one that turns.
func TestNorm(t *testing.T) {
	f := &factors{rank: 2, R: []float32{3, 0, 0, 4, 0, 2, -2, 0}}
	for k, c := range []struct{ norm, most float64 }{{4, 4.1}, {2, 2 * math.Pow(2, 0.125)}} {
		if got := f.norm(int32(k)); got < c.norm || got > c.most+1e-9 {
			t.Errorf("norm of relation %d: %v, want %v to %v", k, got, c.norm, c.most)
		}
	}
}

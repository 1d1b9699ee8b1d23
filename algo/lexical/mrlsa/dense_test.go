package mrlsa

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"parlance/algo/kindtest"
	"parlance/storage/value"

	"gonum.org/v1/gonum/mat"
)

// denseTucker is the projection U·Uᵀ·W_k·V·Vᵀ of every slice, by singular value decompositions of
// whole unfoldings.
func denseTucker(w []*mat.Dense, rank, sweeps int) []*mat.Dense {
	rows, cols := w[0].Dims()
	unfold := func(n, width int, block func(k int) *mat.Dense) *mat.Dense {
		y := mat.NewDense(n, width*len(w), nil)
		for k := range w {
			y.Slice(0, n, k*width, (k+1)*width).(*mat.Dense).Copy(block(k))
		}
		var svd mat.SVD
		svd.Factorize(y, mat.SVDThin)
		var u mat.Dense
		svd.UTo(&u)
		return mat.DenseCopyOf(u.Slice(0, n, 0, rank))
	}
	var u *mat.Dense
	v := unfold(cols, rows, func(k int) *mat.Dense { return mat.DenseCopyOf(w[k].T()) })
	for range sweeps {
		u = unfold(rows, rank, func(k int) *mat.Dense { var y mat.Dense; y.Mul(w[k], v); return &y })
		v = unfold(cols, rank, func(k int) *mat.Dense { var y mat.Dense; y.Mul(w[k].T(), u); return &y })
	}
	var left, right mat.Dense
	left.Mul(u, u.T())
	right.Mul(v, v.T())
	var out []*mat.Dense
	for k := range w {
		var x mat.Dense
		x.Product(&left, w[k], &right)
		out = append(out, &x)
	}
	return out
}

// TestDenseTucker compares degrees at a rank that cuts with cosines of columns of dense slices.
func TestDenseTucker(t *testing.T) {
	const rows, words, rank = 14, 11, 4
	relations := []string{"synonym", "antonym", "hypernym"}
	scale := []float64{1, 2, 0.5}
	rng := rand.New(rand.NewPCG(5, 6))
	var triples [][]value.Value
	var w []*mat.Dense
	for k, relation := range relations {
		x := mat.NewDense(rows, words, nil)
		for i := range rows {
			for j := range words {
				if rng.Float64() < 0.5 || i == 0 && k == 0 { // the first row numbers the words
					weight := rng.Float64() + 0.5
					x.Set(i, j, scale[k]*weight)
					triples = append(triples, row(fmt.Sprint("row", i), relation, fmt.Sprint("w", j), weight, nil))
				}
			}
		}
		w = append(w, x)
	}
	m := train(t, triples, with(kindtest.Arg("rank", rank), list("scales", "antonym=2", "hypernym=0.5"))...)
	x := denseTucker(w, rank, 200)
	cos := func(k, i, l, j int) float64 {
		a, b := x[k].ColView(i), x[l].ColView(j)
		return mat.Dot(a, b) / math.Sqrt(mat.Dot(a, a)*mat.Dot(b, b))
	}
	for k, relation := range relations {
		for i := range words {
			for j := range words {
				want := cos(0, i, k, j)
				if relation != "hypernym" {
					want = (want + cos(0, j, k, i)) / 2
				}
				is(t, m, relation, fmt.Sprint("w", i), fmt.Sprint("w", j), want, 1e-5)
			}
		}
	}
}

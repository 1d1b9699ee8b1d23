package mrlsa

import (
	"context"
	"math"
)

// scorer gives degrees of relations in one direction, NaN where there is none: the pivot or the
// relation says nothing about one of the words.
type scorer interface {
	// pair is the degree to which word j stands in the relation to word i.
	pair(i, j uint32, relation int) float64
	// every sets out[j] to pair(i, j, relation) for all words, or to the mean of it and
	// pair(j, i, relation).
	every(ctx context.Context, workers int, i uint32, relation int, symmetric bool, out []float32) error
}

var none = math.NaN()

// of is the degree of a relation between words i and j, false for none. For a symmetric relation it
// is the mean of both directions, where a direction without a degree counts 0 (section 4.3).
func (m *model) of(i, j uint32, relation int) (float64, bool) {
	x := m.degree.pair(i, j, relation)
	if m.Slices[relation].Symmetric {
		x = mean(x, m.degree.pair(j, i, relation))
	}
	return x, !math.IsNaN(x)
}

// mean is that of two degrees of which one or both may be none.
func mean(x, y float64) float64 {
	switch {
	case math.IsNaN(x) && math.IsNaN(y):
		return none
	case math.IsNaN(x):
		return y / 2
	case math.IsNaN(y):
		return x / 2
	}
	return (x + y) / 2
}

// all is the degrees of a relation between word i and every word, NaN for none.
func (m *model) all(ctx context.Context, workers int, i uint32, relation int) ([]float32, error) {
	out := make([]float32, len(m.Words))
	return out, m.degree.every(ctx, workers, i, relation, m.Slices[relation].Symmetric, out)
}

// average makes out the mean of itself and of another direction.
func average(out, other []float32) {
	for j := range out {
		out[j] = float32(mean(float64(out[j]), float64(other[j])))
	}
}

// cosine of vectors with the product and the lengths, none if one has length 0.
func cosine(product, a, b float64) float64 {
	if !(a > 0) || !(b > 0) {
		return none
	}
	return max(-1, min(1, product/a/b))
}

// Package chart finds projective trees under scores of siblings, grandchildren, grand-siblings and
// tri-siblings by dynamic programming: the best tree, the k best, the sum over all of them and the
// probability of each part. All are exact.
//
// Charts have an entry for each candidate arc and end of a span rather than for each pair of tokens, so
// their cost follows the arcs that a pruner leaves. With all arcs of n tokens the best tree costs O(n³)
// for siblings and O(n⁴) for the other factorizations, in space O(n²) and O(n³).
package chart

import (
	"math"

	"parlance/algo/parse/tree"
)

// Chart is a decoder of projective trees for one factorization.
type Chart struct {
	factorization tree.Factorization
	single        bool
	chart         decoder

	summer  summer
	builder builder
	graph   forest
	heads   []int32
	parts   []tree.Part
	own     []float64 // score of the parts of the best tree by their modifier
	shift   []float64 // by arc
	weight  []float64 // by part
}

// decoder fills its chart and reads the best tree off it.
type decoder interface {
	fill(p *tree.Parts, score []float64) float64
	trace(heads []int32)
}

// New returns a decoder for Sibling, Carreras, Model0, Model1 or Model2, nil for the other
// factorizations. single says that the root has one modifier; otherwise it has one or more.
func New(f tree.Factorization, single bool) *Chart {
	c := &Chart{factorization: f, single: single}
	switch f {
	case tree.Sibling:
		c.chart = &sibling{single: single}
	case tree.Carreras:
		c.chart = &carreras{single: single}
	case tree.Model0, tree.Model1, tree.Model2:
		c.chart = &grand{single: single, model: f}
	default:
		return nil
	}
	return c
}

// Best implements tree.Decoder. Of equal trees the one is found whose last modifiers, and then whose
// siblings and split points, come first. Where score leaves only trees of −∞ there is none.
func (c *Chart) Best(p *tree.Parts, score []float64, heads []int32) (float64, bool) {
	if p.N == 0 {
		return 0, true
	}
	best := c.chart.fill(p, score)
	if math.IsInf(best, -1) {
		return best, false
	}
	c.chart.trace(heads)
	return best, true
}

var none = math.Inf(-1)

func fill(s []float64, x float64) {
	for i := range s {
		s[i] = x
	}
}

// raise does dst[i] ← max(dst[i], src[i] + w).
func raise(dst, src []float64, w float64) {
	src = src[:len(dst)]
	for i, x := range src {
		if x += w; x > dst[i] {
			dst[i] = x
		}
	}
}

// join returns the largest a[i] + b[i] and the first i that has it.
func join(a, b []float64) (float64, int) {
	b = b[:len(a)]
	best, at := none, 0
	for i, x := range a {
		if x += b[i]; x > best {
			best, at = x, i
		}
	}
	return best, at
}

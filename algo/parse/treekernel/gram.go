package treekernel

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrTooLarge marks kernels above what a float64 holds.
var ErrTooLarge = errors.New("kernel too large")

// Gram is the matrix of kernels of trees with each other, each divided by the square roots of those of its trees with
// themselves: K(i, j) / √K(i, i) / √K(j, j), or as they are. Rows are computed when they are asked for. It belongs to
// one goroutine.
type Gram struct {
	trees []*Prepared
	mined *Mined // nil: all from the trees
	eval  *Evaluator
	scale []float64
	// by tree i: kernels of its direct pairs (i, j), j ≤ i, NaN where they are not found yet; nil if too many
	found [][]float64
	Cells int64 // kernels that were found from trees
}

// mostKept is how many kernels of direct pairs are kept, 256 MB.
const mostKept = 1 << 25

// NewGram returns the matrix; mined may be nil. When the context ends its rows are no longer right, so whoever uses
// them looks at it.
func NewGram(ctx context.Context, k Kernel, trees []*Tree, mined *Mined, normal bool) (*Gram, error) {
	g := &Gram{mined: mined, eval: NewEvaluator(k), scale: make([]float64, len(trees))}
	g.eval.Within(ctx)
	if n := float64(len(trees)); mined != nil && mined.Whole && mined.Direct.Rate()*n*n/2 < mostKept {
		g.found = make([][]float64, len(trees))
	}
	for i, t := range trees {
		p := k.Prepare(t)
		g.trees = append(g.trees, p)
		var err error
		g.scale[i], err = g.eval.Scale(p, normal)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("tree %d: %w", i+1, err)
		}
	}
	return g, nil
}

// Plain makes the matrix visit all pairs of nodes with equal labels, as plain evaluation does, where otherwise only
// those with a mark at or below them are. Values stay the same; it is for comparisons.
func (g *Gram) Plain() {
	for i, p := range g.trees {
		g.trees[i] = g.eval.prepare(p.Tree, false)
	}
}

// Scale is what kernels of a tree are multiplied by: 1/√K(t, t) where they are normal, 0 for a tree without subtrees.
func (e *Evaluator) Scale(t *Prepared, normal bool) (float64, error) {
	v := e.Value(t, t)
	switch {
	case math.IsInf(v, 0):
		return 0, fmt.Errorf("%w: that of the tree with itself is e^%.0f; a smaller decay would help",
			ErrTooLarge, e.Log(t, t))
	case !normal:
		return 1, nil
	case v == 0:
		return 0, nil
	}
	return 1 / math.Sqrt(v), nil
}

// Len returns the number of trees.
func (g *Gram) Len() int { return len(g.trees) }

// Tree returns a tree, and what its kernels are multiplied by.
func (g *Gram) Tree(i int) (*Prepared, float64) { return g.trees[i], g.scale[i] }

// At is an element.
func (g *Gram) At(i, j int) float64 {
	g.Cells++
	return g.eval.Value(g.trees[i], g.trees[j]) * g.scale[i] * g.scale[j]
}

// Row computes row i into dst. From vectors it costs the trees that the groups of tree i have, and one evaluation for
// each direct pair, which is kept. It ends early, with any values, when the context has ended.
func (g *Gram) Row(i int, dst []float64) {
	if g.mined == nil || !g.mined.Whole {
		for j := range dst {
			if dst[j] = g.At(i, j); g.eval.over(8) {
				return
			}
		}
		return
	}
	clear(dst)
	m := g.mined
	groups, counts := m.ofTree.row(i)
	for k, f := range groups {
		w := m.Groups[f].Weight * counts[k]
		trees, times := m.ofGroup.row(int(f))
		for n, j := range trees {
			dst[j] += w * times[n]
		}
		if g.eval.over(len(trees)) {
			return
		}
	}
	for j := range dst {
		dst[j] *= g.scale[i] * g.scale[j]
	}
	at := 0
	m.Direct.each(i, func(j int) {
		switch {
		case g.eval.over(8):
		case g.found == nil:
			dst[j] = g.At(i, j)
		case j <= i:
			dst[j] = g.kept(i, j, at)
		default:
			dst[j] = g.kept(j, i, m.Direct.rank(j, i))
		}
		at++
	})
}

// kept is the kernel of the direct pair (i, j), j ≤ i, which is number at of those of tree i.
func (g *Gram) kept(i, j, at int) float64 {
	if g.found[i] == nil {
		g.found[i] = slices.Repeat([]float64{math.NaN()}, g.mined.Direct.rank(i, i)+1)
	}
	v := &g.found[i][at]
	if math.IsNaN(*v) {
		*v = g.At(i, j)
	}
	return *v
}

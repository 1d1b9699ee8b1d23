package treesvm

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"parlance/algo/parse/treekernel"
)

// Subtree is a subtree that speaks for or against a class. Weight is what an occurrence adds to the score of the class,
// before the division by the kernel of the tree with itself, together with the Subtrees that occur in the same vectors
// equally often; Support is the number of these vectors.
type Subtree struct {
	Class             int
	Text              string
	Weight            float64
	Support, Subtrees int
}

// Listing are the settings of Subtrees: nodes of a subtree (partial kernels) or productions, subtrees that are looked
// at, subtrees that are kept for each class, and whether kernels were divided by those of the trees with themselves.
type Listing struct {
	Size, Searches, Kept int
	Normal               bool
}

// ErrMany tells that there are more subtrees than may be looked at.
var ErrMany = errors.New("too many subtrees")

// Subtrees finds the subtrees that two vectors share, with their weights, W·Σ_i β_i·#(i)/√K(i, i), those of the largest
// first, class by class.
func (v *Vectors) Subtrees(ctx context.Context, kernel treekernel.Kernel, o Listing) (out []Subtree, err error) {
	names := treekernel.NewAlphabet()
	e := treekernel.NewEvaluator(kernel)
	e.Within(ctx)
	var trees []*treekernel.Tree
	var scale []float64
	for _, s := range v.Shapes {
		t := s.Tree(names)
		x, err := e.Scale(kernel.Prepare(t), o.Normal)
		if err = cmp.Or(ctx.Err(), err); err != nil {
			return nil, err
		}
		trees, scale = append(trees, t), append(scale, x)
	}
	mined, err := treekernel.Mine(ctx, kernel, treekernel.Mining{Size: o.Size, Searches: o.Searches, All: true},
		trees, names)
	switch {
	case err != nil:
		return nil, err
	case !mined.Whole:
		return nil, ErrMany
	}
	k := len(v.Bias)
	sum := make([]float64, len(mined.Groups)*k)
	for i := range trees {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		mined.Each(i, func(g int, count float64) {
			for y := range k {
				sum[g*k+y] += v.Coef[i*k+y] * scale[i] * count * mined.Groups[g].Weight
			}
		})
	}
	for y := range k {
		var order []int
		for g := range mined.Groups {
			if sum[g*k+y] != 0 {
				order = append(order, g)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(math.Abs(sum[b*k+y]), math.Abs(sum[a*k+y]))
		})
		for _, g := range order[:min(len(order), o.Kept)] {
			out = append(out, Subtree{y, mined.Text(g), sum[g*k+y], mined.Support(g), mined.Groups[g].Subtrees})
		}
	}
	return out, nil
}

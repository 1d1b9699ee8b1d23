package coreference

import (
	"context"
	"math"
	"slices"
	"time"

	"parlance/algo/checkpoint"
	"parlance/algo/coref/linking"
	"parlance/algo/kind"
)

// cccp minimises λ/2·|w|² and the mean loss of mentions at temperature 0 by the concave-convex procedure (Yuille and
// Rangarajan 2003; Chang, Samdani and Roth 2013, section 4): each step fixes the best gold antecedent of each mention
// under the weights, which makes a convex bound of the objective, and lowers the bound by subgradient steps. The best
// weights of a step are kept, so that the objective never rises.
func (l *learner) cccp(ctx context.Context, t *kind.Training) error {
	state, keep := l.state(), checkpoint.NewKeeper(t)
	if t.Resume != nil {
		if err := state.Read(t.Resume); err != nil {
			return err
		}
	}
	best, err := l.objective(ctx, nil)
	if err != nil {
		return err
	}
	started := time.Now()
	for l.pass < l.opt.passes {
		l.fixed = nil
		now, err := l.lower(ctx, best)
		if err != nil {
			return err
		}
		l.fixed = nil
		l.pass++
		done := best-now < 1e-4*best
		best = now
		t.Report(kind.Progress{Step: l.pass, Of: l.opt.passes, Objective: best, HeldOut: math.NaN(),
			Seconds: time.Since(started).Seconds(), Note: "step of the concave-convex procedure"})
		if done {
			break
		}
		if err := keep.Save(state.Write); err != nil {
			return err
		}
	}
	return nil
}

// lower is one step: it returns the objective, which is not above before.
func (l *learner) lower(ctx context.Context, before float64) (float64, error) {
	fixed := make([][]int, len(l.docs))
	if err := l.complete(ctx, fixed); err != nil {
		return 0, err
	}
	l.fixed = fixed
	from := slices.Clone(l.weights.V)
	best, low := from, before
	at := l.pass
	defer func() { l.pass = at }()
	for inner := range l.opt.inner {
		l.pass = at + inner // shorter steps, another order
		if _, err := l.over(ctx); err != nil {
			return 0, err
		}
		bound, err := l.objective(ctx, fixed)
		if err != nil {
			return 0, err
		}
		if bound < low {
			low, best = bound, l.plain()
		}
	}
	copy(l.weights.V, best)
	l.weights.Scale, l.weights.Sum = 1, 0
	if l.weights.U != nil {
		clear(l.weights.U)
	}
	return l.objective(ctx, nil)
}

// plain is the weights as they stand.
func (l *learner) plain() []float32 {
	out := make([]float32, len(l.weights.V))
	for i, v := range l.weights.V {
		out[i] = float32(l.weights.Scale) * v
	}
	return out
}

// each calls a function with the features of each document.
func (l *learner) each(ctx context.Context, f func(k int, d *document, v *vectors)) error {
	var memory *vectors
	for k, d := range l.docs {
		v, err := l.vectorsOf(ctx, k, 0, memory)
		if err != nil {
			return err
		}
		l.begin(k)
		f(k, d, v)
		if memory = l.keep(k, v); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// complete chooses the best gold antecedent of each mention.
func (l *learner) complete(ctx context.Context, fixed [][]int) error {
	return l.each(ctx, func(k int, d *document, v *vectors) {
		for i := range d.mentions {
			l.right = d.right(i, l.right)
			fixed[k] = append(fixed[k], linking.Completion(l.score(d, v, i), l.right))
		}
	})
}

// objective is that of the weights as they stand, or its bound where gold antecedents are fixed.
func (l *learner) objective(ctx context.Context, fixed [][]int) (float64, error) {
	sum, n, rank := 0.0, 0, l.opt.ranking()
	err := l.each(ctx, func(k int, d *document, v *vectors) {
		for i := range d.mentions {
			row := l.score(d, v, i)
			l.right = d.right(i, l.right)
			coef := l.coefs(len(row))
			if fixed != nil {
				sum += rank.Bound(row, l.right, fixed[k][i], coef)
			} else {
				sum += rank.Gradient(row, l.right, coef)
			}
			n++
		}
	})
	norm := 0.0
	for _, v := range l.weights.V {
		norm += float64(v) * float64(v)
	}
	return sum/float64(max(1, n)) + l.opt.l2/2*norm*l.weights.Scale*l.weights.Scale, err
}

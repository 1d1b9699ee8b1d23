package semimarkov

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/engine/lattice"
	"parlance/algo/numeric/optimize"
	"parlance/algo/numeric/parallel"
)

// shards is in how many parts sequences are added up, whatever the number of workers.
const shards = 8

// Objective is Σ log Z(x; w) − w·observed + ½·L2·|w|² over sequences: the negative log-likelihood where observed is
// what gold segments have, or what a distribution expects of its own segments.
type Objective struct {
	Layout    *Layout
	Sequences []Sequence
	Observed  []float64 // by weight
	L2        float64
	Workers   int

	parts [shards]shardSum
}

type shardSum struct {
	chart *Chart
	grad  []float64
	sum   float64
}

// Eval returns the objective at w and writes its gradient.
func (o *Objective) Eval(ctx context.Context, w, grad []float64) (float64, error) {
	value := 0.0
	for i, x := range w {
		value += x * (0.5*o.L2*x - o.Observed[i])
		grad[i] = o.L2*x - o.Observed[i]
	}
	err := parallel.Reduce(ctx, o.Workers, shards, func(_, i int) error { return o.shard(ctx, i, w) }, func(i int) {
		value += o.parts[i].sum
		addRow(grad, o.parts[i].grad)
	})
	return value, err
}

func (o *Objective) shard(ctx context.Context, i int, w []float64) error {
	p := &o.parts[i]
	if p.chart == nil {
		p.chart, p.grad = NewChart(o.Layout), make([]float64, len(w))
	}
	clear(p.grad)
	p.sum = 0
	if err := p.chart.SetWeights(w); err != nil {
		return err
	}
	from, to := parallel.Shard(i, len(o.Sequences), shards)
	for k := from; k < to; k++ {
		s := &o.Sequences[k]
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.chart.Load(ctx, s, nil, nil); err != nil {
			return err
		}
		e := p.chart.Expect()
		if math.IsInf(e.LogZ, -1) {
			return fmt.Errorf("%w: sequence %d: %w", ErrInvalid, k, lattice.ErrNoPath)
		}
		p.sum += e.LogZ
		o.Layout.EachWeight(s, e, func(weight int, x float64) { p.grad[weight] += x })
	}
	return nil
}

// Observe sums up the attributes of all gold segmentations.
func Observe(l *Layout, d *Data) []float64 {
	out := make([]float64, l.Size())
	for i := range d.Gold {
		if d.Gold[i] != nil {
			l.AddGold(d, i, 1, out)
		}
	}
	return out
}

// Fit minimises the objective from w on, where it leaves the best weights. resume goes on from a state; it may be nil.
func (o *Objective) Fit(ctx context.Context, w []float64, by optimize.LBFGS, resume *optimize.State,
	report func(optimize.Iteration) bool) (optimize.Result, error) {
	by.Workers = o.Workers
	if len(w) == 0 {
		return optimize.Result{}, nil
	}
	if resume != nil {
		r, err := by.Resume(ctx, resume, o.Eval, report)
		if r.State != nil {
			copy(w, r.State.X)
		}
		return r, err
	}
	return by.Minimize(ctx, w, o.Eval, report)
}

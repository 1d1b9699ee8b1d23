package expectation

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/engine/semimarkov"
	"parlance/algo/numeric/optimize"
	"parlance/algo/numeric/parallel"
)

// shards is in how many parts rows are added up, whatever the number of workers.
const shards = 8

// Training is a model between two projections.
type Training struct {
	Layout    *semimarkov.Layout
	Problem   *Problem
	Sequences []semimarkov.Sequence // without labels
	Rows      []Row                 // of them
	Labelled  *semimarkov.Data      // sequences with gold segments, may be nil
	L2        float64
	Cap       float64 // |μ| is at most this
	Workers   int

	W  []float64 // λ
	Mu []float64
}

// Begin sets all weights and multipliers to 0.
func (t *Training) Begin() {
	t.W, t.Mu = make([]float64, t.Layout.Size()), make([]float64, t.Problem.Size())
}

// bounds are the box of the multipliers.
func (t *Training) bounds() (lower, upper []float64) {
	for i := range t.Problem.parts {
		lo, hi := -t.Cap, t.Cap
		if t.Problem.parts[i].lower {
			lo = 0
		}
		if t.Problem.parts[i].upper {
			hi = 0
		}
		lower, upper = append(lower, lo), append(upper, hi)
	}
	return lower, upper
}

// pass sums something up over all rows under the weights and multipliers. Each shard has its own sums.
func (t *Training) pass(ctx context.Context, w, mu []float64, sum func(shard, i int, e *semimarkov.Expected),
	add func(shard int)) error {
	return parallel.Reduce(ctx, t.Workers, shards, func(_, shard int) error {
		chart := semimarkov.NewChart(t.Layout)
		if err := chart.SetWeights(w); err != nil {
			return err
		}
		var x semimarkov.Extra
		from, to := parallel.Shard(shard, len(t.Rows), shards)
		for i := from; i < to; i++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			extra := (*semimarkov.Extra)(nil)
			if mu != nil {
				t.Problem.Add(&x, &t.Rows[i], mu)
				extra = &x
			}
			if err := chart.Load(ctx, &t.Sequences[i], extra, nil); err != nil {
				return err
			}
			sum(shard, i, chart.Expect())
		}
		return nil
	}, add)
}

// Dual returns Σ_x log Z_λμ(x) − μ·u + ½·penalty·μ², which is −D(μ) but for a constant, and writes its gradient.
func (t *Training) dual(ctx context.Context, u, mu, grad []float64) (float64, error) {
	var part [shards][]float64
	var logZ [shards]float64
	for i := range part {
		part[i] = make([]float64, len(mu))
	}
	value := 0.0
	for i, m := range mu {
		c := t.Problem.parts[i].penalty
		value += m * (0.5*c*m - u[i])
		grad[i] = c*m - u[i]
	}
	err := t.pass(ctx, t.W, mu, func(shard, i int, e *semimarkov.Expected) {
		logZ[shard] += e.LogZ
		t.Problem.Expect(part[shard], &t.Rows[i], e)
	}, func(shard int) {
		value += logZ[shard]
		for i, v := range part[shard] {
			grad[i] += v
		}
	})
	return value, err
}

// ProjectI sets μ so that q meets the constraints next to p. It returns the largest miss of a bound, as a share of what
// the constraint applies to.
func (t *Training) ProjectI(ctx context.Context, iterations int) (miss float64, err error) {
	u, counts := t.Problem.Targets(t.Rows)
	lower, upper := t.bounds()
	o := optimize.BLMVM{Memory: 10, Iterations: iterations, Epsilon: 1e-6 * max(1, float64(len(t.Rows))),
		Lower: lower, Upper: upper}
	f := func(ctx context.Context, mu, grad []float64) (float64, error) { return t.dual(ctx, u, mu, grad) }
	if _, _, err := o.Minimize(ctx, t.Mu, f, nil); err != nil {
		return 0, err
	}
	grad := make([]float64, len(t.Mu))
	if _, err := t.dual(ctx, u, t.Mu, grad); err != nil {
		return 0, err
	}
	for i, g := range grad { // E_q − u
		x := &t.Problem.parts[i]
		if x.penalty > 0 || x.lower && g > 0 || x.upper && g < 0 {
			continue
		}
		if c := counts[i]; c > 0 {
			miss = max(miss, math.Abs(g)/c)
		} else if x.per == segments {
			miss = max(miss, math.Abs(g)/max(1, float64(len(t.Rows))))
		}
	}
	return miss, nil
}

// ProjectM moves p towards q, which stays: L-BFGS from the present weights.
func (t *Training) ProjectM(ctx context.Context, iterations int) (optimize.Result, error) {
	observed, err := t.observed(ctx)
	if err != nil {
		return optimize.Result{}, err
	}
	all := t.Sequences
	if t.Labelled != nil {
		for i, v := range semimarkov.Observe(t.Layout, t.Labelled) {
			observed[i] += v
		}
		all = append(all[:len(all):len(all)], t.Labelled.Sequences...)
	}
	o := semimarkov.Objective{Layout: t.Layout, Sequences: all, Observed: observed, L2: t.L2, Workers: t.Workers}
	return o.Fit(ctx, t.W, optimize.LBFGS{Memory: 10, Iterations: iterations, Epsilon: 1e-6}, nil, nil)
}

// observed returns Σ_x E_q[G].
func (t *Training) observed(ctx context.Context) ([]float64, error) {
	var part [shards][]float64
	for i := range part {
		part[i] = make([]float64, len(t.W))
	}
	out := make([]float64, len(t.W))
	err := t.pass(ctx, t.W, t.Mu, func(shard, i int, e *semimarkov.Expected) {
		t.Layout.EachWeight(&t.Sequences[i], e, func(weight int, x float64) { part[shard][weight] += x })
	}, func(shard int) {
		for i, v := range part[shard] {
			out[i] += v
		}
	})
	return out, err
}

// Batch is the settings of training round by round.
type Batch struct {
	Rounds      int
	Multipliers int // iterations of a projection onto the constraints
	Weights     int // iterations of L-BFGS of one onto the models
}

// Report is one line of progress; true ends the training.
type Report func(step, of int, objective float64, note string) (stop bool, err error)

// Run alternates projections, from a round on.
func (b *Batch) Run(ctx context.Context, t *Training, from int, report Report) error {
	for round := from; round < b.Rounds; round++ {
		miss, err := t.ProjectI(ctx, b.Multipliers)
		if err != nil {
			return err
		}
		r, err := t.ProjectM(ctx, b.Weights)
		if err != nil {
			return err
		}
		stop, err := report(round+1, b.Rounds, r.Objective,
			fmt.Sprintf("largest miss of a constraint %.3f, largest multiplier %.2f", miss, largest(t.Mu)))
		if stop || err != nil {
			return err
		}
	}
	return nil
}

func largest(v []float64) (m float64) {
	for _, x := range v {
		m = max(m, math.Abs(x))
	}
	return m
}

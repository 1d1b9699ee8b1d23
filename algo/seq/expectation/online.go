package expectation

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"parlance/algo/engine/semimarkov"
)

// Online is the settings of training row by row: at a row x, with the old λ and μ,
//
//	μ ← μ + η_μ (u_x − E_q[g'])          then into its bounds
//	λ ← λ + η (E_q[g] − E_p[g] − L2·λ/n)
//
// for labelled rows g(x, s) − E_p[g] instead, and no step of μ. Steps are those of AdaGrad (Duchi, Hazan and Singer
// 2011), Rate/√Σ gradient², or 1/(t + 1/Rate), the same for μ. u_x is u/n or, Local, what the target is for the hits
// of the row. The penalty applies to the weights of a row.
type Online struct {
	Passes  int
	Rate    float64
	MuRate  float64 // step of μ with AdaGrad
	Inverse bool    // steps of 1/(t + 1/Rate)
	Local   bool
	Order   func(pass int) *rand.Rand // of shuffling; nil: as they are
}

// OnlineState is what goes on from one pass to the next besides λ and μ.
type OnlineState struct {
	Step      int
	Squares   []float64 // Σ gradient² by weight
	MuSquares []float64 // and by multiplier
}

// onlineRun is one training under way.
type onlineRun struct {
	*Online
	t     *Training
	state *OnlineState
	chart *semimarkov.Chart
	n     int // rows of both sorts

	u, lower, upper []float64
	extra           semimarkov.Extra
	q               semimarkov.Expected
	muGrad          []float64
	hits            []int32
	grad            []float64
	touched         []int
	distance        float64 // Σ of |E_q − E_p| over token marginals, of a pass
}

// Run makes passes, from a pass on.
func (o *Online) Run(ctx context.Context, t *Training, state *OnlineState, from int, report Report) error {
	r := &onlineRun{Online: o, t: t, state: state, chart: semimarkov.NewChart(t.Layout), n: len(t.Rows)}
	if t.Labelled != nil {
		r.n += len(t.Labelled.Sequences)
	}
	if state.Squares == nil {
		state.Squares = make([]float64, len(t.W))
	}
	if state.MuSquares == nil {
		state.MuSquares = make([]float64, len(t.Mu))
	}
	r.u, _ = t.Problem.Targets(t.Rows)
	r.lower, r.upper = t.bounds()
	r.muGrad, r.grad = make([]float64, len(t.Mu)), make([]float64, len(t.W))
	for pass := from; pass < o.Passes; pass++ {
		order := make([]int, r.n)
		for i := range order {
			order[i] = i
		}
		if o.Order != nil {
			o.Order(pass).Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
		}
		r.distance = 0
		for _, i := range order {
			if err := r.row(ctx, i); err != nil {
				return err
			}
		}
		stop, err := report(pass+1, o.Passes, r.distance/float64(max(1, len(t.Rows))),
			fmt.Sprintf("largest multiplier %.2f", largest(t.Mu)))
		if stop || err != nil {
			return err
		}
	}
	return nil
}

// row makes the step of a row: those without labels come first.
func (r *onlineRun) row(ctx context.Context, i int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r.state.Step++
	if err := r.chart.SetWeights(r.t.W); err != nil {
		return err
	}
	if k := i - len(r.t.Rows); k >= 0 {
		return r.labelled(ctx, k)
	}
	t, x, s := r.t, &r.t.Rows[i], &r.t.Sequences[i]
	t.Problem.Add(&r.extra, x, t.Mu)
	if err := r.chart.Load(ctx, s, &r.extra, nil); err != nil {
		return err
	}
	r.q.Copy(r.chart.Expect())
	clear(r.muGrad)
	t.Problem.Expect(r.muGrad, x, &r.q)
	if err := r.chart.Load(ctx, s, nil, nil); err != nil {
		return err
	}
	r.q.Subtract(r.chart.Expect())
	for _, v := range r.q.Token {
		r.distance += math.Abs(v)
	}
	t.Layout.EachWeight(s, &r.q, r.add)
	r.stepMu(x)
	r.stepWeights()
	return nil
}

func (r *onlineRun) labelled(ctx context.Context, k int) error {
	d := r.t.Labelled
	if err := r.chart.Load(ctx, &d.Sequences[k], nil, nil); err != nil {
		return err
	}
	r.t.Layout.EachWeight(&d.Sequences[k], r.chart.Expect(), func(weight int, x float64) { r.add(weight, -x) })
	r.t.Layout.EachGold(d, k, r.add)
	r.stepWeights()
	return nil
}

// add adds to the gradient of a weight.
func (r *onlineRun) add(weight int, x float64) {
	if r.grad[weight] == 0 {
		r.touched = append(r.touched, weight)
	}
	if r.grad[weight] += x; r.grad[weight] == 0 {
		r.grad[weight] = math.SmallestNonzeroFloat64 // touched, and so listed once
	}
}

// rate is the step of a row with 1/(t + 1/Rate).
func (r *onlineRun) rate() float64 { return 1 / (float64(r.state.Step) + 1/r.Rate) }

func (r *onlineRun) stepMu(x *Row) {
	p := r.t.Problem
	r.hits = p.countHits(r.hits, x)
	step := r.MuRate
	if r.Inverse {
		step = r.rate()
	}
	for k := range p.parts {
		part := &p.parts[k]
		u := r.u[k] / float64(len(r.t.Rows))
		if r.Local {
			if u = part.rate * p.count(part, x, r.hits); part.trigger >= 0 && r.hits[part.trigger] == 0 {
				continue
			}
		}
		m := r.t.Mu[k]
		g := u - r.muGrad[k] - part.penalty*m/float64(len(r.t.Rows))
		if !r.Inverse {
			if r.state.MuSquares[k] += g * g; r.state.MuSquares[k] > 0 {
				g /= math.Sqrt(r.state.MuSquares[k])
			}
		}
		m += step * g
		r.t.Mu[k] = min(max(m, r.lower[k]), r.upper[k])
	}
}

func (r *onlineRun) stepWeights() {
	decay := r.t.L2 / float64(r.n)
	for _, k := range r.touched {
		g := r.grad[k] - decay*r.t.W[k]
		r.grad[k] = 0
		if r.Inverse {
			r.t.W[k] += r.rate() * g
			continue
		}
		if r.state.Squares[k] += g * g; r.state.Squares[k] > 0 {
			r.t.W[k] += r.Rate * g / math.Sqrt(r.state.Squares[k])
		}
	}
	r.touched = r.touched[:0]
}

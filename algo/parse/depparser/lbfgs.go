package depparser

import (
	"context"
	"fmt"

	"parlance/algo/kind"
	"parlance/algo/numeric/optimize"
)

// fitBatch minimises Σ −ln p(gold) + ½·l2·‖w‖² by L-BFGS over the places of all tables. The
// gradient is summed in the order of the sentences, whatever the number of workers. from is where it goes
// on, nil to begin.
func (p *parser) fitBatch(ctx context.Context, items []*item, ws []*worker, from *optimize.State, l2 float64, steps int,
	report func(optimize.Iteration) bool) error {
	list := p.scorer.tables()
	var at [tables]int
	n := 0
	for i, t := range list {
		if t != nil {
			at[i] = n
			n += len(t.w)
		}
	}
	x := make([]float64, n)
	set := func(x []float64) {
		for i, t := range list {
			if t != nil {
				for k := range t.w {
					t.w[k] = float32(x[at[i]+k])
				}
			}
		}
	}
	var us [maxBatch]update
	value := func(ctx context.Context, x, grad []float64) (float64, error) {
		set(x)
		return batchLoss(ctx, items, ws, us[:], at[:], l2, x, grad)
	}
	o := optimize.LBFGS{Iterations: steps, Epsilon: 1e-5, Workers: len(ws)}
	if from == nil {
		if _, err := o.Minimize(ctx, x, value, report); err != nil {
			return err
		}
		set(x)
		return nil
	}
	if len(from.X) != n {
		return kind.Corrupt("minimisation", fmt.Sprintf("is of another training: %d weights are wanted", n))
	}
	set(from.X)
	if _, err := o.Resume(ctx, from, value, report); err != nil {
		return err
	}
	set(from.X)
	return nil
}

// batchLoss returns the negative log likelihood of the items with the penalty of the weights x, and its gradient. The
// weights of table k begin at at[k]; us is a buffer for maxBatch items.
func batchLoss(ctx context.Context, items []*item, ws []*worker, us []update, at []int, l2 float64,
	x, grad []float64) (float64, error) {
	sum := 0.0
	for i, v := range x {
		grad[i] = l2 * v
		sum += l2 * v * v / 2
	}
	for from := 0; from < len(items); from += maxBatch {
		now := items[from:min(from+maxBatch, len(items))]
		each(ws, len(now), func(w *worker, i int) { us[i].prepare(ctx, w, likelihood{}, now[i]) })
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		for i := range now {
			sum += us[i].g.loss
			for k, places := range us[i].places {
				for j, place := range places {
					grad[at[k]+int(place)] -= us[i].coef[k][j]
				}
			}
		}
	}
	return sum, nil
}

package lookahead

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"parlance/algo/kind"
)

// learner goes over sentences, updating weights.
type learner interface {
	// sentences returns how many there are.
	sentences() int
	// learn walks the gold actions of sentence i and returns how many of them led to an update.
	learn(ctx context.Context, i int) (updates int, err error)
	// model returns the average of the weights so far.
	model() (*model, error)
}

// fit runs the epochs, each over the sentences in an order drawn from the seed and the epoch, and
// returns the last model, or the best on held-out documents.
func (m *model) fit(ctx context.Context, t *kind.Training, l learner) (*model, error) {
	var best *model
	top, stale := math.Inf(-1), 0
	order := make([]int, l.sentences())
	for epoch := 1; epoch <= m.opt.epochs; epoch++ {
		updates, err := pass(ctx, l, order, rand.New(rand.NewPCG(t.Seed, uint64(epoch))))
		if err != nil {
			return nil, err
		}
		p := kind.Progress{Step: epoch, Of: m.opt.epochs, Objective: float64(updates), HeldOut: math.NaN(), Note: fmt.Sprintf("epoch, %d updates", updates)}
		if t.Score == nil {
			t.Report(p)
			if updates == 0 { // nor will there be any
				break
			}
			continue
		}
		now, err := l.model()
		if err != nil {
			return nil, err
		}
		if p.HeldOut, p.Metric, err = t.Score(ctx, now); err != nil {
			return nil, err
		}
		t.Report(p)
		if stale++; best == nil || p.HeldOut > top {
			best, top, stale = now, p.HeldOut, 0
		}
		if m.opt.patience > 0 && stale >= m.opt.patience {
			break
		}
	}
	if best != nil {
		return best, nil
	}
	return l.model()
}

// pass is one epoch.
func pass(ctx context.Context, l learner, order []int, rng *rand.Rand) (updates int, err error) {
	for i := range order {
		order[i] = i
	}
	rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	for _, i := range order {
		if err := ctx.Err(); err != nil {
			return updates, err
		}
		n, err := l.learn(ctx, i)
		if err != nil {
			return updates, err
		}
		updates += n
	}
	return updates, nil
}

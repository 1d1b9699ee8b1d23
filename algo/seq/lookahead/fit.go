package lookahead

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"parlance/algo/checkpoint"
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
	// state is what learning goes on from between two epochs.
	state() checkpoint.State
}

// fit runs the epochs, each over the sentences in an order drawn from the seed and the epoch, and
// returns the last model, or the best on held-out documents.
func (m *model) fit(ctx context.Context, t *kind.Training, l learner) (*model, error) {
	best, epoch := checkpoint.Best{New: func() kind.Model { return &model{opt: m.opt} }}, 0
	state := l.state().With("epoch", checkpoint.Value(&epoch)).With("best", &best)
	if t.Resume != nil {
		if err := state.Read(t.Resume); err != nil {
			return nil, err
		}
	}
	keep, order := checkpoint.NewKeeper(t), make([]int, l.sentences())
	for epoch < m.opt.epochs {
		epoch++
		updates, err := pass(ctx, l, order, rand.New(rand.NewPCG(t.Seed, uint64(epoch))))
		if err != nil {
			return nil, err
		}
		p := kind.Progress{Step: epoch, Of: m.opt.epochs, Objective: float64(updates), HeldOut: math.NaN(),
			Note: fmt.Sprintf("epoch, %d updates", updates)}
		more := t.Score != nil || updates > 0 // else nor will there be any
		if t.Score != nil {
			now, err := l.model()
			if err != nil {
				return nil, err
			}
			if p.HeldOut, p.Metric, err = t.Score(ctx, now); err != nil {
				return nil, err
			}
			best.Better(now, p.HeldOut, epoch)
			more = m.opt.patience == 0 || best.Stale < m.opt.patience
		}
		t.Report(p)
		if !more {
			break
		}
		if err := keep.Save(state.Write); err != nil {
			return nil, err
		}
	}
	if kept, ok := best.Model.(*model); ok {
		return kept, nil
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

package latentclasses

import (
	"context"
	"math"
	"strconv"
	"time"

	"parlance/algo/checkpoint"
	"parlance/algo/kind"
)

// climb is the starts of a training, one after the other.
type climb struct {
	m    *model
	t    *kind.Training
	x    *mixture
	keep *checkpoint.Keeper
	best checkpoint.Best // by log-likelihood, of the starts that are done
	at   place
}

// place is how far a training is.
type place struct {
	Start     int
	Iteration int     // done
	Last      float64 // log-likelihood before the last iteration
}

// start draws the probabilities of a start.
func (c *climb) start(ctx context.Context) error { return c.x.start(ctx, c.t.Seed, uint64(c.at.Start)) }

// state is what a training goes on from; it refers to the probabilities as they stand. The classes of words that
// are left out follow from them.
func (c *climb) state() checkpoint.State {
	return checkpoint.State{}.With("place", checkpoint.Value(&c.at)).With("best", &c.best).
		With("words", checkpoint.Float64s(c.x.shard.words)).With("contexts", checkpoint.Float64s(c.x.c.p))
}

// begin makes the first start, or goes on from a checkpoint.
func (c *climb) begin(ctx context.Context) error {
	if err := c.start(ctx); err != nil || c.t.Resume == nil {
		return err
	}
	if err := c.state().Read(c.t.Resume); err != nil {
		return err
	}
	c.x.shard.find(c.x.classes)
	c.x.c.start = nil // checkpoints are written behind the first iteration
	return nil
}

// top iterates and returns the log-likelihood before the last iteration.
func (c *climb) top(ctx context.Context) (float64, error) {
	began, o := time.Now(), &c.m.opt
	note := "log-likelihood"
	if o.restarts > 1 {
		note += ", start " + strconv.Itoa(c.at.Start+1)
	}
	for {
		prune := 0.0
		if c.at.Iteration >= o.pruneFrom {
			prune = o.prune
		}
		likelihood, err := c.x.step(ctx, prune)
		if err != nil {
			return 0, err
		}
		c.at.Iteration++
		c.t.Report(kind.Progress{Step: c.at.Start*o.iterations + c.at.Iteration, Of: o.restarts * o.iterations,
			Objective: likelihood, HeldOut: math.NaN(), Seconds: time.Since(began).Seconds(), Note: note})
		gain := likelihood - c.at.Last
		if c.at.Iteration == o.iterations || c.at.Iteration > 1 && gain <= o.tolerance*math.Abs(likelihood) {
			return likelihood, nil
		}
		c.at.Last = likelihood
		if err := c.keep.Save(c.state().Write); err != nil {
			return 0, err
		}
	}
}

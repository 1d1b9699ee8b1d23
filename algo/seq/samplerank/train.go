package samplerank

import (
	"context"
	"errors"
	"fmt"
	"math"

	"parlance/algo/checkpoint"
	"parlance/algo/engine/chain"
	"parlance/algo/engine/mcmc"
	"parlance/algo/kind"
	"parlance/algo/seq/tagger"
)

// Train fits the weights.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	c, err := m.read(ctx, t)
	if err != nil {
		return err
	}
	r := &run{model: m, t: t, corpus: c, keep: checkpoint.NewKeeper(t)}
	if r.learner, err = newLearner(c.Data, m.opt.rate, m.opt.margin, m.opt.temperature, t.Seed); err != nil {
		return err
	}
	truth := make(mcmc.Truth, len(c.Gold))
	for i, g := range c.Gold {
		truth[i] = int32(g)
	}
	r.learner.objective = m.objective(c.labelledTokens(), truth, c.constraints)
	if t.Resume != nil {
		if err := r.resume(); err != nil {
			return err
		}
	}
	of := m.opt.passes
	if m.opt.objective != objectiveTruth {
		of *= 2
	}
	for r.done < of {
		if err := r.pass(ctx, of); err != nil {
			return err
		}
	}
	trained, err := r.chain()
	if err != nil {
		return err
	}
	if err := m.Keep(ctx, c.Data, trained); err != nil {
		return err
	}
	return m.ready()
}

// run is a training under way.
type run struct {
	model   *model
	t       *kind.Training
	corpus  *corpus
	learner *learner
	keep    *checkpoint.Keeper
	done    int // passes
}

// pass makes the next pass of a stage, and begins the second stage where it is due.
func (r *run) pass(ctx context.Context, of int) error {
	tokens, stage := r.corpus.labelledTokens(), "labelled"
	if r.done >= r.model.opt.passes {
		tokens, stage = len(r.learner.y), "all"
	}
	if r.done == r.model.opt.passes {
		if err := r.predict(ctx); err != nil {
			return err
		}
	}
	before := r.learner.Updates
	if err := r.learner.pass(ctx, tokens); err != nil {
		return err
	}
	r.done++
	labelled := r.corpus.labelledTokens()
	p := kind.Progress{Step: r.done, Of: of, Objective: float64(r.learner.wrong(labelled)), HeldOut: math.NaN(),
		Note: fmt.Sprintf("%s: %d updates", stage, r.learner.Updates-before)}
	if r.t.Score != nil {
		now := *r.model
		c, err := r.chain()
		if err != nil {
			return err
		}
		now.Trained = tagger.Trained{Labels: r.corpus.Names, Alphabet: r.corpus.Alphabet, Chain: c}
		if err := now.ready(); err != nil {
			return err
		}
		if p.HeldOut, p.Metric, err = r.t.Score(ctx, &now); err != nil {
			return err
		}
	}
	r.t.Report(p)
	return r.keep.Save(r.state().Write)
}

// weights are those that count: the mean of the stage or the last ones.
func (r *run) weights() []float64 {
	if r.model.opt.average {
		return r.learner.Average()
	}
	return r.learner.Weights
}

func (r *run) chain() (*chain.Model, error) { return r.learner.chain(r.weights()) }

// predict begins the second stage: the chain of the first labels the sentences without gold, which are the state to
// start from and what self takes for the truth, and averages begin anew.
func (r *run) predict(ctx context.Context) error {
	l, d := r.learner, r.corpus
	c, err := r.chain()
	if err != nil {
		return err
	}
	ruled, err := c.NewDecoder(r.model.opt.Rules(d.Names))
	if err != nil {
		return err
	}
	free, err := c.NewDecoder(nil)
	if err != nil {
		return err
	}
	for i := d.Labelled; i < d.Sequences(); i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		ruled.Load(d.Sequence(i))
		best, _, err := ruled.Viterbi()
		if errors.Is(err, chain.ErrNoPath) {
			free.Load(d.Sequence(i))
			best, _, err = free.Viterbi()
		}
		if err != nil {
			return err
		}
		for k, y := range best {
			t := int(d.Offsets[i]) + k
			l.y[t], l.objective.truth[t] = int32(y), int32(y)
		}
	}
	next := mcmc.NewSampleRank(len(l.Weights), l.Rate, l.Margin)
	copy(next.Weights, r.weights())
	l.SampleRank = next
	return nil
}

// state is what a training goes on from after a pass.
func (r *run) state() checkpoint.State {
	l := r.learner
	time, summed := l.State()
	return checkpoint.State{}.With("passes", checkpoint.Value(&r.done)).With("time", checkpoint.Value(time)).
		With("updates", checkpoint.Value(&l.Updates)).With("weights", checkpoint.Float64s(l.Weights)).
		With("summed", checkpoint.Float64s(summed)).With("labels", checkpoint.Value(&l.y)).
		With("truth", checkpoint.Value(&l.objective.truth)).With("random", checkpoint.Random(l.random))
}

// resume goes on from a checkpoint.
func (r *run) resume() error {
	tokens := len(r.learner.y)
	if err := r.state().Read(r.t.Resume); err != nil {
		return err
	}
	l := r.learner
	for _, list := range [][]int32{l.y, l.objective.truth} {
		if len(list) != tokens {
			return kind.Corrupt("labels", "are of another training")
		}
		for _, y := range list {
			if y < 0 || y >= l.labels {
				return kind.Corrupt("labels", "are of another training")
			}
		}
	}
	// the lists may have been made anew
	l.objective = r.model.objective(l.objective.labelled, l.objective.truth, r.corpus.constraints)
	return nil
}

package tagger

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/checkpoint"
	"parlance/algo/engine/chain"
	"parlance/algo/kind"
)

// OnlineFit is the settings of a training sequence by sequence.
type OnlineFit struct {
	chain.Online
	Patience      int // as in Fit, counted in scores
	ValidateEvery int // epochs between scores
	Candidate     func(*chain.Model) (kind.Model, error)
}

// TrainOnline fits a chain to the data epoch by epoch: reports progress, scores on held-out documents, keeps
// checkpoints and resumes from them.
func TrainOnline(ctx context.Context, t *kind.Training, data *Data, f OnlineFit) (*chain.Model, error) {
	f.Seed = t.Seed
	var best held
	var failed error
	keep := checkpoint.NewKeeper(t)
	if t.Resume != nil {
		f.Restore = func(s chain.LearnerState) error { return stateOf(s, &best).Read(t.Resume) }
	}
	tokens := float64(data.Tokens())
	c, _, err := chain.TrainOnline(ctx, &data.Data, f.Online, func(p chain.Pass) (stop bool) {
		out := kind.Progress{Step: p.Epoch, Of: p.Of, Objective: p.Objective, HeldOut: math.NaN()}
		if f.Rule < chain.Gradient {
			out.Objective = float64(p.Errors)
			out.Note = fmt.Sprintf("%d updates, training error %.4f", p.Updates, float64(p.Errors)/tokens)
		}
		if t.Score != nil && (p.Epoch%f.ValidateEvery == 0 || p.Epoch == p.Of || p.Updates == 0) {
			stop, failed = best.score(ctx, t, p.Epoch, p.Model(), f, &out)
		}
		t.Report(out)
		if failed == nil && !stop && p.Updates > 0 {
			failed = keep.Save(stateOf(p.State(), &best).Write)
		}
		return stop || failed != nil
	})
	if failed != nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	if best.model != nil {
		return best.model, nil
	}
	return c, nil
}

// stateOf is what a training goes on from.
func stateOf(s chain.LearnerState, best *held) checkpoint.State {
	out := checkpoint.State{}.With("epoch", checkpoint.Value(s.Epoch)).With("held", best)
	for i, x := range s.Numbers {
		out = out.With(fmt.Sprintf("number%d", i), checkpoint.Value(x))
	}
	for i, v := range s.Vectors {
		out = out.With(fmt.Sprintf("vector%d", i), checkpoint.Float64s(v))
	}
	return out
}

// score scores a model on held-out documents and tells whether patience is at its end.
func (h *held) score(ctx context.Context, t *kind.Training, epoch int, c *chain.Model, f OnlineFit,
	out *kind.Progress) (bool, error) {
	m, err := f.Candidate(c)
	if err == nil {
		out.HeldOut, out.Metric, err = t.Score(ctx, m)
	}
	if err != nil || f.Patience == 0 {
		return err != nil, err
	}
	if h.model == nil || out.HeldOut > h.Score {
		*h = held{Score: out.HeldOut, Step: epoch, model: c}
		return false, nil
	}
	h.Stale++
	return h.Stale >= f.Patience, nil
}

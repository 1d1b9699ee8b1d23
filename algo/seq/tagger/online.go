package tagger

import (
	"context"
	"fmt"
	"math"

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

// TrainOnline fits a chain to the data epoch by epoch: reports progress and scores on held-out
// documents. It keeps no checkpoints: an interrupted training starts again.
func TrainOnline(ctx context.Context, t *kind.Training, data *Data, f OnlineFit) (*chain.Model, error) {
	f.Seed = t.Seed
	var best held
	var failed error
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

// score scores a model on held-out documents and tells whether patience is at its end.
func (h *held) score(ctx context.Context, t *kind.Training, epoch int, c *chain.Model, f OnlineFit, out *kind.Progress) (bool, error) {
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

package tagger

import (
	"bytes"
	"context"
	"math"

	"parlance/algo/checkpoint"
	"parlance/algo/engine/chain"
	"parlance/algo/kind"
)

// Fit is the settings of a training besides those of the chain.
type Fit struct {
	chain.Options
	Patience      int // scores without a better one before the end; 0: never ends early
	ValidateEvery int // iterations between scores
	// Candidate makes a model of weights as they stand, for scoring.
	Candidate func(*chain.Model) (kind.Model, error)
}

// fitting is one training under way.
type fitting struct {
	Fit
	t    *kind.Training
	ctx  context.Context
	keep *checkpoint.Keeper
	best held
	err  error
}

// held is the best model by held-out score so far, for early stopping.
type held struct {
	Score float64
	Stale int // scores since
	Step  int
	model *chain.Model
}

// Train fits a chain to the data: reports progress, scores on held-out documents, keeps
// checkpoints and resumes from them.
func Train(ctx context.Context, t *kind.Training, data *Data, o Fit) (*chain.Model, error) {
	f := fitting{Fit: o, t: t, ctx: ctx, keep: checkpoint.NewKeeper(t)}
	f.Workers, f.Seed = t.Workers, t.Seed
	f.WarmStart = f.WarmStart && f.L1 == 0 && f.Initial == nil
	if t.Resume != nil {
		if err := f.resume(); err != nil {
			return nil, err
		}
	}
	c, sum, err := chain.Train(ctx, &data.Data, f.Options, f.report)
	if f.err != nil {
		err = f.err
	}
	if err != nil {
		return nil, err
	}
	t.Report(kind.Progress{Step: sum.Iterations, Of: f.Iterations, Objective: sum.Objective, HeldOut: math.NaN(),
		Note: sum.Status.String()})
	if sum.Limited() {
		t.Unconverged("iterations", f.Iterations)
	}
	if f.best.model != nil {
		return f.best.model, nil
	}
	return c, nil
}

// report passes progress on, scores the model as it stands and keeps checkpoints.
func (f *fitting) report(p chain.Progress) (stop bool) {
	out := kind.Progress{Step: p.Step, Of: p.Of, Objective: p.Objective, HeldOut: math.NaN(), Note: p.Phase.String()}
	if p.Phase == chain.Fitting {
		f.measure(p, &out)
	}
	if f.t.Score != nil && p.Phase == chain.Fitting && p.Step%f.ValidateEvery == 0 {
		stop = f.score(p, &out)
	}
	f.t.Report(out)
	if f.err == nil {
		f.err = f.keep.Save(func(w *kind.Writer) error { return f.save(w, p) })
	}
	return stop || f.err != nil
}

// measure adds the gap to the optimum, F − F* ≤ |∇F|²/(2·L2) as the objective is strongly convex, and
// with an L1 penalty the weights that are left.
func (f *fitting) measure(p chain.Progress, out *kind.Progress) {
	if f.L1 == 0 && f.L2 > 0 && !f.WarmStart {
		if gap := p.GradientNorm * p.GradientNorm / (2 * f.L2); gap < p.Objective {
			out.Gap = gap / (p.Objective - gap)
		}
	}
	if f.L1 > 0 {
		for _, w := range p.Model().Parts().Weights {
			if w != 0 {
				out.Active++
			}
		}
	}
}

// score scores the model on held-out documents and tells whether patience is at its end.
func (f *fitting) score(p chain.Progress, out *kind.Progress) bool {
	c := p.Model()
	m, err := f.Candidate(c)
	if err == nil {
		out.HeldOut, out.Metric, err = f.t.Score(f.ctx, m)
	}
	if f.err = err; err != nil {
		return true
	}
	if f.Patience == 0 {
		return false
	}
	if f.best.model == nil || out.HeldOut > f.best.Score {
		f.best = held{Score: out.HeldOut, Step: p.Step, model: c}
		return false
	}
	f.best.Stale++
	return f.best.Stale >= f.Patience
}

// save writes a checkpoint.
func (f *fitting) save(w *kind.Writer, p chain.Progress) error {
	if err := w.Stream("checkpoint", p.Checkpoint); err != nil {
		return err
	}
	return f.best.Write(w, "held")
}

func (f *fitting) resume() error {
	b, err := f.t.Resume.Bytes("checkpoint")
	if err != nil {
		return err
	}
	f.Options.Resume = bytes.NewReader(b)
	return f.best.Read(f.t.Resume, "held")
}

// Write and Read make what is held a part of the state of a training.
func (h *held) Write(w *kind.Writer, section string) error {
	if err := w.JSON(section, h); err != nil || h.model == nil {
		return err
	}
	return Encode(w, h.model)
}

func (h *held) Read(r *kind.Reader, section string) (err error) {
	if err := r.JSON(section, h); err != nil || h.Step == 0 {
		return err
	}
	h.model, err = Decode(r)
	return err
}

package crf

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"

	"parlance/algo/checkpoint"
	"parlance/algo/engine/chain"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/seq/tagger"
)

// beginIterations is how many iterations of order 1 a training of order 2 begins with at most.
const beginIterations = 50

// declareOrder declares the option order.
func (m *model) declareOrder(s *option.Set) {
	s.Int(&m.opt.order, "order", 1, 1, 2, "1: a label depends on the one before; 2: on the two before, among the pairs "+
		"of labels that the data has (transitions = all: that the scheme allows). 2 is for lbfgs with l2 and keeps to the "+
		"scheme in any case")
	s.Check("order", func() error {
		switch {
		case m.opt.order == 1:
			return nil
		case m.opt.optimizer != "lbfgs":
			return fmt.Errorf("order = 2 is trained by optimizer = lbfgs; this training has optimizer = %s", m.opt.optimizer)
		case m.opt.L1 > 0:
			return fmt.Errorf("order = 2 takes l2 only; this training has l1 = %g", m.opt.L1)
		}
		return nil
	})
}

// trainSecond fits a chain of second order and keeps it.
func (m *model) trainSecond(ctx context.Context, t *kind.Training, data *tagger.Data, initial *chain.Model) error {
	o := m.opt.Fit().Options
	o.Workers, o.Seed, o.Initial = t.Workers, t.Seed, initial
	o.AllStates, o.AllTransitions, o.WarmStart = m.opt.states == "all", m.opt.transitions == "all", m.opt.warmStart
	possible := data.Possible(o.AllTransitions, m.opt.Rules(data.Names))
	if m.opt.warmStart && initial == nil && t.Resume == nil {
		begin := o
		begin.Iterations, begin.AllTransitions = min(o.Iterations, beginIterations), false
		c, _, err := chain.Train(ctx, &data.Data, begin, func(p chain.Progress) bool {
			t.Report(kind.Progress{Step: p.Step, Of: p.Of, Objective: p.Objective, HeldOut: math.NaN(),
				Note: "order 1, " + p.Phase.String()})
			return false
		})
		if err != nil {
			return err
		}
		o.Initial = c
	}
	f := secondFit{m: m, ctx: ctx, t: t, data: data, keep: checkpoint.NewKeeper(t)}
	f.best.New = func() kind.Model { return &model{opt: m.opt} }
	if t.Resume != nil {
		var err error
		if o.Resume, err = f.resume(); err != nil {
			return err
		}
	}
	c, sum, err := chain.TrainSecond(ctx, &data.Data, possible, o, f.report)
	if f.err != nil {
		err = f.err
	}
	if err != nil {
		return err
	}
	t.Report(kind.Progress{Step: sum.Iterations, Of: o.Iterations, Objective: sum.Objective, HeldOut: math.NaN(),
		Note: sum.Status.String()})
	if sum.Limited() {
		t.Unconverged("iterations", o.Iterations)
	}
	now, ok := f.best.Model.(*model)
	if !ok {
		if now, err = m.ofSecond(ctx, data, c); err != nil {
			return err
		}
	}
	*m = *now
	return m.ready()
}

// ofSecond is the model of a chain of second order, without the weights of 0.
func (m *model) ofSecond(ctx context.Context, data *tagger.Data, c *chain.Second) (*model, error) {
	first, alphabet, err := tagger.Compact(ctx, c.First(), data.Alphabet)
	if err != nil {
		return nil, err
	}
	now := *m
	now.Trained = tagger.Trained{Labels: data.Names, Alphabet: alphabet, Chain: first}
	if now.second, err = first.Second(c.Pairs(), c.Triples()); err != nil {
		return nil, err
	}
	return &now, now.ready()
}

// secondFit scores a training of second order and keeps its checkpoints.
type secondFit struct {
	m    *model
	ctx  context.Context
	t    *kind.Training
	data *tagger.Data
	keep *checkpoint.Keeper
	best checkpoint.Best
	err  error
}

// save writes a checkpoint.
func (f *secondFit) save(w *kind.Writer, p chain.SecondProgress) error {
	if err := w.Stream("checkpoint", p.Checkpoint); err != nil {
		return err
	}
	return f.best.Write(w, "best")
}

func (f *secondFit) resume() (io.Reader, error) {
	b, err := f.t.Resume.Bytes("checkpoint")
	if err != nil {
		return nil, err
	}
	return bytes.NewReader(b), f.best.Read(f.t.Resume, "best")
}

func (f *secondFit) report(p chain.SecondProgress) (stop bool) {
	out := kind.Progress{Step: p.Step, Of: p.Of, Objective: p.Objective, HeldOut: math.NaN(), Note: "order 2, l-bfgs"}
	if f.t.Score != nil && p.Step%f.m.opt.ValidateEvery == 0 {
		stop = f.held(p, &out)
	}
	f.t.Report(out)
	if f.err == nil && !stop {
		f.err = f.keep.Save(func(w *kind.Writer) error { return f.save(w, p) })
	}
	return stop || f.err != nil
}

// held scores the model as it stands and tells whether patience is at its end.
func (f *secondFit) held(p chain.SecondProgress, out *kind.Progress) bool {
	c, err := p.Model()
	var now *model
	if err == nil {
		now, err = f.m.ofSecond(f.ctx, f.data, c)
	}
	if err == nil {
		out.HeldOut, out.Metric, err = f.t.Score(f.ctx, now)
	}
	if f.err = err; err != nil || f.m.opt.Patience == 0 {
		return err != nil
	}
	return !f.best.Better(now, out.HeldOut, p.Step) && f.best.Stale >= f.m.opt.Patience
}

package nonlocal

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/checkpoint"
	"parlance/algo/kind"
)

var rules = map[string]rule{"perceptron": plain, "averaged": plain, "margin": margin, "candidate": candidate,
	"proposed": proposed}

// Train fits the weights. Checkpoints are kept between passes; what the algorithms rerank1 and rerank2 choose from is
// made again.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	d, err := m.readData(ctx, t)
	if err != nil {
		return err
	}
	m.margin = m.opt.margin * 2 * d.texts.meanFeatures()
	f := &fitting{m: m, t: t, d: d}
	if m.opt.algorithm == "rerank1" || m.opt.algorithm == "rerank2" {
		return f.rerank(ctx)
	}
	s := settings{local: m.margin, total: m.margin, n: m.opt.candidates,
		rule:         rules[m.opt.algorithm],
		conservative: m.opt.localUpdate == "conservative", priorityLocal: m.opt.priority == "local"}
	l := newLearner(d.texts, s, f.averages())
	if err := f.begin(ctx, l); err != nil {
		return err
	}
	err = f.passes(ctx, l, l.pass, func() (*model, error) {
		w := l.Mean()
		local := d.texts.local()
		now := *m
		return &now, now.adopt(d, w[:local:local], nil, 1, w[local:])
	})
	return err
}

// meanFeatures is the mean number of local features of a token.
func (x *texts) meanFeatures() float64 {
	return float64(len(x.node.list)+len(x.edge.list)) / float64(max(1, len(x.gold)))
}

// fitting is one training under way.
type fitting struct {
	m *model
	t *kind.Training
	d *data
}

// averages reports whether the mean of the weights is wanted.
func (f *fitting) averages() bool {
	switch f.m.opt.algorithm {
	case "perceptron":
		return false
	case "averaged":
		return true
	}
	return f.m.opt.average
}

// begin sets the weights of a learner to the mean of those of single passes in random orders.
func (f *fitting) begin(ctx context.Context, l *learner) error {
	runs := f.m.opt.bpmRuns
	for r := range runs {
		once := newLearner(l.x, l.settings, false)
		once.gold, once.known = l.gold, l.known
		if _, err := once.pass(ctx, order(l.x.len(), int64(f.t.Seed&math.MaxInt64), -1-r)); err != nil {
			return err
		}
		for i, v := range once.W {
			l.W[i] += v / float64(runs)
		}
	}
	return nil
}

// progress is how far the passes over the texts came.
type progress struct {
	epoch, steady int
	last          []float64 // share of tokens labelled wrongly, NaN before the first pass
	best          checkpoint.Best
}

// state is what a training goes on from between two passes.
func (p *progress) state(l *learner) checkpoint.State {
	return checkpoint.State{}.With("epoch", checkpoint.Value(&p.epoch)).With("steady", checkpoint.Value(&p.steady)).
		With("last", checkpoint.Float64s(p.last)).With("best", &p.best).With("steps", checkpoint.Value(&l.Steps)).
		With("weights", checkpoint.Float64s(l.W)).With("sums", checkpoint.Float64s(l.U))
}

// ends takes the share of errors of a pass and tells whether it has stayed.
func (p *progress) ends(share, stop float64) bool {
	if p.steady++; math.Abs(share-p.last[0]) >= stop*p.last[0] || math.IsNaN(p.last[0]) {
		p.steady = 0
	}
	p.last[0] = share
	return stop > 0 && p.steady == 3
}

// passes goes over the texts until nothing moves, the errors stay, or patience ends, and keeps the
// model in f.m.
func (f *fitting) passes(ctx context.Context, l *learner, pass func(context.Context, []int) (trace, error),
	result func() (*model, error)) error {
	o := &f.m.opt
	seed := int64(f.t.Seed & math.MaxInt64)
	if !o.shuffle {
		seed = -1
	}
	at := progress{last: []float64{math.NaN()}}
	at.best.New = func() kind.Model { return &model{opt: *o} }
	state, keep := at.state(l), checkpoint.NewKeeper(f.t)
	if f.t.Resume != nil {
		if err := state.Read(f.t.Resume); err != nil {
			return err
		}
	}
	for end := false; !end; {
		at.epoch++
		p, err := pass(ctx, order(l.x.len(), seed, at.epoch))
		if err != nil {
			return err
		}
		share := float64(p.errors) / float64(len(f.d.texts.gold))
		end = at.ends(share, o.stop) || at.epoch == o.epochs || p.total+p.local == 0
		out := kind.Progress{Step: at.epoch, Of: o.epochs, Objective: float64(p.errors), HeldOut: math.NaN(),
			Note: fmt.Sprintf("%d total and %d local updates, training error %.4f, margin %.6g", p.total, p.local,
				share, f.m.margin)}
		if f.t.Score != nil && (at.epoch%o.validateEvery == 0 || end) {
			now, err := result()
			if err != nil {
				return err
			}
			if out.HeldOut, out.Metric, err = f.t.Score(ctx, now); err != nil {
				return err
			}
			at.best.Better(now, out.HeldOut, at.epoch)
			end = end || o.patience > 0 && at.best.Stale >= o.patience
		}
		f.t.Report(out)
		if !end {
			if err := keep.Save(state.Write); err != nil {
				return err
			}
		}
	}
	best, ok := at.best.Model.(*model)
	if !ok || o.patience == 0 {
		var err error
		if best, err = result(); err != nil {
			return err
		}
	}
	*f.m = *best
	return f.m.ready()
}

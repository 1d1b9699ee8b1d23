package nonlocal

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/kind"
)

var rules = map[string]rule{"perceptron": plain, "averaged": plain, "margin": margin, "candidate": candidate, "proposed": proposed}

// Train fits the weights. It keeps no checkpoints: an interrupted training starts again.
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
	err = f.passes(ctx, d.texts.len(), l.pass, func() (*model, error) {
		w := l.result()
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
		for i, v := range once.w {
			l.w[i] += v / float64(runs)
		}
	}
	return nil
}

// passes goes over the texts until nothing moves, the errors stay, or patience ends, and keeps the
// model in f.m.
func (f *fitting) passes(ctx context.Context, texts int, pass func(context.Context, []int) (trace, error), result func() (*model, error)) error {
	o := &f.m.opt
	seed := int64(f.t.Seed & math.MaxInt64)
	if !o.shuffle {
		seed = -1
	}
	var best *model
	var score float64
	stale, steady, last := 0, 0, math.NaN()
	tokens := float64(len(f.d.texts.gold))
	for epoch := 1; epoch <= o.epochs; epoch++ {
		p, err := pass(ctx, order(texts, seed, epoch))
		if err != nil {
			return err
		}
		share := float64(p.errors) / tokens
		if steady++; math.Abs(share-last) >= o.stop*last || math.IsNaN(last) {
			steady = 0
		}
		last = share
		end := p.total+p.local == 0 || epoch == o.epochs || o.stop > 0 && steady == 3
		out := kind.Progress{Step: epoch, Of: o.epochs, Objective: float64(p.errors), HeldOut: math.NaN(),
			Note: fmt.Sprintf("%d total and %d local updates, training error %.4f, margin %.6g", p.total, p.local, share, f.m.margin)}
		if f.t.Score != nil && (epoch%o.validateEvery == 0 || end) {
			now, err := result()
			if err != nil {
				return err
			}
			if out.HeldOut, out.Metric, err = f.t.Score(ctx, now); err != nil {
				return err
			}
			if best == nil || out.HeldOut > score {
				best, score, stale = now, out.HeldOut, 0
			} else {
				stale++
			}
			end = end || o.patience > 0 && stale >= o.patience
		}
		f.t.Report(out)
		if end {
			break
		}
	}
	if best == nil || o.patience == 0 {
		var err error
		if best, err = result(); err != nil {
			return err
		}
	}
	*f.m = *best
	return f.m.ready()
}

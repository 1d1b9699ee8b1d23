package segmenter

import (
	"context"
	"math"
	"slices"

	"parlance/algo/checkpoint"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// Train makes the dictionary, marks its artificial unknown words and learns the weights. A pass costs about 20 to 40
// µs a character; memory is 16 bytes a weight and some 300 a character of the longest sentence.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	g, err := m.opt.groups()
	if err != nil {
		return err
	}
	data, err := read(ctx, t.On, m.opt.layer, m.opt.fullWidth)
	if err != nil {
		return err
	}
	d, of := data.dictionary(data.all())
	set := settings{groups: g, learner: m.opt.learner, shape: m.opt.lattice, k: m.opt.k, clip: m.opt.clip, fp: m.opt.fp,
		fn: m.opt.fn, rate: m.opt.rate, mask: m.opt.mask}
	if set.clip == 0 {
		set.clip = math.Inf(1)
	}
	l := newLearner(newWeights(d, data.tags, g), set, data, of)
	if t.Resume == nil && m.opt.lattice == hybridLattice {
		if err := m.mark(ctx, t, l); err != nil {
			return err
		}
	}
	return m.fit(ctx, t, l)
}

// mark marks the artificial unknown words.
func (m *model) mark(ctx context.Context, t *kind.Training, l *learner) error {
	p := policy{m.opt.policy, uint32(m.opt.threshold), m.opt.folds, m.opt.foldEpochs, m.opt.recover == "tagged"}
	make := func(d *dictionary) *weights { return newWeights(d, l.data.tags, l.set.groups) }
	return p.mark(ctx, l.dict, l.of, l.data, make, l.set, t.Seed, t.Workers, func(folds int) {
		t.Report(kind.Progress{Step: folds, Of: m.opt.folds, Objective: math.NaN(), HeldOut: math.NaN(), Aside: true,
			Note: "fold read by the model of the others"})
	})
}

// fit makes the passes and takes the last model, or the best one on held-out documents.
func (m *model) fit(ctx context.Context, t *kind.Training, l *learner) error {
	best, epoch := checkpoint.Best{New: func() kind.Model { return &model{opt: m.opt} }}, 0
	state := l.state().With("epoch", checkpoint.Value(&epoch)).With("best", &best)
	if t.Resume != nil {
		if err := state.Read(t.Resume); err != nil {
			return err
		}
		for c := range l.codes {
			l.bound(c)
		}
	}
	keep, all := checkpoint.NewKeeper(t), l.data.all()
	for epoch < m.opt.epochs {
		epoch++
		updates, err := l.pass(ctx, all, t.Seed, epoch)
		if err != nil {
			return err
		}
		p := kind.Progress{Step: epoch, Of: m.opt.epochs, Objective: float64(updates), HeldOut: math.NaN(),
			Note: text.Countf("epoch, %d of %d {sentence|sentences} moved weights", updates, len(all))}
		more := t.Score != nil || updates > 0
		if t.Score != nil {
			now := m.with(l.weights.mean())
			if p.HeldOut, p.Metric, err = t.Score(ctx, now); err != nil {
				return err
			}
			best.Better(now, p.HeldOut, epoch)
			more = m.opt.patience == 0 || best.Stale < m.opt.patience
		}
		if t.Report(p); !more {
			break
		}
		if err := keep.Save(state.Write); err != nil {
			return err
		}
	}
	if kept, ok := best.Model.(*model); ok {
		m.ready(kept.weights)
		return nil
	}
	m.ready(l.weights.mean())
	return nil
}

// with is a model of the weights.
func (m *model) with(w *weights) *model {
	out := &model{opt: m.opt}
	out.ready(w)
	return out
}

// state is what learning goes on from between two passes.
func (l *learner) state() checkpoint.State {
	return checkpoint.State{}.With("learner", learnerState{l}).With("dense", checkpoint.Float64s(l.dense.W)).
		With("dense_sums", checkpoint.Float64s(l.dense.U)).With("rows", checkpoint.Sparse(&l.rows)).
		With("steps", checkpoint.Value(&l.dense.Steps))
}

// learnerState is the contexts that have a row, and which entries count as unknown.
type learnerState struct{ *learner }

func (s learnerState) Write(w *kind.Writer, section string) error {
	origins := make([]uint32, len(s.dict.entries))
	for i, e := range s.dict.entries {
		origins[i] = uint32(e.kind)
	}
	if err := w.Uint32s(section+".origins", origins); err != nil {
		return err
	}
	return w.Uint64s(section+".contexts", s.contexts.keys())
}

func (s learnerState) Read(r *kind.Reader, section string) error {
	origins, err := r.Uint32s(section + ".origins")
	if err != nil {
		return err
	}
	if len(origins) != len(s.dict.entries) || len(origins) > 0 && slices.Max(origins) > uint32(missed) {
		return kind.Corrupt(section, "is of another training")
	}
	for i, o := range origins {
		s.dict.entries[i].kind = origin(o)
	}
	keys, err := r.Uint64s(section + ".contexts")
	if err != nil {
		return err
	}
	for i, k := range keys {
		if v, _ := s.contexts.add(k); k == 0 || int(v) != i {
			return kind.Corrupt(section, "has a context twice")
		}
	}
	return nil
}

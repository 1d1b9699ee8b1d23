package depparser

import (
	"bytes"
	"context"
	"math/rand/v2"

	"parlance/algo/checkpoint"
	"parlance/algo/kind"
	"parlance/algo/numeric/optimize"
	"parlance/algo/parse/tree"
)

// Checkpoints have what is learned before the parser, the pruner and the labels, as models have it; and the
// state of the parser. Everything else is read from the treebank again.

// checkpoint keeps one if it is due; the labels are waited for.
func (f *fitting) checkpoint(more func(*kind.Writer) error) error {
	if !f.keep.Due() {
		return nil
	}
	if _, err := f.labels(); err != nil {
		return err
	}
	return f.keep.Save(func(w *kind.Writer) error {
		if err := f.before(w); err != nil {
			return err
		}
		if err := f.state.Write(w); err != nil || more == nil {
			return err
		}
		return more(w)
	})
}

// before writes what was learned before.
func (f *fitting) before(w *kind.Writer) error {
	if p := f.p.pruner; p != nil {
		if err := p.encode(w, "pruner."); err != nil {
			return err
		}
	}
	if f.m.opt.labels != secondStage {
		return nil
	}
	l, err := f.labels()
	if err != nil {
		return err
	}
	return l.encode(w)
}

// prunerOf learns the pruner, or takes that of the checkpoint, and leaves the candidate arcs with the items.
func (m *model) prunerOf(ctx context.Context, t *kind.Training, b *bank, workers int) (*parser, error) {
	p := &parser{factorization: tree.Arc, projective: m.opt.trees == projective, single: m.single()}
	var err error
	if t.Resume != nil {
		p.scorer, err = decodeScorer(t.Resume, "pruner.", pruning, tree.Dep)
	} else {
		p.scorer = newScorer(pruning, tree.Dep, min(prunerBits, m.opt.bits))
		err = m.fitPruner(ctx, t, b, p, workers)
	}
	if err != nil {
		return nil, err
	}
	return p, m.narrowArcs(ctx, t, b, p, workers)
}

// begin makes the state, of weights that are learned epoch by epoch.
func (f *fitting) begin(source *rand.PCG) {
	f.state = f.state.With("random", checkpoint.Random(source)).With("steps", checkpoint.Value(&f.l.steps))
	for i, t := range f.l.tables {
		if t != nil {
			name := "learner." + tableNames[i]
			f.state = f.state.With(name, checkpoint.Float32s(t.w)).With(name+".total", checkpoint.Float32s(t.total))
		}
	}
}

// state is what the dual objective is made of.
func (d *gradientDual) state() checkpoint.State {
	return checkpoint.State{}.With("theta", checkpoint.Rows(d.theta)).With("mu", checkpoint.Rows(d.mu)).
		With("log", checkpoint.Float64s(d.log)).With("share", checkpoint.Float64s(d.share)).
		With("squared", checkpoint.Value(&d.squared))
}

// minimisation reads how far L-BFGS came, nil where it begins.
func (f *fitting) minimisation() (*optimize.State, error) {
	if f.t.Resume == nil {
		return nil, nil
	}
	p, err := f.t.Resume.Bytes("minimisation")
	if err != nil || len(p) == 0 {
		return nil, err
	}
	return optimize.DecodeState(bytes.NewReader(p))
}

// writeMinimisation writes the state of L-BFGS, nothing before its first iteration.
func writeMinimisation(s *optimize.State) func(*kind.Writer) error {
	return func(w *kind.Writer) error {
		var b bytes.Buffer
		if s != nil {
			if err := s.Encode(&b); err != nil {
				return err
			}
		}
		return w.Bytes("minimisation", b.Bytes())
	}
}

package lookahead

import (
	"parlance/algo/checkpoint"
	"parlance/algo/kind"
)

// state is what learning labels goes on from.
func (l *tagLearner) state() checkpoint.State {
	s := checkpoint.State{}.With("weights", checkpoint.Sparse(&l.w.Rows)).With("decisions",
		checkpoint.Value(&l.decisions)).With("pairs", l.pair)
	if l.triple != nil {
		s = s.With("triples", l.triple)
	}
	return s
}

// state is what learning to parse goes on from: features come while it learns.
func (l *arcLearner) state() checkpoint.State {
	return checkpoint.State{}.With("features", l.bank.alphabet).With("weights", checkpoint.Sparse(&l.w.Rows)).
		With("decisions", checkpoint.Value(&l.decisions))
}

// Write and Read make the weights of histories a part of the state of a training.
func (d *dense) Write(w *kind.Writer, section string) error { return d.state(section).Write(w) }

func (d *dense) Read(r *kind.Reader, section string) error {
	if err := d.state(section).Read(r); err != nil {
		return err
	}
	copy(d.maxima, rowMaxima(d.width, d.W))
	return nil
}

func (d *dense) state(section string) checkpoint.State {
	return checkpoint.State{}.With(section+".weights", checkpoint.Float64s(d.W)).
		With(section+".sums", checkpoint.Float64s(d.U))
}

package lookahead

import (
	"parlance/algo/checkpoint"
	"parlance/algo/kind"
)

// state is what learning labels goes on from.
func (l *tagLearner) state() checkpoint.State {
	s := checkpoint.State{}.With("weights", l.w).With("decisions", checkpoint.Value(&l.decisions)).With("pairs", l.pair)
	if l.triple != nil {
		s = s.With("triples", l.triple)
	}
	return s
}

// state is what learning to parse goes on from: features come while it learns.
func (l *arcLearner) state() checkpoint.State {
	return checkpoint.State{}.With("features", l.bank.alphabet).With("weights", l.w).
		With("decisions", checkpoint.Value(&l.decisions))
}

// Write and Read make the weights a part of the state of a training, with the places of their rows.
func (w *weights) Write(to *kind.Writer, section string) error {
	at, sizes := make([]uint32, len(w.rows)), make([]uint32, len(w.rows))
	for i, r := range w.rows {
		at[i], sizes[i] = r.at, uint32(r.n)<<16|uint32(r.room)
	}
	labels, values := make([]uint32, len(w.cells)), make([]float32, len(w.cells))
	for i, c := range w.cells {
		labels[i], values[i] = uint32(c.label), c.w
	}
	for _, part := range []struct {
		name string
		list []uint32
	}{{".at", at}, {".sizes", sizes}, {".labels", labels}} {
		if err := to.Uint32s(section+part.name, part.list); err != nil {
			return err
		}
	}
	if err := to.Float32s(section+".values", values); err != nil {
		return err
	}
	return to.Float64s(section+".sums", w.sums)
}

func (w *weights) Read(r *kind.Reader, section string) error {
	var lists [3][]uint32
	var err error
	for i, name := range []string{".at", ".sizes", ".labels"} {
		if lists[i], err = r.Uint32s(section + name); err != nil {
			return err
		}
	}
	values, err := r.Float32s(section + ".values")
	if err != nil {
		return err
	}
	if w.sums, err = r.Float64s(section + ".sums"); err != nil {
		return err
	}
	at, sizes, labels := lists[0], lists[1], lists[2]
	if len(at) != len(sizes) || len(at) < len(w.rows) || len(values) != len(labels) || len(values) != len(w.sums) {
		return kind.Corrupt(section, "is of another training")
	}
	w.rows, w.cells = make([]row, len(at)), make([]cell, len(values))
	for i := range at {
		n := row{at[i], uint16(sizes[i] >> 16), uint16(sizes[i])}
		if n.n > n.room || uint64(n.at)+uint64(n.room) > uint64(len(values)) {
			return kind.Corrupt(section, "a row is beyond the cells")
		}
		w.rows[i] = n
	}
	for i, v := range values {
		if int(labels[i]) >= w.labels {
			return kind.Corrupt(section, "a label is unknown")
		}
		w.cells[i] = cell{v, uint16(labels[i])}
	}
	return nil
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

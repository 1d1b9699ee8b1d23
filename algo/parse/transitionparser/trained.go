package transitionparser

import (
	"fmt"
	"slices"
	"sync"

	"parlance/algo/kind"
	"parlance/algo/parse/transition"
	"parlance/algo/parse/tree"
)

// shape is what the tables of a parser are made for.
type shape struct {
	States, Arcs string // templates, those of arcs "" without labels
	Columns      []string
	Bits         int
	LabelBits    int

	states, arcs *transition.Hasher
}

// columnsOf are the columns of tokens that sets read; arcs may be nil.
func columnsOf(states, arcs *transition.Set) []string {
	out := states.TokenColumns()
	if arcs == nil {
		return out
	}
	for _, c := range arcs.TokenColumns() {
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// newShape compiles templates; arcs may be nil.
func newShape(states, arcs *transition.Set, columns []string, bits, labelBits int) (*shape, error) {
	s := &shape{States: states.String(), Columns: columns, Bits: bits, LabelBits: labelBits}
	if arcs != nil {
		s.Arcs = arcs.String()
	}
	return s, s.compile(states, arcs)
}

func (s *shape) compile(states, arcs *transition.Set) (err error) {
	if s.states, err = transition.NewHasher(states, s.Columns, s.Bits); err != nil || arcs == nil {
		return err
	}
	s.arcs, err = transition.NewHasher(arcs, s.Columns, s.LabelBits)
	return err
}

// trained is a parser with its weights.
type trained struct {
	*shape
	system      transition.System
	labels      []string    // of arcs; the first one is "", which is no label of the training
	ends        [2][]uint32 // those of arcs from the root, and of others, rising
	moves       *table
	label       *table // nil without labels
	lifting     tree.Lifting
	marked      []bool     // labels that tell of lifted arcs; nil if there are none
	unit        [2]float64 // what scores of moves and labels are divided by for probabilities,
	temperature float64    // times this
	heaviest    []heavy
	workers     *sync.Pool
}

// prepare makes what annotation needs.
func (m *trained) prepare() {
	m.temperature = 1
	for y, l := range m.labels {
		if tree.Lifted(l) {
			if m.marked == nil {
				m.marked = make([]bool, len(m.labels))
			}
			m.marked[y] = true
		}
	}
	m.workers = &sync.Pool{New: func() any { return newParser(m) }}
}

func (m *trained) bytes() int64 {
	n := m.moves.bytes()
	if m.label != nil {
		n += m.label.bytes()
	}
	return n + int64(100*len(m.heaviest))
}

// moveName is a move as text.
func moveName(m transition.Move) string {
	return [...]string{"shift", "left", "right", "reduce"}[m]
}

var endNames = [2]string{"labels.root", "labels.others"}

func (m *trained) encode(w *kind.Writer) error {
	if err := w.JSON("shape", m.shape); err != nil {
		return err
	}
	if err := w.Strings("labels", m.labels); err != nil {
		return err
	}
	for i, list := range m.ends {
		if err := w.Uint32s(endNames[i], list); err != nil {
			return err
		}
	}
	if err := w.Float64s("units", m.unit[:]); err != nil {
		return err
	}
	if err := encodeHeavy(w, m.heaviest); err != nil {
		return err
	}
	if err := m.moves.encode(w, "moves"); err != nil || m.label == nil {
		return err
	}
	return m.label.encode(w, "labels")
}

// decode reads what encode wrote; the options of the model must be those of the training.
func decode(r *kind.Reader, of *model) (*trained, error) {
	m := &trained{shape: &shape{}, system: system(of.opt.system)}
	m.lifting, _ = of.lift()
	if err := r.JSON("shape", m.shape); err != nil {
		return nil, err
	}
	if err := m.shape.check(); err != nil {
		return nil, fmt.Errorf("%w: section shape: %w", kind.ErrCorrupt, err)
	}
	var err error
	if m.labels, err = r.Strings("labels"); err != nil {
		return nil, err
	}
	if len(m.labels) == 0 || m.labels[0] != "" || len(m.labels) > transition.MaxLabels {
		return nil, kind.Corrupt("labels", "has too many labels, or does not begin with the empty one")
	}
	for i := range m.ends {
		if m.ends[i], err = r.Uint32s(endNames[i]); err != nil {
			return nil, err
		}
		for k, y := range m.ends[i] {
			if y == 0 || int(y) >= len(m.labels) || k > 0 && y <= m.ends[i][k-1] {
				return nil, kind.Corrupt(endNames[i], "has labels out of order or unknown")
			}
		}
	}
	units, err := r.Float64s("units")
	if err != nil {
		return nil, err
	}
	if len(units) != 2 || !(units[0] > 0) || !(units[1] > 0) {
		return nil, kind.Corrupt("units", "has not two numbers above 0")
	}
	m.unit = [2]float64(units)
	if m.heaviest, err = decodeHeavy(r); err != nil {
		return nil, err
	}
	if m.moves, err = decodeTable(r, "moves", m.Bits, transition.Moves); err != nil {
		return nil, err
	}
	if m.arcs != nil {
		if m.label, err = decodeTable(r, "labels", m.LabelBits, len(m.labels)); err != nil {
			return nil, err
		}
	}
	m.prepare()
	return m, nil
}

// check compiles what was read.
func (s *shape) check() error {
	states, err := transition.ParsePartial(s.States)
	if err != nil {
		return err
	}
	var arcs *transition.Set
	if s.Arcs != "" {
		if arcs, err = transition.ParseArcs(s.Arcs); err != nil {
			return err
		}
	}
	if s.Bits < 1 || s.Bits > 28 || arcs != nil && (s.LabelBits < 1 || s.LabelBits > 24) {
		return fmt.Errorf("tables of 2^%d and 2^%d rows", s.Bits, s.LabelBits)
	}
	return s.compile(states, arcs)
}

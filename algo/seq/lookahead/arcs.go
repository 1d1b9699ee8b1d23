package lookahead

import (
	"slices"
	"sync"

	"parlance/algo/engine/chain"
	"parlance/algo/kind"
	"parlance/algo/parse/transition"
	"parlance/algo/seq/tagger"
)

// arcs is a trained parser. The labels of its chain are numbers of actions.
type arcs struct {
	labels   []string // of arcs
	actions  []uint32 // that are possible, rising
	root     uint16   // label of the root
	alphabet *transition.Alphabet
	chain    *chain.Model
	workers  *sync.Pool
}

// newArcs makes a parser of weights, without the attributes that have none.
func newArcs(labels []string, actions []uint32, root uint16, a *transition.Alphabet, c *chain.Model) (*arcs, error) {
	p, keep := c.Parts().Used()
	c, err := chain.NewModel(p)
	if err != nil {
		return nil, err
	}
	m := &arcs{labels: slices.Clone(labels), actions: actions, root: root, alphabet: a.Keep(keep), chain: c}
	m.prepare()
	return m, nil
}

func (m *arcs) prepare() {
	m.workers = &sync.Pool{New: func() any { return newParser(m) }}
}

// score adds the weights of attributes to out, by action.
func (m *arcs) score(attrs []uint32, out []float64) {
	for _, attr := range attrs {
		labels, weights := m.chain.Row(attr)
		for i, a := range labels {
			out[a] += weights[i]
		}
	}
}

// name is an action as text: shift, left:nsubj.
func (m *arcs) name(a int) string {
	x := transition.Action(a)
	s := [...]string{"shift", "left", "right", "reduce"}[x.Move()]
	if l := m.labels[x.Label()]; l != "" && (x.Move() == transition.Left || x.Move() == transition.Right) {
		s += ":" + l
	}
	return s
}

func (m *arcs) names() []string {
	out := make([]string, len(m.labels)*transition.Moves)
	for a := range out {
		out[a] = m.name(a)
	}
	return out
}

// Bytes is what the parser takes in memory.
func (m *arcs) Bytes() int64 { return m.chain.Bytes() + m.alphabet.Bytes() }

// Encode writes the parser.
func (m *arcs) Encode(w *kind.Writer) error {
	if err := w.Strings("labels", m.labels); err != nil {
		return err
	}
	if err := w.JSON("root", m.root); err != nil {
		return err
	}
	if err := w.Uint32s("actions", m.actions); err != nil {
		return err
	}
	if err := m.alphabet.Encode(w); err != nil {
		return err
	}
	return tagger.Encode(w, m.chain)
}

// decodeArcs reads what Encode wrote.
func decodeArcs(r *kind.Reader) (*arcs, error) {
	m := &arcs{}
	var err error
	if m.labels, err = r.Strings("labels"); err != nil {
		return nil, err
	}
	if err := r.JSON("root", &m.root); err != nil {
		return nil, err
	}
	if len(m.labels) == 0 || len(m.labels) > transition.MaxLabels || int(m.root) >= len(m.labels) {
		return nil, kind.Corrupt("labels", "has no label of the root, or too many")
	}
	if m.actions, err = r.Uint32s("actions"); err != nil {
		return nil, err
	}
	if !m.complete() {
		return nil, kind.Corrupt("actions", "lacks a move, or has an action without label or out of order")
	}
	if m.alphabet, err = transition.DecodeAlphabet(r); err != nil {
		return nil, err
	}
	if m.chain, err = tagger.Decode(r); err != nil {
		return nil, err
	}
	if m.chain.Attributes() != m.alphabet.Len() || m.chain.Labels() != len(m.labels)*transition.Moves {
		return nil, kind.Corrupt("labels", "labels, attributes and weights differ in number")
	}
	for _, a := range m.chain.Parts().PairLabel {
		if _, ok := slices.BinarySearch(m.actions, uint32(a)); !ok {
			return nil, kind.Corrupt("actions", "a weight is of none of them")
		}
	}
	m.prepare()
	return m, nil
}

// complete tells whether the actions are sound and no state is without one.
func (m *arcs) complete() bool {
	var moves [transition.Moves]int
	for i, a := range m.actions {
		x := transition.Action(a)
		if i > 0 && a <= m.actions[i-1] || int(a) >= len(m.labels)*transition.Moves ||
			x.Move() == transition.Shift && x.Label() != 0 {
			return false
		}
		moves[x.Move()]++
	}
	return moves[transition.Shift] == 1 && moves[transition.Left] > 0 && moves[transition.Right] > 0
}

package chain

import (
	"math"
	"slices"
)

// pruneLabels is the largest number of labels with a table of bounds, which costs
// labels³ to make.
const pruneLabels = 128

// grammar is the transitions of a model under constraints, in the forms that decoding
// wants. It is immutable.
type grammar struct {
	trans  *transitions
	rules  *Constraints
	matrix []float64 // from·labels + to; nil above denseLabels
	gain   []float64 // at i*·labels + i: max_j(w[i,j] − w[i*,j]) over open labels j; nil above pruneLabels

	// Under rules such as those of BIO, few labels may precede an inside label.
	open    []uint16     // labels that more than half of the labels may precede; nil for all labels
	shut    []uint16     // the others
	closing []transition // at shut labels, by label and, ascending, label before
}

// transition is a transition to a shut label, and its place in the matrix.
type transition struct {
	from, to uint16
	at       uint32
}

func newGrammar(m *Model, rules *Constraints) *grammar {
	p := m.parts
	g := &grammar{trans: newTransitions(p.Labels, p.TransFrom, p.TransTo), rules: rules}
	g.trans.rules = rules
	g.trans.set(p.TransWeights)
	l := p.Labels
	if l <= denseLabels {
		g.matrix = make([]float64, l*l)
		for i := range l {
			g.trans.row(i, g.matrix[i*l:(i+1)*l])
		}
	}
	if rules != nil && g.matrix != nil {
		g.divide(l)
	}
	if l <= pruneLabels {
		g.gain = g.gains(l)
	}
	return g
}

// divide tells open labels from shut ones.
func (g *grammar) divide(l int) {
	for j := range l {
		from := len(g.closing)
		for i := range l {
			if g.rules.Allowed(i, j) {
				g.closing = append(g.closing, transition{uint16(i), uint16(j), uint32(i*l + j)})
			}
		}
		if 2*(len(g.closing)-from) > l {
			g.closing = g.closing[:from]
			g.open = append(g.open, uint16(j))
			continue
		}
		g.shut = append(g.shut, uint16(j))
	}
	if len(g.shut) == 0 {
		g.open = nil
	}
}

// from is the weights of the transitions from a label.
func (g *grammar) from(label int) []float64 {
	l := g.trans.labels
	return g.matrix[label*l:][:l]
}

// winners returns in keep, ascending, the labels before that can win in an open label, given the best
// scores of prefixes and the label of the best of them.
func (g *grammar) winners(prev []float64, top int, keep []uint16) []uint16 {
	l := len(prev)
	keep = slices.Grow(keep[:0], l)[:l]
	if g.gain == nil {
		for i := range keep {
			keep[i] = uint16(i)
		}
		return keep
	}
	n, best := 0, prev[top]
	for i, gain := range g.gain[top*l:][:l] {
		keep[n] = uint16(i)
		if prev[i]+gain >= best || i == top {
			n++
		}
	}
	return keep[:n]
}

// gains bounds what a label can win over another by its transitions.
func (g *grammar) gains(l int) []float64 {
	open, matrix := g.open, g.matrix
	if len(g.shut) == 0 {
		open = make([]uint16, l)
		for j := range open {
			open[j] = uint16(j)
		}
	}
	out := make([]float64, l*l)
	for best := range l {
		for i := range l {
			hi := math.Inf(-1)
			for _, to := range open {
				j := int(to)
				// two forbidden transitions give no number, which loses the comparison
				if d := matrix[i*l+j] - matrix[best*l+j]; d > hi {
					hi = d
				}
			}
			out[best*l+i] = hi
		}
	}
	return out
}

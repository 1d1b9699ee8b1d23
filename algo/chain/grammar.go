package chain

import "math"

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
	open   []uint16 // labels that more than half of the labels may precede; nil for all labels
	shut   []uint16 // the others
	start  []uint32 // before[start[k]:start[k+1]] may precede shut[k], ascending
	before []uint16
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
	g.start = append(g.start, 0)
	for j := range l {
		from := len(g.before)
		for i := range l {
			if g.rules.Allowed(i, j) {
				g.before = append(g.before, uint16(i))
			}
		}
		if 2*(len(g.before)-from) > l {
			g.before = g.before[:from]
			g.open = append(g.open, uint16(j))
			continue
		}
		g.shut = append(g.shut, uint16(j))
		g.start = append(g.start, uint32(len(g.before)))
	}
	if len(g.shut) == 0 {
		g.open = nil
	}
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

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
	gain   []float64 // at i*·labels + i: max_j(w[i,j] − w[i*,j]); nil above pruneLabels
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
	if l <= pruneLabels {
		g.gain = gains(g.matrix, l)
	}
	return g
}

// gains bounds what a label can win over another by its transitions.
func gains(matrix []float64, l int) []float64 {
	out := make([]float64, l*l)
	for best := range l {
		for i := range l {
			hi := math.Inf(-1)
			for j := range l {
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

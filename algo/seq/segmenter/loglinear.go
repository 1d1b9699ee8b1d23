package segmenter

import (
	"parlance/algo/engine/online"
)

// negligible is the probability under which a node or an edge adds nothing to a gradient.
const negligible = 1e-6

// logLinear moves the weights along the gradient of the log-likelihood of the reference,
//
//	∂ log p(y|x) / ∂w = f(x, y) − Σ_z p(z|x)·f(x, z)
//
// where the sum over all paths goes by the probabilities of nodes and edges.
func (l *learner) logLinear() error {
	if l.sums == nil {
		var err error
		if l.sums, err = newMarginals(l.weights, 1); err != nil {
			return err
		}
	} else if err := l.sums.refresh(); err != nil {
		return err
	}
	if err := l.sums.load(&l.lattice); err != nil {
		return err
	}
	l.weights.move(l.gradient(), l.set.rate)
	return nil
}

// gradient returns the gradient, of which a place may have several terms.
func (l *learner) gradient() online.Vector {
	l.terms, l.sign = l.terms[:0], 1
	for i, id := range l.gold {
		l.nodeFeatures(id, l.context)
		if i > 0 {
			l.edgeFeatures(l.gold[i-1], id, l.context, l.pair)
		}
	}
	l.sums.nodesWith(func(id nodeID, p float64) {
		if p > negligible {
			l.sign = -p
			l.nodeFeatures(id, l.context)
		}
	})
	l.sums.edgesWith(func(a, b nodeID, p float64) {
		if p > negligible {
			l.sign = -p
			l.edgeFeatures(a, b, l.context, l.pair)
		}
	})
	return l.terms
}

// nodesWith calls use for the nodes with their probabilities.
func (m *marginals) nodesWith(use func(id nodeID, p float64)) {
	for id, k := range m.chars {
		if k >= 0 {
			use(nodeID(id), m.sums.Prob(int(k)))
		}
	}
	for k := 1; k < len(m.nodes)-1; k++ {
		use(nodeID(^k), m.sums.Prob(int(m.nodes[k])))
	}
}

// edgesWith calls use for the pairs of nodes with their probabilities.
func (m *marginals) edgesWith(use func(a, b nodeID, p float64)) {
	for pair, p := range m.sums.PairProbs() {
		if p > 0 {
			use(m.ending(int(pair.At), pair.From), m.beginning(int(pair.At), pair.To), p)
		}
	}
}

// ending is the node of a label that ends at a place, beginning the one that starts there.
func (m *marginals) ending(at int, label int32) nodeID {
	l, width := m.lat, int32(m.lat.width())
	switch {
	case label < 0:
		return ^0
	case label < width:
		return nodeID((at-1)*int(width)) + label
	}
	for _, k := range l.endsAt(at) {
		if l.nodes[k].entry == label-width {
			return ^k
		}
	}
	return ^0
}

func (m *marginals) beginning(at int, label int32) nodeID {
	l, width := m.lat, int32(m.lat.width())
	if label >= 0 && label < width {
		return nodeID(at*int(width)) + label
	}
	from, to := l.startsAt(at)
	for k := from; k < to; k++ {
		if label < 0 || l.nodes[k].entry == label-width {
			return ^k
		}
	}
	return ^from
}

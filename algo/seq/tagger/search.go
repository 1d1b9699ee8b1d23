package tagger

import "parlance/algo/engine/chain"

// first is the search in a chain of first order.
type first struct {
	*chain.Decoder
	model *chain.Model
}

// NewSearch is for NewLabeler: it searches in a chain of first order.
func NewSearch(m *chain.Model) func(*chain.Constraints) (func() Search, error) {
	return func(rules *chain.Constraints) (func() Search, error) {
		d, err := m.NewDecoder(rules)
		if err != nil {
			return nil, err
		}
		return func() Search { return first{d.Clone(), m} }, nil
	}
}

// Around adds the transitions into and out of the token.
func (f first) Around(labels []uint16, t, own, other int, add func(string, []uint16, float64)) {
	if t > 0 {
		before := labels[t-1]
		add("label[-1]=%s", labels[t-1:t], f.model.Transition(int(before), own)-f.model.Transition(int(before), other))
	}
	if t+1 < len(labels) {
		after := labels[t+1]
		add("label[1]=%s", labels[t+1:t+2], f.model.Transition(own, int(after))-f.model.Transition(other, int(after)))
	}
}

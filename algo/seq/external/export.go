package external

import "parlance/algo/engine/chain"

// Export is a chain as writers of model files see it.
type Export struct {
	Labels  []string
	Chain   *chain.Model
	Name    func(attr uint32) string
	Foreign *Model // nil for a chain that was trained here
	Rules   string // what decoding keeps to beyond the weights; empty for nothing
}

// Exporter is a model that can be seen as a chain.
type Exporter interface {
	// Export returns the chain, or an error that says what of the model is more than a chain of first order.
	Export() (*Export, error)
}

// Row is a feature with its weights: by label, or by from·labels + to; the others are 0.
type Row struct {
	Name    string
	At      []uint32
	Weights []float64
}

// Unigrams lists the features that weigh labels.
func (m *Model) Unigrams() (out []Row) {
	for a := range uint32(m.Chain.Attributes()) {
		labels, weights := m.Chain.Row(a)
		r := Row{Name: m.features.at(int(a)), Weights: weights}
		for _, y := range labels {
			r.At = append(r.At, uint32(y))
		}
		out = append(out, r)
	}
	return out
}

// Bigrams lists the features that weigh pairs of labels. What holds at every token stands under the text of the first
// template that makes the same text everywhere.
func (m *Model) Bigrams() (out []Row) {
	constant, _ := Constants(m.Notation, m.Templates)
	for k, name := range m.pairs.features.all() {
		from, to := m.pairs.start[k], m.pairs.start[k+1]
		if constant[name] == 0 {
			out = append(out, Row{name, m.pairs.pair[from:to], m.pairs.weight[from:to]})
		}
	}
	all, times := Row{}, 1.0
	for i := range m.templates {
		if t := &m.templates[i]; t.bigram && t.fixed {
			all.Name, times = t.text, float64(constant[t.text])
			break
		}
	}
	for w := range m.Chain.Transitions() {
		all.At = append(all.At, uint32(w.From)*uint32(len(m.Labels))+uint32(w.To))
		all.Weights = append(all.Weights, w.Weight/times)
	}
	if len(all.At) > 0 {
		out = append(out, all)
	}
	return out
}

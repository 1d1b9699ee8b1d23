package rerank

// Step is a round of training.
type Step struct {
	Feature int32
	Delta   float64 // change of its weight
	Gain    float64 // |√W⁺ − √W⁻| before
	Loss    float64 // after
	Work    int64   // features of pairs that were looked at
}

// Model is a training as a sequence of rounds: its beginning is what fewer rounds would have learned.
type Model struct {
	Base  float64 // weight of the log-probability
	Start float64 // loss with the base alone
	Pass  int64   // features of all pairs: what a round that looks at all of them costs
	Steps []Step
}

// Weights adds the changes of the first n rounds up by feature.
func (m *Model) Weights(features, rounds int) []float64 {
	out := make([]float64, features)
	for _, s := range m.Steps[:min(rounds, len(m.Steps))] {
		out[s.Feature] += s.Delta
	}
	return out
}

// Savings is how many times less work the rounds [from, to), counted from 0, took than as many passes over all pairs
// (Collins and Koo 2005, section 4.5).
func (m *Model) Savings(from, to int) float64 {
	work := int64(0)
	for _, s := range m.Steps[from:to] {
		work += s.Work
	}
	if work == 0 {
		return 0
	}
	return float64(to-from) * float64(m.Pass) / float64(work)
}

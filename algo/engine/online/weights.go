package online

// Weights are w with what their mean needs.
type Weights struct {
	W     []float64
	U     []float64 // Σ_k (k−1)·Δ_k; nil to keep no mean
	Steps float64   // taken so far
}

// NewWeights returns n weights of 0.
func NewWeights(n int, averaged bool) *Weights {
	w := &Weights{W: make([]float64, n)}
	if averaged {
		w.U = make([]float64, n)
	}
	return w
}

// Add moves one weight in the present step, of which Next is the end.
func (w *Weights) Add(at int, delta float64) {
	w.W[at] += delta
	if w.U != nil {
		w.U[at] += w.Steps * delta
	}
}

// Move adds factor·v in the present step.
func (w *Weights) Move(v Vector, factor float64) {
	for _, t := range v {
		w.Add(int(t.At), factor*t.Value)
	}
}

// Next ends a step, whether it moved weights or not.
func (w *Weights) Next() { w.Steps++ }

// Dot is w·v.
func (w *Weights) Dot(v Vector) (sum float64) {
	for _, t := range v {
		sum += w.W[t.At] * t.Value
	}
	return sum
}

// Mean returns the mean of the weights after each step, or a copy of them where no mean is kept.
func (w *Weights) Mean() []float64 {
	out := append([]float64(nil), w.W...)
	if w.U != nil && w.Steps > 0 {
		for i, u := range w.U {
			out[i] -= u / w.Steps
		}
	}
	return out
}

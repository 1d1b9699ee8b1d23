package online

// Pegasos is the subgradient method on λ/2·|w|² + mean of max(0, ℓ − w·Δ) (Shalev-Shwartz, Singer and Srebro 2007). The
// shrinking of all weights is one factor: w = scale·v.
type Pegasos struct {
	lambda, scale float64
	v             []float64
	steps         float64
}

// NewPegasos returns n weights of 0; lambda is above 0.
func NewPegasos(n int, lambda float64) *Pegasos {
	return &Pegasos{lambda: lambda, scale: 1, v: make([]float64, n)}
}

// leastScale is the scale at which it is multiplied into v.
const leastScale = 1e-9

// Step takes step t with η = 1/(λ·t) by a difference of features and its loss. It tells whether the loss was above 0.
func (p *Pegasos) Step(delta Vector, loss float64) (bool, error) {
	gap := 0.0
	for _, t := range delta {
		gap += p.scale * p.v[t.At] * t.Value
	}
	if !finite(gap) || !finite(loss) {
		return false, ErrNotFinite
	}
	p.steps++
	rate := 1 / (p.lambda * p.steps)
	if p.scale *= 1 - 1/p.steps; p.scale < leastScale { // 0 in the first step
		for i := range p.v {
			p.v[i] *= p.scale
		}
		p.scale = 1
	}
	if gap >= loss {
		return false, nil
	}
	for _, t := range delta {
		p.v[t.At] += rate / p.scale * t.Value
	}
	return true, nil
}

// Weights returns w.
func (p *Pegasos) Weights() []float64 {
	out := make([]float64, len(p.v))
	for i, v := range p.v {
		out[i] = p.scale * v
	}
	return out
}

package online

// Shrinking are weights that an L2 penalty makes smaller at each step, with the mean of the weights after each step. W
// is kept as a factor times v, so that a step costs no more than the features that it moves:
//
//	W_t = scale_t·v_t,  mean = (Σ_k scale_k·v − u)/steps  with  u = Σ_t (Σ_{k<t} scale_k)·Δv_t
//
// Where it never shrinks, it is Weights with values of 32 bits.
type Shrinking struct {
	V     []float32
	U     []float64 // nil to keep no mean
	Scale float64
	Sum   float64 // of the scales after each step since the factor was last multiplied in
	Steps float64
}

// NewShrinking returns n weights of 0.
func NewShrinking(n int, averaged bool) *Shrinking {
	w := &Shrinking{V: make([]float32, n), Scale: 1}
	if averaged {
		w.U = make([]float64, n)
	}
	return w
}

// Add moves weights of value 1 features in the present step, of which Next is the end. Places begin at base.
func (w *Shrinking) Add(base int, places []uint32, delta float64) {
	delta /= w.Scale
	v, step := w.V[base:], float32(delta)
	for _, p := range places {
		v[p] += step
	}
	if w.U == nil {
		return
	}
	u, step64 := w.U[base:], w.Sum*float64(step)
	for _, p := range places {
		u[p] += step64
	}
}

// Sums is the sum of the weights of places, which begin at base.
func (w *Shrinking) Sums(base int, places []uint32) float64 {
	v, sum := w.V[base:], float32(0)
	for _, p := range places {
		sum += v[p]
	}
	return w.Scale * float64(sum)
}

// Shrink multiplies all weights by a factor above 0.
func (w *Shrinking) Shrink(factor float64) {
	if w.Scale *= factor; w.Scale > 1e-2 {
		return
	}
	if w.U != nil {
		for i, v := range w.V {
			w.U[i] -= w.Sum * float64(v)
		}
	}
	for i := range w.V {
		w.V[i] *= float32(w.Scale)
	}
	w.Sum, w.Scale = 0, 1
}

// Next ends a step, whether it moved weights or not.
func (w *Shrinking) Next() {
	w.Steps++
	w.Sum += w.Scale
}

// Mean returns the mean of the weights after each step, or the weights where no mean is kept.
func (w *Shrinking) Mean() []float32 {
	out := make([]float32, len(w.V))
	for i, v := range w.V {
		switch {
		case w.U == nil || w.Steps == 0:
			out[i] = float32(w.Scale) * v
		default:
			out[i] = float32((w.Sum*float64(v) - w.U[i]) / w.Steps)
		}
	}
	return out
}

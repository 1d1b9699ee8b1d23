package tree

import (
	"math"

	"parlance/algo/numeric/buffer"
)

// Marginals is that of Summer. Sums run over scaled weights; where the scaled Z is too small for
// that, as that of long sentences is, over larger weights, and where that does not help, over logarithms, which
// is some ten times slower.
func (e *Eisner) Marginals(p *Parts, score, mu []float64) (float64, bool) {
	if p.N == 0 {
		return 0, true
	}
	e.size(p.N)
	s := &e.sum
	w := e.width
	s.weight = buffer.Resize(s.weight, w*w)
	offset, ok := scale(p, score, e.single, s.weight)
	if !ok {
		return math.Inf(-1), false
	}
	e.inside(p)
	z := e.total()
	if p.Ended() {
		return math.Inf(-1), false
	}
	larger := false
	for try := 0; !(z >= tiny && z <= 1/tiny); try++ {
		by, ok := e.enlarge()
		if try == enlargements || !ok {
			return e.logMarginals(p, score, mu)
		}
		offset, larger = offset-by, true
		e.inside(p)
		if z = e.total(); p.Ended() {
			return math.Inf(-1), false
		}
	}
	if e.outside(p, z); p.Ended() {
		return math.Inf(-1), false
	}
	for a, h := range p.Head {
		at := int(h)*w + int(p.Mod[a])
		mu[a] = min(1, s.outInc[at]*e.inc[at])
	}
	if larger && !certain(p, mu) {
		return e.logMarginals(p, score, mu)
	}
	return offset + math.Log(z), true
}

// enlargements bounds how often weights are made larger.
const enlargements = 4

// enlarge multiplies the weights of the chart so that its longest spans that are neither too small nor too large weigh
// about 1, and returns the logarithm of what it multiplies Z by. A span of l tokens more than its head has l arcs:
//
//	weight' = weight·exp(κ), C'(i, j) = C(i, j)·exp(κ·|j − i|), Z' = Z·exp(κ·arcs)
func (e *Eisner) enlarge() (by float64, ok bool) {
	w, longest, top := e.width, 0, 0.0
	for i := e.low; i < w; i++ {
		for j := e.low; j < w; j++ {
			v, length := e.c[i*w+j], max(i-j, j-i)
			switch {
			case length < longest || !(v > tiny && v < 1/tiny):
			case length > longest:
				longest, top = length, v
			default:
				top = max(top, v)
			}
		}
	}
	if longest == 0 {
		return 0, false
	}
	k := -math.Log(top) / float64(longest)
	factor := math.Exp(k)
	for i := e.low * w; i < w*w; i++ {
		e.sum.weight[i] *= factor
	}
	return k * float64(w-1-e.low), true
}

// certain reports whether the arcs of each modifier have the probability 1 together.
func certain(p *Parts, mu []float64) bool {
	for m := 1; m <= p.N; m++ {
		sum := 0.0
		for _, a := range p.In(m) {
			sum += mu[a]
		}
		if !(math.Abs(sum-1) < 1e-9) {
			return false
		}
	}
	return true
}

// inside is fill with sums and products for maxima and sums.
func (e *Eisner) inside(p *Parts) {
	w, weight := e.width, e.sum.weight
	for i := e.low; i < w; i++ {
		e.c[i*w+i], e.ct[i*w+i] = 1, 1
	}
	for j := e.low + 1; j < w && !p.Ended(); j++ {
		for i := j - 1; i >= e.low; i-- {
			inner := dot(e.c[i*w+i:i*w+j], e.c[j*w+i+1:j*w+j+1])
			e.inc[i*w+j] = inner * weight[i*w+j]
			right := dot(e.inc[i*w+i+1:i*w+j+1], e.ct[j*w+i+1:j*w+j+1])
			e.c[i*w+j], e.ct[j*w+i] = right, right
			if i == 0 {
				break
			}
			e.inc[j*w+i] = inner * weight[j*w+i]
			left := dot(e.inc[j*w+i:j*w+j], e.ct[i*w+i:i*w+j])
			e.c[j*w+i], e.ct[i*w+j] = left, left
		}
	}
}

func (e *Eisner) total() float64 {
	w := e.width
	if !e.single {
		return e.c[w-1]
	}
	z := 0.0
	for m := 1; m < w; m++ {
		z += e.c[m*w+1] * e.c[m*w+w-1] * e.sum.weight[m]
	}
	return z
}

// outside computes the adjoints ∂Z/∂x over Z of all x of the chart, backwards through inside.
func (e *Eisner) outside(p *Parts, z float64) {
	s, w := &e.sum, e.width
	s.out, s.outT, s.outInc = buffer.Resize(s.out, w*w), buffer.Resize(s.outT, w*w), buffer.Resize(s.outInc, w*w)
	clear(s.out)
	clear(s.outT)
	clear(s.outInc)
	e.seed(z)
	for j := w - 1; j > e.low && !p.Ended(); j-- {
		for i := e.low; i < j; i++ {
			if o := s.out[i*w+j] + s.outT[j*w+i]; o != 0 {
				from, to := i+1, j+1
				spill(o, e.inc[i*w+from:i*w+to], e.ct[j*w+from:j*w+to], s.outInc[i*w+from:i*w+to], s.outT[j*w+from:j*w+to])
			}
			o := s.outInc[i*w+j] * s.weight[i*w+j]
			if i > 0 {
				if o := s.out[j*w+i] + s.outT[i*w+j]; o != 0 {
					spill(o, e.inc[j*w+i:j*w+j], e.ct[i*w+i:i*w+j], s.outInc[j*w+i:j*w+j], s.outT[i*w+i:i*w+j])
				}
				o += s.outInc[j*w+i] * s.weight[j*w+i]
			}
			if o != 0 {
				spill(o, e.c[i*w+i:i*w+j], e.c[j*w+i+1:j*w+j+1], s.out[i*w+i:i*w+j], s.out[j*w+i+1:j*w+j+1])
			}
		}
	}
}

// seed sets the adjoints of what the goal is made of, and those of the arcs from the root.
func (e *Eisner) seed(z float64) {
	s, w := &e.sum, e.width
	if !e.single {
		s.out[w-1] = 1 / z
		return
	}
	for m := 1; m < w; m++ {
		left, right, root := e.c[m*w+1], e.c[m*w+w-1], s.weight[m]/z
		s.out[m*w+1] += right * root
		s.out[m*w+w-1] += left * root
		s.outInc[m], e.inc[m] = left*right/z, s.weight[m]
	}
}

// dot returns Σ_k a[k]·b[k].
func dot(a, b []float64) float64 {
	b = b[:len(a)]
	var x, y float64
	k := 0
	for ; k+1 < len(a); k += 2 {
		x += a[k] * b[k]
		y += a[k+1] * b[k+1]
	}
	if k < len(a) {
		x += a[k] * b[k]
	}
	return x + y
}

// spill is dot backwards: o times the other factor is added to the adjoint of each.
func spill(o float64, a, b, outA, outB []float64) {
	b, outA, outB = b[:len(a)], outA[:len(a)], outB[:len(a)]
	for k, x := range a {
		outA[k] += o * b[k]
		outB[k] += o * x
	}
}

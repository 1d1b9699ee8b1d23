package tree

import (
	"math"

	"parlance/algo/numeric/buffer"
)

// logMarginals sums over logarithms. Backwards, what is passed on is the probability of an item: a
// rule that makes A of B and D has the share exp(B + D − A) of it, so that nothing leaves [0, 1].
func (e *Eisner) logMarginals(p *Parts, score, mu []float64) (float64, bool) {
	e.load(p, score)
	e.sum.logs++
	if e.logInside(p); p.Ended() {
		return math.Inf(-1), false
	}
	s, w := &e.sum, e.width
	s.out, s.outT, s.outInc = buffer.Resize(s.out, w*w), buffer.Resize(s.outT, w*w), buffer.Resize(s.outInc, w*w)
	clear(s.out)
	clear(s.outT)
	clear(s.outInc)
	z := e.logSeed()
	if math.IsInf(z, -1) {
		return z, false
	}
	for j := w - 1; j > e.low && !p.Ended(); j-- {
		for i := e.low; i < j; i++ {
			from, to := i+1, j+1
			share(s.out[i*w+j]+s.outT[j*w+i], e.c[i*w+j], e.inc[i*w+from:i*w+to], e.ct[j*w+from:j*w+to],
				s.outInc[i*w+from:i*w+to], s.outT[j*w+from:j*w+to])
			o, inner := s.outInc[i*w+j], e.inc[i*w+j]-e.score[i*w+j]
			if i > 0 {
				share(s.out[j*w+i]+s.outT[i*w+j], e.c[j*w+i], e.inc[j*w+i:j*w+j], e.ct[i*w+i:i*w+j], s.outInc[j*w+i:j*w+j],
					s.outT[i*w+i:i*w+j])
				o += s.outInc[j*w+i]
				if s.outInc[j*w+i] > 0 {
					inner = e.inc[j*w+i] - e.score[j*w+i]
				}
			}
			share(o, inner, e.c[i*w+i:i*w+j], e.c[j*w+i+1:j*w+j+1], s.out[i*w+i:i*w+j], s.out[j*w+i+1:j*w+j+1])
		}
	}
	for a, h := range p.Head {
		mu[a] = min(1, s.outInc[int(h)*w+int(p.Mod[a])])
	}
	return z, !p.Ended()
}

// logInside is inside over logarithms.
func (e *Eisner) logInside(p *Parts) {
	w := e.width
	for i := e.low; i < w; i++ {
		e.c[i*w+i], e.ct[i*w+i] = 0, 0
	}
	for j := e.low + 1; j < w && !p.Ended(); j++ {
		for i := j - 1; i >= e.low; i-- {
			inner := logDot(e.c[i*w+i:i*w+j], e.c[j*w+i+1:j*w+j+1])
			e.inc[i*w+j] = inner + e.score[i*w+j]
			right := logDot(e.inc[i*w+i+1:i*w+j+1], e.ct[j*w+i+1:j*w+j+1])
			e.c[i*w+j], e.ct[j*w+i] = right, right
			if i == 0 {
				break
			}
			e.inc[j*w+i] = inner + e.score[j*w+i]
			left := logDot(e.inc[j*w+i:j*w+j], e.ct[i*w+i:i*w+j])
			e.c[j*w+i], e.ct[i*w+j] = left, left
		}
	}
}

// logSeed returns ln Z and sets the probabilities of what the goal is made of.
func (e *Eisner) logSeed() float64 {
	s, w := &e.sum, e.width
	if !e.single {
		s.out[w-1] = 1
		return e.c[w-1]
	}
	top := math.Inf(-1)
	goal := func(m int) float64 { return e.c[m*w+1] + e.c[m*w+w-1] + e.score[m] }
	for m := 1; m < w; m++ {
		top = max(top, goal(m))
	}
	if math.IsInf(top, -1) {
		return top
	}
	z := 0.0
	for m := 1; m < w; m++ {
		z += math.Exp(goal(m) - top)
	}
	z = top + math.Log(z)
	for m := 1; m < w; m++ {
		x := math.Exp(goal(m) - z)
		s.out[m*w+1] += x
		s.out[m*w+w-1] += x
		s.outInc[m] = x
	}
	return z
}

// logDot returns ln Σ_k exp(a[k] + b[k]).
func logDot(a, b []float64) float64 {
	top := maxSum(a, b)
	if math.IsInf(top, -1) {
		return top
	}
	sum := 0.0
	for k, x := range a {
		if d := x + b[k] - top; d > -50 {
			sum += math.Exp(d)
		}
	}
	return top + math.Log(sum)
}

// share is logDot backwards: the probability o of an item with the value whole goes to the pairs that
// make it.
func share(o, whole float64, a, b, outA, outB []float64) {
	if o == 0 || math.IsInf(whole, -1) {
		return
	}
	for k, x := range a {
		if d := x + b[k] - whole; d > -50 {
			v := o * math.Exp(d)
			outA[k] += v
			outB[k] += v
		}
	}
}

package chain

import (
	"math"

	"parlance/algo/numeric/fastexp"
)

// laneLabels is the largest number of labels of the four-lane kernels.
const laneLabels = 32

// lanes is one number of four sequences.
type lanes [4]float64

// laneRow is one number a label of four sequences. The odd length spreads the rows of
// successive tokens over the sets of the first cache.
type laneRow [laneLabels + 1]lanes

// laneKernel runs forward and backward over four sequences at once, so that one look-up
// of an index serves four independent chains of arithmetic. Lanes that are finished, or
// left out, have x = 1 and 1/z = 0. The recursions are those of lattice; x becomes the
// marginals.
type laneKernel struct {
	labels  int
	length  [4]int // tokens by lane, 0 for lanes left out
	n       int    // tokens of the longest lane
	x, a, r []laneRow
	inverse []lanes // 1/z_t
	logZ    lanes
	limit   float64 // spread of scores allowed at a token
}

func (k *laneKernel) resize(n int) {
	for len(k.x) < n {
		k.x, k.a, k.r = append(k.x, laneRow{}), append(k.a, laneRow{}), append(k.r, laneRow{})
		k.inverse = append(k.inverse, lanes{})
	}
	k.n = n
}

// addPairs adds the weight of every feature<<5 | label to the score of its label.
func addPairs(s *[laneLabels]float64, pairs []uint32, w []float64) {
	for _, p := range pairs {
		s[p&31] += w[p>>5]
	}
}

// addMarginals adds the marginal of its label to the gradient of every feature.
func addMarginals(g []float64, pairs []uint32, m *[laneLabels]float64) {
	for _, p := range pairs {
		g[p>>5] += m[p&31]
	}
}

// factor sets x of a token and lane to exp(score − max) and adds max to log Z. It reports
// false for scores that spread too much.
func (k *laneKernel) factor(t, lane int, s *[laneLabels]float64) bool {
	hi, lo := s[0], s[0]
	for _, v := range s[1:k.labels] {
		if v > hi {
			hi = v
		}
		if v < lo {
			lo = v
		}
	}
	if !(hi-lo <= k.limit) {
		return false
	}
	x := &k.x[t]
	for j, v := range s[:k.labels] {
		x[j&31][lane&3] = fastexp.Exp(v - hi)
	}
	k.logZ[lane&3] += hi
	return true
}

// idle makes the tokens of a lane from t on without effect.
func (k *laneKernel) idle(t, lane int) {
	for ; t < k.n; t++ {
		for j := range k.labels {
			k.x[t][j&31][lane&3] = 1
		}
	}
}

// forward sets a and inverse and finishes log Z.
func (k *laneKernel) forward(e *arcs) {
	prod := lanes{1, 1, 1, 1}
	for t := range k.n {
		if t == 0 {
			k.a[0] = k.x[0]
		} else {
			forwardStep(e, k.labels, &k.a[t-1], &k.x[t], &k.a[t])
		}
		c := normalize(&k.a[t], k.labels)
		for lane := range 4 {
			if t >= k.length[lane] {
				c[lane] = 0
				continue
			}
			if prod[lane] *= c[lane]; prod[lane] < 1e-40 || prod[lane] > 1e40 {
				k.logZ[lane] -= math.Log(prod[lane])
				prod[lane] = 1
			}
		}
		k.inverse[t] = c
		scaleRow(&k.a[t], k.labels, &c)
	}
	for lane := range 4 {
		k.logZ[lane] -= math.Log(prod[lane])
	}
}

// forwardStep sets out[j] = x[j]·(base + Σ prev[i]·coef). With base 1 it relies on prev
// summing to 1.
func forwardStep(e *arcs, labels int, prev, x, out *laneRow) {
	start := e.inStart[:labels+1]
	for j := range labels {
		s0, s1, s2, s3 := e.base, e.base, e.base, e.base
		for _, q := range e.in[start[j]:start[j+1]] {
			p := &prev[q.label&31]
			s0 += p[0] * q.coef
			s1 += p[1] * q.coef
			s2 += p[2] * q.coef
			s3 += p[3] * q.coef
		}
		f, o := &x[j&31], &out[j&31]
		o[0] = s0 * f[0]
		o[1] = s1 * f[1]
		o[2] = s2 * f[2]
		o[3] = s3 * f[3]
	}
}

// normalize returns 1 / Σ_j a[j].
func normalize(a *laneRow, labels int) lanes {
	var s0, s1, s2, s3 float64
	for j := range labels {
		p := &a[j&31]
		s0 += p[0]
		s1 += p[1]
		s2 += p[2]
		s3 += p[3]
	}
	return lanes{1 / s0, 1 / s1, 1 / s2, 1 / s3}
}

func scaleRow(a *laneRow, labels int, c *lanes) {
	c0, c1, c2, c3 := c[0], c[1], c[2], c[3]
	for j := range labels {
		p := &a[j&31]
		p[0] *= c0
		p[1] *= c1
		p[2] *= c2
		p[3] *= c3
	}
}

// backward sets r, and x to the marginals.
func (k *laneKernel) backward(e *arcs) {
	var b laneRow
	for t := k.n - 1; t >= 0; t-- {
		var first lanes // 1 where the lane ends at t
		for lane := range 4 {
			if k.length[lane] == t+1 {
				first[lane] = 1
			}
		}
		if t == k.n-1 {
			for j := range k.labels {
				b[j&31] = first
			}
		} else {
			backwardStep(e, k.labels, &k.r[t+1], &first, &b)
		}
		finishRow(k.labels, &k.x[t], &k.a[t], &b, &k.r[t], &k.inverse[t])
	}
}

// backwardStep sets b[i] = first + base·Σ_j next[j] + Σ next[j]·coef.
func backwardStep(e *arcs, labels int, next *laneRow, first *lanes, b *laneRow) {
	f0, f1, f2, f3 := first[0], first[1], first[2], first[3]
	if e.base != 0 {
		for j := range labels {
			p := &next[j&31]
			f0 += p[0]
			f1 += p[1]
			f2 += p[2]
			f3 += p[3]
		}
	}
	start := e.outStart[:labels+1]
	for i := range labels {
		s0, s1, s2, s3 := f0, f1, f2, f3
		for _, q := range e.out[start[i]:start[i+1]] {
			p := &next[q.label&31]
			s0 += p[0] * q.coef
			s1 += p[1] * q.coef
			s2 += p[2] * q.coef
			s3 += p[3] * q.coef
		}
		b[i&31] = lanes{s0, s1, s2, s3}
	}
}

// finishRow sets r = x·b/z and x = a·b.
func finishRow(labels int, x, a, b, r *laneRow, inverse *lanes) {
	c0, c1, c2, c3 := inverse[0], inverse[1], inverse[2], inverse[3]
	for j := range labels {
		xs, as, bs, rs := &x[j&31], &a[j&31], &b[j&31], &r[j&31]
		rs[0] = xs[0] * c0 * bs[0]
		rs[1] = xs[1] * c1 * bs[1]
		rs[2] = xs[2] * c2 * bs[2]
		rs[3] = xs[3] * c3 * bs[3]
		xs[0] = as[0] * bs[0]
		xs[1] = as[1] * bs[1]
		xs[2] = as[2] * bs[2]
		xs[3] = as[3] * bs[3]
	}
}

// addTransitions adds Σ_t A_{t−1}[from]·R_t[to], the expected number of transitions
// without the factor e^w, to sum.
func (k *laneKernel) addTransitions(from, to []uint16, sum []float64) {
	if k.n < 2 {
		return
	}
	a, r := k.a[:k.n-1], k.r[1:k.n]
	r = r[:len(a)]
	for q := range sum {
		i, j := from[q]&31, to[q]&31
		var s0, s1, s2, s3 float64
		for t := range a {
			u, v := &a[t][i], &r[t][j]
			s0 += u[0] * v[0]
			s1 += u[1] * v[1]
			s2 += u[2] * v[2]
			s3 += u[3] * v[3]
		}
		sum[q] += (s0 + s1) + (s2 + s3)
	}
}

// marginals copies the marginals of a token and lane.
func (k *laneKernel) marginals(t, lane int, m *[laneLabels]float64) {
	x := &k.x[t]
	for j := range k.labels {
		m[j&31] = x[j&31][lane&3]
	}
}

package sparse

import (
	"math"

	"parlance/algo/numeric/buffer"
)

// decision is memory for the classification of one document after the other.
type decision struct {
	Vector
	values  []float64 // decision values
	kernels []float64 // of the support vectors
	votes   []int
	prob    []float64 // of the labels
	best    int
	couple  coupling
}

// decide computes the decision values of the vector and the best label; prob is filled where the model has it.
func (m *Model) decide(d *decision) {
	d.prob = buffer.Zeros(d.prob, len(m.Labels))
	if m.Kernel.Name == "" {
		m.linear(d)
	} else {
		m.vectors(d)
	}
}

// linear decides by the largest value, the first of equals; of two classes with one column by the sign.
func (m *Model) linear(d *decision) {
	d.values = buffer.Zeros(d.values, m.Columns)
	add := func(row int, x float64) {
		for k, w := range m.Weights[row*m.Columns:][:m.Columns] {
			d.values[k] += w * x
		}
	}
	for i, k := range d.Index {
		if int(k) <= m.Features {
			add(int(k)-1, d.Value[i])
		}
	}
	if m.Bias >= 0 {
		add(m.Features, m.Bias)
	}
	d.best = 0
	if m.Columns == 1 && !(d.values[0] > 0) {
		d.best = 1
	}
	for k := 1; k < m.Columns; k++ {
		if d.values[k] > d.values[d.best] {
			d.best = k
		}
	}
	if !m.Logistic {
		return
	}
	sum := 0.0
	for k, v := range d.values {
		d.prob[k] = 1 / (1 + math.Exp(-v))
		sum += d.prob[k]
	}
	if m.Columns == 1 {
		d.prob[1] = 1 - d.prob[0]
		return
	}
	for k := range d.prob {
		d.prob[k] /= sum
	}
}

// vectors decides by votes of the pairs, the first label of equally many, or by the coupled probabilities.
func (m *Model) vectors(d *decision) {
	k, n := len(m.Labels), len(m.Start)-1
	d.kernels = buffer.Resize(d.kernels, n)
	for s := range n {
		d.kernels[s] = m.Kernel.of(&d.Vector, m.Index[m.Start[s]:m.Start[s+1]], m.Value[m.Start[s]:m.Start[s+1]])
	}
	d.values = d.values[:0]
	d.votes = append(d.votes[:0], make([]int, k)...)
	from := 0
	for i := range k {
		second := from + m.Counts[i]
		for j := i + 1; j < k; j++ {
			sum := 0.0
			for s := from; s < from+m.Counts[i]; s++ {
				sum += m.Coef[s*(k-1)+j-1] * d.kernels[s]
			}
			for s := second; s < second+m.Counts[j]; s++ {
				sum += m.Coef[s*(k-1)+i] * d.kernels[s]
			}
			second += m.Counts[j]
			sum -= m.Rho[len(d.values)]
			d.values = append(d.values, sum)
			if sum > 0 {
				d.votes[i]++
			} else {
				d.votes[j]++
			}
		}
		from += m.Counts[i]
	}
	d.best = 0
	for i, v := range d.votes {
		if v > d.votes[d.best] {
			d.best = i
		}
	}
	if m.ProbA == nil {
		return
	}
	d.couple.run(m, d.values, d.prob)
	if m.ByProb {
		d.best = 0
		for i, p := range d.prob {
			if p > d.prob[d.best] {
				d.best = i
			}
		}
	}
}

// coupling makes probabilities of labels of those of pairs (Wu, Lin and Weng 2004, the second way).
type coupling struct {
	pair, q []float64 // first·labels + second
	qp      []float64
}

// leastPair keeps probabilities of pairs from 0 and 1.
const leastPair = 1e-7

// run fills p with the probabilities. Of a pair: 1/(1 + exp(A·d + B)). It solves min Σ_i Σ_j (r_ji·p_i − r_ij·p_j)²
// with Σ p = 1 by coordinates, until every condition holds up to 0.005/labels, as LIBSVM does.
func (c *coupling) run(m *Model, values, p []float64) {
	k, n := len(p), 0
	c.pair, c.q = buffer.Zeros(c.pair, k*k), buffer.Zeros(c.q, k*k)
	c.qp = buffer.Zeros(c.qp, k)
	for i := range k {
		for j := i + 1; j < k; j++ {
			r := min(max(1/(1+math.Exp(m.ProbA[n]*values[n]+m.ProbB[n])), leastPair), 1-leastPair)
			c.pair[i*k+j], c.pair[j*k+i] = r, 1-r
			n++
		}
	}
	if k == 2 {
		p[0], p[1] = c.pair[1], c.pair[2]
		return
	}
	for t := range k {
		p[t] = 1 / float64(k)
		for j := range k {
			if j != t {
				c.q[t*k+t] += c.pair[j*k+t] * c.pair[j*k+t]
				c.q[t*k+j] = -c.pair[j*k+t] * c.pair[t*k+j]
			}
		}
	}
	for range max(100, k) {
		if c.step(p) {
			return
		}
	}
}

// step goes through the coordinates once, unless p is near enough.
func (c *coupling) step(p []float64) (done bool) {
	k := len(p)
	all, worst := 0.0, 0.0
	for t := range k {
		c.qp[t] = 0
		for j := range k {
			c.qp[t] += c.q[t*k+j] * p[j]
		}
		all += p[t] * c.qp[t]
	}
	for t := range k {
		worst = max(worst, math.Abs(c.qp[t]-all))
	}
	if worst < 0.005/float64(k) {
		return true
	}
	for t := range k {
		own := c.q[t*k+t]
		diff := (all - c.qp[t]) / own
		p[t] += diff
		all = (all + diff*(diff*own+2*c.qp[t])) / (1 + diff) / (1 + diff)
		for j := range k {
			c.qp[j] = (c.qp[j] + diff*c.q[t*k+j]) / (1 + diff)
			p[j] /= 1 + diff
		}
	}
	return false
}

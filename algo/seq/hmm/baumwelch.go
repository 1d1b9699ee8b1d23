package hmm

import (
	"context"
	"math"

	"parlance/algo/numeric/buffer"
	"parlance/algo/numeric/parallel"
)

// shards of the sentences: each counts by itself, and the counts are summed in order, so that the
// number of workers changes nothing.
const shards = 8

// expectation is the expected counts of some sentences.
type expectation struct {
	markov
	logLik float64
	alpha  []float64 // by token and state, scaled to sums of 1
	scale  []float64 // c_t
	beta   []float64 // of the token after
	u      []float64
}

// baumWelch improves the model once on sentences of symbols and returns the logarithm of the
// likelihood that it had before. It costs O(tokens·S²).
func (m *markov) baumWelch(ctx context.Context, sentences [][]uint32, counts []*expectation,
	workers int) (float64, error) {
	total := counts[0]
	err := parallel.Reduce(ctx, workers, len(counts), func(_, k int) error {
		from, to := parallel.Shard(k, len(sentences), len(counts))
		return counts[k].count(ctx, m, sentences[from:to])
	}, func(k int) {
		if k == 0 {
			return
		}
		c := counts[k]
		total.logLik += c.logLik
		add(total.start, c.start)
		add(total.trans, c.trans)
		add(total.emit, c.emit)
	})
	if err != nil {
		return 0, err
	}
	// ξ was summed without its factor A_ij.
	for i := range m.trans {
		m.trans[i] *= total.trans[i]
	}
	copy(m.start, total.start)
	copy(m.emit, total.emit)
	m.normalise()
	return total.logLik, nil
}

func add(dst, src []float64) {
	for i, x := range src {
		dst[i] += x
	}
}

func newExpectations(states, symbols int) []*expectation {
	out := make([]*expectation, shards)
	for k := range out {
		out[k] = &expectation{markov: *newMarkov(states, symbols)}
	}
	return out
}

func (e *expectation) count(ctx context.Context, m *markov, sentences [][]uint32) error {
	clear(e.start)
	clear(e.trans)
	clear(e.emit)
	e.logLik = 0
	for k, o := range sentences {
		if k&15 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if len(o) > 0 {
			e.forward(m, o)
			e.backward(m, o)
		}
	}
	return nil
}

// forward computes α_t(j) = Σ_i α_{t−1}(i)·A_ij·B_j(o_t), divided by c_t = Σ_j α_t(j); the
// logarithm of the likelihood is Σ_t log c_t (Rabiner 1989, section V.A).
func (e *expectation) forward(m *markov, o []uint32) {
	s := m.states
	e.alpha, e.scale = buffer.Resize(e.alpha, len(o)*s), buffer.Resize(e.scale, len(o))
	for t, v := range o {
		now := e.alpha[t*s:][:s]
		if t == 0 {
			copy(now, m.start)
		} else {
			clear(now)
			for i, a := range e.alpha[(t-1)*s:][:s] {
				if a != 0 {
					axpy(now, a, m.trans[i*s:][:s])
				}
			}
		}
		c := 0.0
		for i, b := range m.emit[int(v)*s:][:s] {
			now[i] *= b
			c += now[i]
		}
		if c < math.SmallestNonzeroFloat64 { // impossible: as if it were not seen
			c = 1
			for i := range now {
				now[i] = 1 / float64(s)
			}
		}
		for i := range now {
			now[i] /= c
		}
		e.scale[t] = c
		e.logLik += math.Log(c)
	}
}

// backward computes β_t(i) = Σ_j A_ij·u_j with u_j = B_j(o_{t+1})·β_{t+1}(j)/c_{t+1}, β_T = 1, and
// counts γ_t(i) = α_t(i)·β_t(i) and ξ_t(i, j)/A_ij = α_t(i)·u_j.
func (e *expectation) backward(m *markov, o []uint32) {
	s := m.states
	e.beta, e.u = buffer.Resize(e.beta, s), buffer.Resize(e.u, s)
	for i := range e.beta {
		e.beta[i] = 1
	}
	for t := len(o) - 1; ; t-- {
		now := e.alpha[t*s:][:s]
		row := e.emit[int(o[t])*s:][:s]
		for i, a := range now {
			row[i] += a * e.beta[i]
		}
		if t == 0 {
			for i, a := range now {
				e.start[i] += a * e.beta[i]
			}
			return
		}
		for i, b := range m.emit[int(o[t])*s:][:s] {
			e.u[i] = b * e.beta[i] / e.scale[t]
		}
		for i, a := range e.alpha[(t-1)*s:][:s] {
			e.beta[i] = dot(m.trans[i*s:][:s], e.u)
			if a != 0 {
				axpy(e.trans[i*s:][:s], a, e.u)
			}
		}
	}
}

// axpy is y ← y + a·x.
func axpy(y []float64, a float64, x []float64) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] += a * v
	}
}

func dot(x, y []float64) float64 {
	y = y[:len(x)]
	var a, b, c, d float64
	i := 0
	for ; i+4 <= len(x); i += 4 {
		a += x[i] * y[i]
		b += x[i+1] * y[i+1]
		c += x[i+2] * y[i+2]
		d += x[i+3] * y[i+3]
	}
	for ; i < len(x); i++ {
		a += x[i] * y[i]
	}
	return (a + b) + (c + d)
}

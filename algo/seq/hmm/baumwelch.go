package hmm

import (
	"context"
	"math"

	"parlance/algo/numeric/buffer"
	"parlance/algo/numeric/parallel"
)

// Sums of expected counts are whole numbers of a quantum 2^-k, with k as large as all tokens together allow. They are
// added exactly, in any order: so all numbers of workers and of shards give the same bytes.

// sums is the expected counts of sentences, in quanta.
type sums struct {
	start, trans, emit []int64
	logLik             int64 // of the likelihood, in quanta of their own
}

func newSums(states, symbols int) *sums {
	return &sums{start: make([]int64, states), trans: make([]int64, states*states), emit: make([]int64, symbols*states)}
}

// quanta is how many of them are 1, for counts and for the logarithm of the likelihood of so many tokens.
func quanta(tokens int) (counts, logLiks float64) {
	_, exp := math.Frexp(float64(2*tokens + 1))
	return math.Ldexp(1, 61-exp), math.Ldexp(1, 61-exp-11)
}

// add adds the sums of others.
func (s *sums) add(o *sums) {
	addCounts(s.start, o.start)
	addCounts(s.trans, o.trans)
	addCounts(s.emit, o.emit)
	s.logLik += o.logLik
}

func addCounts(to, from []int64) {
	for i, n := range from {
		to[i] += n
	}
}

// expectation counts sentences.
type expectation struct {
	*sums
	quantum float64
	logs    float64 // quanta of the likelihood
	xi      []float64
	ln      float64   // of the likelihood of the sentence
	alpha   []float64 // by token and state, scaled to sums of 1
	scale   []float64 // c_t
	beta    []float64 // of the token after
	u       []float64
}

// blockSentences is how many sentences a worker takes at once.
const blockSentences = 64

// expect counts sentences of symbols, which are part of so many tokens. It costs O(tokens·S²).
func (m *markov) expect(ctx context.Context, sentences [][]uint32, tokens, workers int) (*sums, error) {
	counts := make([]*expectation, max(workers, 1))
	err := parallel.For(ctx, workers, parallel.Blocks(len(sentences), blockSentences), func(w, b int) error {
		if counts[w] == nil {
			counts[w] = &expectation{sums: newSums(m.states, m.symbols), xi: make([]float64, m.states*m.states)}
			counts[w].quantum, counts[w].logs = quanta(tokens)
		}
		from, to := parallel.Block(b, len(sentences), blockSentences)
		return counts[w].count(ctx, m, sentences[from:to])
	})
	if err != nil {
		return nil, err
	}
	total := newSums(m.states, m.symbols)
	for _, c := range counts {
		if c != nil {
			total.add(c.sums)
		}
	}
	return total, nil
}

// maximise takes the relative frequencies of the sums for the model and returns the logarithm of the likelihood that it
// had before.
func (m *markov) maximise(s *sums, tokens int) float64 {
	for _, x := range []struct {
		to   []float64
		from []int64
	}{{m.start, s.start}, {m.trans, s.trans}, {m.emit, s.emit}} {
		for i, n := range x.from {
			x.to[i] = float64(n)
		}
	}
	m.normalise()
	_, logs := quanta(tokens)
	return float64(s.logLik) / logs
}

func (e *expectation) count(ctx context.Context, m *markov, sentences [][]uint32) error {
	for k, o := range sentences {
		if k&15 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if len(o) == 0 {
			continue
		}
		e.ln = 0
		e.forward(m, o)
		e.logLik += int64(e.ln * e.logs)
		clear(e.xi)
		e.backward(m, o)
		for i, x := range e.xi { // ξ was summed without its factor A_ij
			if x != 0 {
				e.trans[i] += int64(x * m.trans[i] * e.quantum)
			}
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
		e.ln += math.Log(c)
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
			row[i] += int64(a * e.beta[i] * e.quantum)
		}
		if t == 0 {
			for i, a := range now {
				e.start[i] += int64(a * e.beta[i] * e.quantum)
			}
			return
		}
		for i, b := range m.emit[int(o[t])*s:][:s] {
			e.u[i] = b * e.beta[i] / e.scale[t]
		}
		for i, a := range e.alpha[(t-1)*s:][:s] {
			e.beta[i] = dot(m.trans[i*s:][:s], e.u)
			if a != 0 {
				axpy(e.xi[i*s:][:s], a, e.u)
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

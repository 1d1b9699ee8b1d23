package hmm

import (
	"math"
	"math/rand/v2"

	"parlance/algo/engine/chain"
)

// markov is the probabilities of a first-order hidden Markov model over S states and V symbols.
type markov struct {
	states, symbols int
	start           []float64 // π_i
	trans           []float64 // A_ij at i·S + j
	emit            []float64 // B_i(v) at v·S + i
}

func newMarkov(states, symbols int) *markov {
	return &markov{states: states, symbols: symbols, start: make([]float64, states), trans: make([]float64, states*states),
		emit: make([]float64, symbols*states)}
}

// randomise starts from the frequencies of the symbols in every state and uniform transitions, each
// number with noise of a factor between ½ and 3/2: states that begin alike would stay alike.
func (m *markov) randomise(frequency []float64, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 0x4a))
	noise := func() float64 { return 0.5 + rng.Float64() }
	for i := range m.start {
		m.start[i] = noise()
	}
	for i := range m.trans {
		m.trans[i] = noise()
	}
	for v, f := range frequency {
		for i := range m.states {
			m.emit[v*m.states+i] = f * noise()
		}
	}
	m.normalise()
}

// normalise makes probabilities of counts. What was never counted is uniform.
func (m *markov) normalise() {
	s := m.states
	scale(m.start)
	for i := range s {
		scale(m.trans[i*s : (i+1)*s])
	}
	sums := make([]float64, s)
	for v := range m.symbols {
		for i, x := range m.emit[v*s:][:s] {
			sums[i] += x
		}
	}
	for v := range m.symbols {
		row := m.emit[v*s:][:s]
		for i := range row {
			if sums[i] > 0 {
				row[i] /= sums[i]
			} else {
				row[i] = 1 / float64(m.symbols)
			}
		}
	}
}

func scale(p []float64) {
	sum := 0.0
	for _, x := range p {
		sum += x
	}
	for i := range p {
		if sum > 0 {
			p[i] /= sum
		} else {
			p[i] = 1 / float64(len(p))
		}
	}
}

// smooth adds to every count: transition to those of states, emission to those of symbols.
func (m *markov) smooth(transition, emission float64) {
	for i := range m.start {
		m.start[i] += transition
	}
	for i := range m.trans {
		m.trans[i] += transition
	}
	for i := range m.emit {
		m.emit[i] += emission
	}
}

// floor keeps logarithms finite.
const floor = 1e-100

func logOf(p float64) float64 { return math.Log(max(p, floor)) }

// chain is the transitions as weights, log A_ij.
func (m *markov) chain() (*chain.Model, error) {
	p := chain.Parts{Labels: m.states, AttrStart: []uint32{0}}
	for i := range m.states {
		for j := range m.states {
			p.TransFrom, p.TransTo = append(p.TransFrom, uint16(i)), append(p.TransTo, uint16(j))
			p.TransWeights = append(p.TransWeights, logOf(m.trans[i*m.states+j]))
		}
	}
	return chain.NewModel(p)
}

// unknown stands for words without a symbol, which every state emits alike.
const unknown = math.MaxUint32

// scores sets, by token and state, log B_i(o_t), at the first token with log π_i.
func (m *markov) scores(dst []float64, o []uint32) []float64 {
	dst = dst[:0]
	for t, v := range o {
		for i := range m.states {
			x := 0.0
			if v != unknown {
				x = logOf(m.emit[int(v)*m.states+i])
			}
			if t == 0 {
				x += logOf(m.start[i])
			}
			dst = append(dst, x)
		}
	}
	return dst
}

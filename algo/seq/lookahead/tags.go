package lookahead

import (
	"fmt"
	"math"
	"sync"

	"parlance/algo/engine/chain"
	"parlance/algo/kind"
	"parlance/algo/seq/tagger"
)

// labels is a trained labeller of tokens.
type labels struct {
	tagger.Trained
	target  tagger.Target
	reverse bool
	triple  []float64 // by the two labels before and label, in the order of decisions; nil for order 1
	rules   *rules    // of the scheme, nil for columns
	free    []float64 // weights of label pairs
	bound   []float64 // the same, −∞ where the scheme forbids
	maxima  [2]maxima // of free and of bound
	workers *sync.Pool
}

// rules are what the scheme forbids, in the order of decisions.
type rules struct{ first, last, pair []bool }

// newRules turns constraints from left to right around if labels are chosen from the end.
func newRules(c *chain.Constraints, reverse bool) *rules {
	l := c.Labels()
	r := &rules{make([]bool, l), make([]bool, l), make([]bool, l*l)}
	for y := range l {
		r.first[y], r.last[y] = !c.AllowedStart(y), !c.AllowedEnd(y)
		for z := range l {
			if reverse {
				r.pair[z*l+y] = !c.Allowed(y, z)
			} else {
				r.pair[y*l+z] = !c.Allowed(y, z)
			}
		}
	}
	if reverse {
		r.first, r.last = r.last, r.first
	}
	return r
}

// forbid sets the scores of labels that the rules forbid to −∞.
func forbid(scores []float64, not []bool) {
	for y, no := range not {
		if no {
			scores[y] = math.Inf(-1)
		}
	}
}

// ends applies the rules for the first and the last token to the scores of token t of n.
func (r *rules) ends(scores []float64, t, n int) {
	if r == nil {
		return
	}
	if t == 0 {
		forbid(scores, r.first)
	}
	if t == n-1 {
		forbid(scores, r.last)
	}
}

// The numbers of labels up to which weights of all pairs, and of all triples, are kept.
const (
	maxPairs   = 1024
	maxTriples = 256
)

func checkLabels(n, order int) error {
	most := maxPairs
	if order == 2 {
		most = maxTriples
	}
	if n > most {
		return fmt.Errorf("the corpus has %d labels; lookahead with order = %d takes at most %d", n, order, most)
	}
	return nil
}

// prepare derives what decoding needs.
func (m *labels) prepare() {
	l := len(m.Labels)
	m.free = make([]float64, l*l)
	for x := range m.Chain.Transitions() {
		m.free[int(x.From)*l+int(x.To)] = x.Weight
	}
	m.bound = m.free
	if m.target.Spans() {
		m.rules = newRules(m.target.Scheme.Constraints(m.Labels), m.reverse)
		m.bound = append([]float64{}, m.free...)
		forbid(m.bound, m.rules.pair)
	}
	m.maxima[0] = newMaxima(l, m.free, m.triple)
	m.maxima[1] = m.maxima[0]
	if m.rules != nil {
		m.maxima[1].pair = rowMaxima(l, m.bound)
	}
	m.workers = &sync.Pool{New: func() any { return newWorker(m) }}
}

// Bytes is what the model takes in memory.
func (m *labels) Bytes() int64 {
	return m.Trained.Bytes() + int64(8*(len(m.triple)+2*len(m.free)))
}

// Encode writes what was learned. Transitions are in the order of decisions.
func (m *labels) Encode(w *kind.Writer) error {
	if err := m.Trained.Encode(w); err != nil || m.triple == nil {
		return err
	}
	var places []uint32
	var weights []float64
	for k, x := range m.triple {
		if x != 0 {
			places, weights = append(places, uint32(k)), append(weights, x)
		}
	}
	if err := w.Uint32s("triples.places", places); err != nil {
		return err
	}
	return w.Float64s("triples.weights", weights)
}

// decodeLabels reads what Encode wrote.
func decodeLabels(r *kind.Reader, t tagger.Target, reverse bool, order int) (*labels, error) {
	m := &labels{target: t, reverse: reverse}
	var err error
	if m.Trained, err = tagger.DecodeTrained(r, func(int) int { return 0 }); err != nil {
		return nil, err
	}
	l := len(m.Labels)
	if checkLabels(l, order) != nil {
		return nil, kind.Corrupt("labels", "has too many labels")
	}
	if order == 2 {
		places, err := r.Uint32s("triples.places")
		if err != nil {
			return nil, err
		}
		weights, err := r.Float64s("triples.weights")
		if err != nil {
			return nil, err
		}
		if len(places) != len(weights) {
			return nil, kind.Corrupt("triples.weights", "one weight a place is wanted")
		}
		m.triple = make([]float64, l*l*l)
		for i, k := range places {
			if int(k) >= len(m.triple) || math.IsNaN(weights[i]) || math.IsInf(weights[i], 0) || weights[i] == 0 {
				return nil, kind.Corrupt("triples.places", fmt.Sprintf("triple %d is none of %d labels", i, l))
			}
			m.triple[k] = weights[i]
		}
	}
	m.prepare()
	return m, nil
}

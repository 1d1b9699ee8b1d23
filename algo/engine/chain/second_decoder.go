package chain

import (
	"math"

	"parlance/algo/numeric/buffer"
)

// SecondDecoder answers questions about one sequence after the other as Decoder does, for a chain of
// second order. Without a possible labelling it gives ErrNoPath, and probabilities of 0.
type SecondDecoder struct {
	second *Second
	states *Decoder
	scores []float64 // of labels
	path   []uint16
	paths  []Path
	sums   []float64
}

// NewDecoder returns a decoder, for one goroutine.
func (s *Second) NewDecoder() *SecondDecoder {
	m := &Model{parts: Parts{Labels: len(s.pairs.list)}}
	return &SecondDecoder{second: s, states: &Decoder{model: m, grammar: s.grammar},
		sums: make([]float64, len(s.pairs.list))}
}

// Load scores a sequence.
func (d *SecondDecoder) Load(s Sequence) { d.LoadAnd(s, nil) }

// LoadAnd scores a sequence and lets add, unless nil, add more to the scores, at token·labels + label.
func (d *SecondDecoder) LoadAnd(s Sequence, add func(scores []float64)) {
	l, p := &d.states.lattice, d.second.pairs
	d.scores = buffer.Resize(d.scores, s.Len()*p.labels)
	d.second.model.scoreWithin(&l.watch, s, d.scores)
	if add != nil {
		add(d.scores)
	}
	l.resize(len(p.list), s.Len())
	p.expand(d.scores, l.scores, s.Len())
	d.states.loaded()
}

// Viterbi returns the best labelling and its score.
func (d *SecondDecoder) Viterbi() ([]uint16, float64, error) {
	best, score, err := d.states.Viterbi()
	d.path = d.path[:0]
	for _, s := range best {
		d.path = append(d.path, d.second.pairs.list[s].To)
	}
	return d.path, score, err
}

// NBest returns the n best labellings by falling score.
func (d *SecondDecoder) NBest(n int) ([]Path, error) {
	paths, err := d.states.NBest(n)
	d.paths = d.paths[:0]
	for _, p := range paths {
		labels := make([]uint16, len(p.Labels))
		for t, s := range p.Labels {
			labels[t] = d.second.pairs.list[s].To
		}
		d.paths = append(d.paths, Path{labels, p.Score})
	}
	return d.paths, err
}

// Score returns the score of a labelling, −Inf if it is not possible.
func (d *SecondDecoder) Score(labels []uint16) float64 {
	states, ok := d.second.pairs.states(nil, labels)
	if !ok {
		return math.Inf(-1)
	}
	return d.states.Score(states)
}

// states appends the states of a labelling; ok is false if it is not possible.
func (p *pairs) states(dst, labels []uint16) (_ []uint16, ok bool) {
	last := uint16(Start)
	for _, y := range labels {
		s, ok := p.of[Pair{last, y}]
		if !ok {
			return dst, false
		}
		dst, last = append(dst, s), y
	}
	return dst, true
}

// LogZ returns the log of the sum of exp(score) over all labellings.
func (d *SecondDecoder) LogZ() float64 { return d.states.LogZ() }

// Prob returns the probability of a labelling.
func (d *SecondDecoder) Prob(labels []uint16) float64 {
	z, s := d.LogZ(), d.Score(labels)
	if math.IsInf(z, -1) || math.IsInf(s, -1) {
		return 0
	}
	return probability(s - z)
}

// Marginal returns p(y_t = label | x), t 0-based.
func (d *SecondDecoder) Marginal(t, label int) float64 {
	sum := 0.0
	for i, x := range d.second.pairs.list {
		if int(x.To) == label {
			sum += d.states.Marginal(t, i)
		}
	}
	return min(1, sum)
}

// SpanProb returns the probability that the tokens from start on have exactly these labels and that
// the token after them has none of the labels in continued, as Decoder.SpanProb does.
func (d *SecondDecoder) SpanProb(start int, labels, continued []uint16) float64 {
	l, p := d.states.sum(), d.second.pairs
	if len(labels) == 0 || l.blocked() {
		return 0
	}
	var logs []float64
	for i, x := range p.list {
		if x.To != labels[0] {
			continue
		}
		if s := l.logForward(start, i); !math.IsInf(s, -1) {
			if s += d.span(l, i, start, labels, continued); !math.IsInf(s, -1) {
				logs = append(logs, s)
			}
		}
	}
	return probability(logSumExp(logs) - l.logZ)
}

// span returns the log of the sum over what follows state i at a token, the first of a span.
func (d *SecondDecoder) span(l *lattice, i, t int, labels, continued []uint16) float64 {
	p, s := d.second.pairs, 0.0
	for k := 1; k < len(labels); k++ {
		next, ok := p.of[Pair{labels[k-1], labels[k]}]
		if !ok {
			return math.Inf(-1)
		}
		t++
		s += d.second.grammar.trans.at(i, int(next)) + l.scores[t*l.labels+int(next)]
		i = int(next)
	}
	if t+1 == l.n {
		return s
	}
	d.second.grammar.trans.row(i, d.sums)
	for j := range d.sums {
		d.sums[j] += l.scores[(t+1)*l.labels+j] + l.logBackward(t+1, j)
		for _, y := range continued {
			if p.list[j].To == y {
				d.sums[j] = math.Inf(-1)
			}
		}
	}
	return s + logSumExp(d.sums)
}

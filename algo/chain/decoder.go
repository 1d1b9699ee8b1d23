package chain

import (
	"errors"
	"fmt"
	"math"
)

// ErrNoPath tells that the constraints allow no labels for a sequence.
var ErrNoPath = errors.New("constraints allow no labels for the sequence")

// Decoder answers questions about one sequence after the other: Load or LoadScores first,
// then any of the other methods. Under constraints, forbidden labellings have probability
// 0 and the others are renormalised. Buffers are reused: results that are slices hold
// until the next call of the same method. A decoder belongs to one goroutine.
type Decoder struct {
	model   *Model
	grammar *grammar
	lattice lattice
	summed  bool // forward and backward are done
	viterbi viterbi
	nbest   nbest
}

// NewDecoder returns a decoder. rules may be nil; if not, they must be for the labels of
// the model.
func (m *Model) NewDecoder(rules *Constraints) (*Decoder, error) {
	if rules == nil {
		return &Decoder{model: m, grammar: m.free}, nil
	}
	if rules.labels != m.parts.Labels {
		return nil, fmt.Errorf("%w: constraints for %d labels, want %d", ErrInvalid, rules.labels, m.parts.Labels)
	}
	return &Decoder{model: m, grammar: newGrammar(m, rules)}, nil
}

// Clone returns a decoder for another goroutine. It shares the tables.
func (d *Decoder) Clone() *Decoder { return &Decoder{model: d.model, grammar: d.grammar} }

// Load scores a sequence. Attributes that the model does not know score nothing.
func (d *Decoder) Load(s Sequence) { d.LoadAnd(s, nil) }

// LoadAnd scores a sequence and lets add, unless nil, add more to the scores, at token·Labels + label.
func (d *Decoder) LoadAnd(s Sequence, add func(scores []float64)) {
	l := d.model.parts.Labels
	d.lattice.resize(l, s.Len())
	d.model.score(s, d.lattice.scores)
	if add != nil {
		add(d.lattice.scores)
	}
	d.loaded()
}

// LoadScores takes scores of tokens and labels (token·Labels + label) in place of those
// of a sequence. A score of −Inf forbids a label at a token.
func (d *Decoder) LoadScores(scores []float64) error {
	l := d.model.parts.Labels
	if len(scores)%l != 0 {
		return fmt.Errorf("%w: %d scores, want a multiple of %d labels", ErrInvalid, len(scores), l)
	}
	for i, v := range scores {
		if math.IsNaN(v) || math.IsInf(v, 1) {
			return fmt.Errorf("%w: score %g at token %d, want a finite number or −Inf", ErrInvalid, v, i/l)
		}
	}
	d.lattice.resize(l, len(scores)/l)
	copy(d.lattice.scores, scores)
	d.loaded()
	return nil
}

func (d *Decoder) loaded() {
	d.summed, d.viterbi.done = false, false
	rules, l := d.grammar.rules, &d.lattice
	if rules == nil || l.n == 0 {
		return
	}
	first, last := l.row(l.scores, 0), l.row(l.scores, l.n-1)
	for j := range l.labels {
		if !rules.AllowedStart(j) {
			first[j] = math.Inf(-1)
		}
		if !rules.AllowedEnd(j) {
			last[j] = math.Inf(-1)
		}
	}
}

// score sets the scores of every token and label, leaving out unknown attributes.
func (m *Model) score(s Sequence, scores []float64) {
	clear(scores)
	p := &m.parts
	for t := range s.Len() {
		row := scores[t*p.Labels : (t+1)*p.Labels]
		for lo := s.AttrOffsets[t]; lo < s.AttrOffsets[t+1]; lo += scoreBlock {
			hi := min(lo+scoreBlock, s.AttrOffsets[t+1])
			var values []float32
			if s.Values != nil {
				values = s.Values[lo:hi]
			}
			m.addRows(s.Attrs[lo:hi], values, row)
		}
	}
}

// AddScores adds the weights of attributes to scores, one a label.
func (m *Model) AddScores(attrs []uint32, scores []float64) {
	for lo := 0; lo < len(attrs); lo += scoreBlock {
		m.addRows(attrs[lo:min(lo+scoreBlock, len(attrs))], nil, scores)
	}
}

// AddGroups adds the weights of groups of attributes to scores, one a group and label: group i is
// attrs[ends[i−1]:ends[i]].
func (m *Model) AddGroups(attrs []uint32, ends []int, scores []float64) {
	for lo := 0; lo < len(attrs); lo += scoreBlock {
		var starts, ends [scoreBlock]int
		m.fetch(attrs[lo:min(lo+scoreBlock, len(attrs))], &starts, &ends)
	}
	from, l := 0, m.parts.Labels
	for i, to := range ends {
		m.AddScores(attrs[from:to], scores[i*l:][:l])
		from = to
	}
}

// scoreBlock is how many attributes are fetched together.
const scoreBlock = 64

// addRows adds the weights of at most scoreBlock attributes to the scores of a token. The rows
// lie far apart in memory: a first pass asks for all of them, so that they arrive together.
func (m *Model) addRows(attrs []uint32, values []float32, row []float64) {
	p := &m.parts
	var starts, ends [scoreBlock]int
	m.fetch(attrs, &starts, &ends)
	for i := range attrs {
		lo, hi := starts[i], ends[i]
		labels, weights := p.PairLabel[lo:hi], p.Weights[lo:hi]
		weights = weights[:len(labels)]
		if values == nil {
			for q, y := range labels {
				row[y] += weights[q]
			}
			continue
		}
		v := float64(values[i])
		for q, y := range labels {
			row[y] += v * weights[q]
		}
	}
}

// fetch finds the weights of attributes, none for unknown ones, and reads the first of each.
func (m *Model) fetch(attrs []uint32, starts, ends *[scoreBlock]int) {
	p := &m.parts
	for i, a := range attrs[:min(len(attrs), scoreBlock)] {
		if a < uint32(p.Attributes) {
			starts[i], ends[i] = int(p.AttrStart[a]), int(p.AttrStart[a+1])
		}
	}
	touched, label := 0.0, uint16(0)
	for i := range attrs[:min(len(attrs), scoreBlock)] {
		if starts[i] < ends[i] {
			touched += p.Weights[starts[i]]
			label |= p.PairLabel[starts[i]]
		}
	}
	m.touched(touched, label)
}

// touched keeps the compiler from leaving out the pass that touches.
//
//go:noinline
func (m *Model) touched(float64, uint16) {}

// Len returns the number of tokens loaded.
func (d *Decoder) Len() int { return d.lattice.n }

// TokenScores returns the scores of the labels at a token, 0-based, without transitions;
// −Inf for what the constraints forbid at the ends.
func (d *Decoder) TokenScores(t int) []float64 { return d.lattice.row(d.lattice.scores, t) }

// Score returns the score of a labelling: one label a token.
func (d *Decoder) Score(labels []uint16) float64 {
	l := &d.lattice
	var s float64
	for t, y := range labels[:l.n] {
		s += l.scores[t*l.labels+int(y)]
		if t > 0 {
			s += d.grammar.trans.at(int(labels[t-1]), int(y))
		}
	}
	return s
}

// sum runs forward and backward once.
func (d *Decoder) sum() *lattice {
	if !d.summed {
		d.lattice.run(d.grammar.trans)
		d.summed = true
	}
	return &d.lattice
}

// LogZ returns the log of the sum of exp(score) over all labellings, −Inf if none is
// allowed.
func (d *Decoder) LogZ() float64 { return d.sum().logZ }

// Prob returns the probability of a labelling.
func (d *Decoder) Prob(labels []uint16) float64 { return math.Exp(d.LogProb(labels)) }

// LogProb returns the log of the probability of a labelling.
func (d *Decoder) LogProb(labels []uint16) float64 {
	z := d.LogZ()
	if math.IsInf(z, -1) {
		return z
	}
	return d.Score(labels) - z
}

// blocked reports that no path exists, so that all probabilities are 0.
func (l *lattice) blocked() bool { return math.IsInf(l.logZ, -1) }

// Marginal returns p(y_t = label | x), t 0-based.
func (d *Decoder) Marginal(t, label int) float64 {
	l := d.sum()
	if l.blocked() {
		return 0
	}
	return l.marginal(t, label)
}

// Marginals appends the marginals of all labels at a token to dst.
func (d *Decoder) Marginals(dst []float64, t int) []float64 {
	for j := range d.model.parts.Labels {
		dst = append(dst, d.Marginal(t, j))
	}
	return dst
}

// TransitionMarginal returns p(y_{t−1} = from, y_t = to | x), t from 1.
func (d *Decoder) TransitionMarginal(t, from, to int) float64 {
	l := d.sum()
	if l.blocked() {
		return 0
	}
	return math.Exp(l.logForward(t-1, from) + d.grammar.trans.at(from, to) +
		l.scores[t*l.labels+to] + l.logBackward(t, to) - l.logZ)
}

// SpanProb returns the probability that the tokens from start on have exactly these
// labels and that the token after them has none of the labels in continued; at the end of
// the sequence nothing continues. So for BIO labels, SpanProb(i, {B, I, I}, {I}) is the
// probability of the chunk.
func (d *Decoder) SpanProb(start int, labels, continued []uint16) float64 {
	l := d.sum()
	if len(labels) == 0 || l.blocked() {
		return 0
	}
	s := l.logForward(start, int(labels[0]))
	for k := 1; k < len(labels); k++ {
		s += d.grammar.trans.at(int(labels[k-1]), int(labels[k])) + l.scores[(start+k)*l.labels+int(labels[k])]
	}
	end, last := start+len(labels), int(labels[len(labels)-1])
	if end < l.n {
		s += d.logLeave(end, last, continued)
	}
	return math.Exp(s - l.logZ)
}

// logLeave returns the log of the backward sum at t−1 for a label, over all next labels
// but the continued ones.
func (d *Decoder) logLeave(t, from int, continued []uint16) float64 {
	l := &d.lattice
	next := l.tmp
	d.grammar.trans.row(from, next)
	for j := range next {
		next[j] += l.scores[t*l.labels+j] + l.logBackward(t, j)
	}
	for _, j := range continued {
		next[j] = math.Inf(-1)
	}
	return logSumExp(next)
}

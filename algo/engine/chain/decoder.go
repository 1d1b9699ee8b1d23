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
	nbest   NBest
	paths   []Path
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
	d.model.scoreWithin(&d.lattice.watch, s, d.lattice.scores)
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

// scoreBlock is how many attributes are fetched together.
const scoreBlock = 64

// AddScores adds the weights of the attributes of every token to scores, at token·Labels + label,
// leaving out unknown attributes.
func (m *Model) AddScores(s Sequence, scores []float64) {
	if s.Len() == 0 {
		return
	}
	l, t := m.parts.Labels, 0
	var starts, ends [scoreBlock]uint32
	for lo, end := s.AttrOffsets[0], s.AttrOffsets[s.Len()]; lo < end; lo += scoreBlock {
		hi := min(lo+scoreBlock, end)
		m.fetch(s.Attrs[lo:hi], &starts, &ends)
		for i := lo; i < hi; {
			for s.AttrOffsets[t+1] <= i {
				t++
			}
			stop := min(hi, s.AttrOffsets[t+1])
			row, from, to := scores[t*l:][:l], starts[i-lo:stop-lo], ends[i-lo:stop-lo]
			if s.Values == nil {
				m.addRows(from, to, row)
			} else {
				m.addValued(from, to, s.Values[i:stop], row)
			}
			i = stop
		}
	}
}

// addRows adds to row, by label, the weights from starts[i] to ends[i] of each attribute i.
func (m *Model) addRows(starts, ends []uint32, row []float64) {
	labels := m.parts.PairLabel
	weights := m.parts.Weights[:len(labels)]
	ends = ends[:len(starts)]
	for i, lo := range starts {
		if int(ends[i])-int(lo) == len(row) { // of all labels, in order
			for y, w := range weights[lo:][:len(row)] {
				row[y] += w
			}
			continue
		}
		for q := int(lo); q < int(ends[i]); q++ {
			row[labels[q]] += weights[q]
		}
	}
}

// addValued does so with the weights times the value of their attribute.
func (m *Model) addValued(starts, ends []uint32, values []float32, row []float64) {
	labels := m.parts.PairLabel
	weights := m.parts.Weights[:len(labels)]
	for i, lo := range starts {
		v := float64(values[i])
		for q := int(lo); q < int(ends[i]); q++ {
			row[labels[q]] += v * weights[q]
		}
	}
}

// fetch finds the weights of attributes, none for unknown ones, and reads the first of each: they lie
// far apart in memory, and what is asked for together arrives together.
func (m *Model) fetch(attrs []uint32, starts, ends *[scoreBlock]uint32) {
	p := &m.parts
	attrs = attrs[:min(len(attrs), scoreBlock)]
	known := p.AttrStart[:p.Attributes+1]
	for i, a := range attrs {
		if starts[i], ends[i] = 0, 0; int(a)+1 < len(known) {
			starts[i], ends[i] = known[a], known[a+1]
		}
	}
	touched, label := 0.0, uint16(0)
	for i := range attrs {
		if k := starts[i]; k < ends[i] {
			touched += p.Weights[k]
			label |= p.PairLabel[k]
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
func (d *Decoder) Prob(labels []uint16) float64 { return probability(d.LogProb(labels)) }

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
	return min(1, l.marginal(t, label)) // sums are rounded
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
	return probability(l.logForward(t-1, from) + d.grammar.trans.at(from, to) +
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
	return probability(s - l.logZ)
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

// Package labelhistory is the frame of taggers whose features read the labels of the tokens before:
// gold histories for training, scores of labels after any labels, and decoders from left to right.
package labelhistory

import (
	"parlance/algo/engine/chain"
	"parlance/algo/feature"
	"parlance/algo/numeric/buffer"
)

// Local gives the scores of the labels at each token of a sentence after given labels. Labels
// are numbered from 0; the number of labels itself stands for what is before the first token.
type Local interface {
	Len() int
	Labels() int
	// Order is how many labels before the token matter: 0, 1 or 2.
	Order() int
	// At sets out, by label, for token t (0-based) after the label of the last token and the one
	// before it.
	At(t, last, second int, out []float64)
}

// Scorer is the linear Local of weights over attributes, some of them joined with labels:
//
//	s(y | t, y′, y″) = Σ_a v_a·w[a, y] + Σ_a v_a·w[(a, y′, y″), y]
//
// It belongs to one goroutine.
type Scorer struct {
	joint    *feature.Joint // nil where no template reads labels
	weights  *chain.Model
	order    int
	labels   int
	n        int
	node     []float64   // of the attributes that read no labels, by token and label
	ofLabels []attribute // attributes that read labels, of all tokens
	from     []int       // ofLabels[from[t]:from[t+1]] are those of token t
}

type attribute struct {
	attr  uint32
	value float64
}

// NewScorer returns a scorer; joint may be nil.
func NewScorer(weights *chain.Model, joint *feature.Joint) *Scorer {
	s := &Scorer{joint: joint, weights: weights, labels: weights.Labels()}
	if joint != nil {
		s.order = joint.Alphabet().Set().History().Order()
	}
	return s
}

// Load takes items [from, to) of extracted rows as the sentence. With reverse, tokens are numbered
// from its end.
func (s *Scorer) Load(rows *feature.Rows, from, to int, reverse bool) {
	s.n = to - from
	s.node = buffer.Resize(s.node, s.n*s.labels)
	clear(s.node)
	s.ofLabels, s.from = s.ofLabels[:0], append(s.from[:0], 0)
	for t := range s.n {
		item := from + t
		if reverse {
			item = to - 1 - t
		}
		s.token(rows, item, s.node[t*s.labels:][:s.labels])
		s.from = append(s.from, len(s.ofLabels))
	}
}

func (s *Scorer) token(rows *feature.Rows, item int, out []float64) {
	for k := rows.Offsets[item]; k < rows.Offsets[item+1]; k++ {
		a, v := rows.Attrs[k], 1.0
		if len(rows.Values) > 0 {
			v = float64(rows.Values[k])
		}
		if s.joint != nil && s.joint.Reads(a) != 0 {
			s.ofLabels = append(s.ofLabels, attribute{a, v})
			continue
		}
		s.add(a, v, out)
	}
}

// add adds the weights of an attribute, v times.
func (s *Scorer) add(attr uint32, v float64, out []float64) {
	labels, weights := s.weights.Row(attr)
	for i, y := range labels {
		out[y] += v * weights[i]
	}
}

// Len returns the number of tokens.
func (s *Scorer) Len() int { return s.n }

// Labels returns the number of labels.
func (s *Scorer) Labels() int { return s.labels }

// Order returns how many labels before a token its scores depend on.
func (s *Scorer) Order() int { return s.order }

// Node returns the part of the scores of token t that depends on no label; it must not be changed.
func (s *Scorer) Node(t int) []float64 { return s.node[t*s.labels:][:s.labels] }

// At sets the scores of token t after two labels.
func (s *Scorer) At(t, last, second int, out []float64) {
	copy(out, s.Node(t))
	for _, r := range s.ofLabels[s.from[t]:s.from[t+1]] {
		if id, ok := s.joint.Find(r.attr, last, second); ok {
			s.add(id, r.value, out)
		}
	}
}

// Active calls each with the attributes that score token t after two labels, joint ones among
// them, and their values.
func (s *Scorer) Active(rows *feature.Rows, item, last, second int, each func(attr uint32, value float64)) {
	for k := rows.Offsets[item]; k < rows.Offsets[item+1]; k++ {
		a, v, ok := rows.Attrs[k], 1.0, true
		if len(rows.Values) > 0 {
			v = float64(rows.Values[k])
		}
		if s.joint != nil && s.joint.Reads(a) != 0 {
			a, ok = s.joint.Find(a, last, second)
		}
		if ok {
			each(a, v)
		}
	}
}

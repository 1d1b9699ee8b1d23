// Package hmm is the kind of first-order hidden Markov models over word forms: taggers that count
// labelled tokens, and states found in text without labels by Baum-Welch (Rabiner 1989).
package hmm

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/engine/chain"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/seq/bio"
	"parlance/algo/seq/tagger"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "hmm",
		Learns:   "columns by counts, or states of words in text without labels",
		Figures:  "English EWT upos: 91.4 %",
		Revision: 1,
		Doc: "hidden Markov model: labels tokens by counts of labelled ones, or finds states of words in text " +
			"without labels",
		Paper: "Rabiner 1989; Kazama, Makino, Ohta and Tsujii 2002",
		New:   func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	labels  []string
	symbols *symbols
	markov  *markov
	chain   *chain.Model
	opt     struct {
		layer, scheme         string
		states, iterations    int
		tolerance             float64
		minCount              int
		transition, smoothing float64
		constrained           bool
	}
	pool pool
}

// maxStates bounds S²: the transitions of a model are dense.
const maxStates = 4096

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Layer(&o.layer, "layer", "", "layer of spans or column of tokens: what is learned, or with states the column they "+
		"are written to; left out, the only one that the corpus stores, with states feats")
	s.Int(&o.states, "states", 0, 0, maxStates,
		"number of states to find without labels; 0 learns the labels of the layer")
	s.Int(&o.iterations, "iterations", 50, 1, math.MaxInt32, "with states: iterations of Baum-Welch at most")
	s.Float(&o.tolerance, "tolerance", 1e-5, 0, 1,
		"with states: ends when the likelihood of a token rises by less than this share of its logarithm; 0: off")
	s.Int(&o.minCount, "min_count", 2, 1, math.MaxInt32, "rarer words stand as their shape and ending")
	s.Float(&o.transition, "smooth_transitions", 0.1, 1e-9, 1e6,
		"added to the counts of labels after labels; not with states")
	s.Float(&o.smoothing, "smooth_emissions", 0.001, 1e-9, 1e6, "added to the counts of words of labels; not with states")
	s.Choice(&o.scheme, "scheme", "bio", bio.Schemes(), "how spans are written as labels of tokens")
	s.Bool(&o.constrained, "constrained", true, "decoding keeps to the scheme: no I- without its B-").In(option.Predict)
	s.Check("layer", func() error {
		t, err := m.target()
		if err == nil && m.opt.states > 0 && t.Spans() {
			return fmt.Errorf("states are written to a column of tokens, such as feats; %s is a layer of spans", m.opt.layer)
		}
		return err
	})
	s.Check("states", func() error {
		if m.opt.states == 1 {
			return fmt.Errorf("one state tells nothing; at least 2 are wanted, or 0 to learn labels")
		}
		return nil
	})
	s.Except("iterations tolerance", "states", "0")
	s.Only("smooth_transitions smooth_emissions scheme constrained", "states", "0")
	tagger.OfSpans(s, "scheme constrained")
}

func (m *model) target() (tagger.Target, error) {
	name := m.opt.layer
	switch {
	case name != "":
	case m.opt.states > 0:
		name = "feats"
	default:
		name = "upos"
	}
	return tagger.NewTarget(name, bio.Scheme(m.opt.scheme))
}

var emissions = kind.Relation{Name: "emissions", Doc: "probabilities of words in states, those of 1e-9 and more",
	Columns: []kind.Column{
		{Name: "label", Type: value.Text, Doc: "state"},
		{Name: "symbol", Type: value.Text, Doc: "word, or the shape of rare words in angle brackets"},
		{Name: "prob", Type: value.Float, Doc: "probability of the word in the state"}}}

var transitions = kind.Relation{Name: "transitions", Doc: "probabilities of a state after another",
	Columns: []kind.Column{
		{Name: "from_label", Type: value.Text, Doc: "state before; start before the first token"},
		{Name: "to_label", Type: value.Text, Doc: "state"},
		{Name: "prob", Type: value.Float, Doc: "probability"}}}

// Schema tells what is read, learned and written.
func (m *model) Schema() kind.Schema {
	t, err := m.target()
	if err != nil {
		return kind.Schema{}
	}
	s := kind.Schema{Unit: kind.PerDocument, Reads: []kind.LayerUse{{Layer: "tokens", Columns: []string{"form"}}},
		Writes: []kind.LayerUse{t.Use()}, Prob: kind.Marginal, Relations: []kind.Relation{transitions, emissions}}
	if m.opt.states == 0 {
		s.Learns = s.Writes
	}
	return s
}

// Open opens transitions or emissions.
func (m *model) Open(_ context.Context, relation string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	n := m.markov.states
	switch relation {
	case transitions.Name:
		return tagger.TripleRows(func(yield func(string, string, float64) bool) {
			for j, p := range m.markov.start {
				if !yield("start", m.labels[j], p) {
					return
				}
			}
			for k, p := range m.markov.trans {
				if !yield(m.labels[k/n], m.labels[k%n], p) {
					return
				}
			}
		}), nil
	case emissions.Name:
		return tagger.TripleRows(func(yield func(string, string, float64) bool) {
			for k, p := range m.markov.emit {
				if p >= 1e-9 && !yield(m.labels[k%n], m.symbols.name(uint32(k/n)), p) {
					return
				}
			}
		}), nil
	}
	return nil, kind.ErrNoRelation
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	n := int64(8*(len(m.markov.emit)+len(m.markov.trans))) + m.chain.Bytes()
	for _, s := range m.symbols.names {
		n += int64(2*len(s)) + 64
	}
	return n
}

// Encode writes labels, symbols and probabilities.
func (m *model) Encode(w *kind.Writer) error {
	if err := w.Strings("labels", m.labels); err != nil {
		return err
	}
	if err := w.Strings("symbols", m.symbols.names); err != nil {
		return err
	}
	if err := w.Float64s("start", m.markov.start); err != nil {
		return err
	}
	if err := w.Float64s("transitions", m.markov.trans); err != nil {
		return err
	}
	return w.Float64s("emissions", m.markov.emit)
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	if m.labels, err = r.Strings("labels"); err != nil {
		return err
	}
	names, err := r.Strings("symbols")
	if err != nil {
		return err
	}
	m.symbols = &symbols{ids: map[string]uint32{}}
	for _, n := range names {
		m.symbols.add(n)
	}
	n := len(m.labels)
	if n == 0 || n > maxStates || len(m.symbols.names) != len(names) {
		return kind.Corrupt("labels", "too many, or a name is there twice")
	}
	m.markov = &markov{states: n, symbols: len(names)}
	for _, s := range []struct {
		name string
		v    *[]float64
		n    int
	}{{"start", &m.markov.start, n}, {"transitions", &m.markov.trans, n * n},
		{"emissions", &m.markov.emit, n * len(names)}} {
		if *s.v, err = r.Float64s(s.name); err != nil {
			return err
		}
		if len(*s.v) != s.n {
			return kind.Corrupt(s.name, "one a state is wanted")
		}
		for _, p := range *s.v {
			if !(p >= 0 && p <= 1+1e-9) {
				return kind.Corrupt(s.name, "a number is no probability")
			}
		}
	}
	return m.ready()
}

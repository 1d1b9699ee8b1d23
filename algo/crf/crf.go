// Package crf is the kind of linear-chain conditional random fields (Lafferty, McCallum and
// Pereira 2001; Sha and Pereira 2003) over feature templates.
package crf

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/bio"
	"parlance/algo/chain"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/tagger"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name: "crf", Revision: 1,
		Doc:   "linear-chain conditional random field: labels spans (BIO or IOBES) or a token column, exact training and decoding",
		Paper: "Lafferty, McCallum and Pereira 2001; Sha and Pereira 2003",
		New:   func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	opt struct {
		layer, features, scheme, transitions, states string
		l1, l2, epsilon, delta                       float64
		iterations, memory, period, minCount         int
		patience, validateEvery                      int
		constrained, warmStart                       bool
	}
	labels   []string
	alphabet *feature.Alphabet
	chain    *chain.Model
	pool     pool
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Layer(&o.layer, "layer", "entities", "layer of spans or column of tokens to learn; left out, the only one that the corpus stores")
	s.Features(&o.features, "features", "", "feature set or templates; left out: chunk for chunks, ner for other spans, pos for columns")
	s.Float(&o.l1, "l1", 0, 0, math.Inf(1), "weight of the penalty l1·|w|; above 0, training is by OWL-QN")
	s.Float(&o.l2, "l2", 1, 0, math.Inf(1), "weight of the penalty ½·l2·|w|²")
	s.Int(&o.iterations, "iterations", 200, 1, math.MaxInt32, "iterations of L-BFGS at most")
	s.Int(&o.memory, "memory", 10, 1, 1000, "pairs of differences that L-BFGS keeps")
	s.Float(&o.epsilon, "epsilon", 1e-5, 0, 1, "ends when |gradient| ≤ epsilon·max(1, |w|); 0: off")
	s.Float(&o.delta, "delta", 1e-5, 0, 1, "ends when the objective fell by less than this share in period iterations; 0: off")
	s.Int(&o.period, "period", 10, 1, 1000, "iterations that delta looks back")
	s.Int(&o.minCount, "min_count", 1, 1, math.MaxInt32, "attributes in fewer tokens are dropped")
	s.Choice(&o.transitions, "transitions", "observed", []string{"observed", "all"}, "pairs of neighbouring labels that have a weight")
	s.Choice(&o.states, "states", "observed", []string{"observed", "all"}, "pairs of attribute and label that have a weight")
	s.Choice(&o.scheme, "scheme", "bio", bio.Schemes(), "how spans are written as labels of tokens")
	s.Bool(&o.warmStart, "warm_start", true, "averaged SGD before L-BFGS: the same optimum, sooner; not with l1")
	s.Int(&o.patience, "patience", 0, 0, math.MaxInt32, "with VALIDATE: ends after so many scores without a better one and keeps the best model; 0: never")
	s.Int(&o.validateEvery, "validate_every", 10, 1, math.MaxInt32, "with VALIDATE: iterations between scores")
	s.Bool(&o.constrained, "constrained", true, "decoding keeps to the scheme: no I- without its B-").In(option.Predict)
	s.Check("layer", func() error { _, err := m.target(); return err })
	s.Check("features", func() error { _, err := m.features(); return err })
}

func (m *model) target() (tagger.Target, error) {
	return tagger.NewTarget(m.opt.layer, bio.Scheme(m.opt.scheme))
}

// features compiles the templates and checks that they do not read what is written.
func (m *model) features() (*feature.Set, error) {
	t, err := m.target()
	if err != nil {
		return nil, err
	}
	name := m.opt.features
	if name == "" {
		name = t.DefaultFeatures()
	}
	s, err := feature.Resolve(name)
	if err != nil {
		return nil, err
	}
	if s.Document() {
		return nil, fmt.Errorf("the set describes documents; templates of tokens are wanted, such as form[-1..1]")
	}
	for _, c := range s.Columns() {
		if c == t.Column {
			return nil, fmt.Errorf("the templates read tokens.%s, which the model writes", c)
		}
	}
	return s, nil
}

// Schema tells what is read, learned and written.
func (m *model) Schema() kind.Schema {
	t, err := m.target()
	if err != nil {
		return kind.Schema{}
	}
	s, err := m.features()
	if err != nil {
		return kind.Schema{}
	}
	use := []kind.LayerUse{t.Use()}
	return kind.Schema{Unit: kind.PerDocument, Reads: s.Layers(), Learns: use, Writes: use, Resources: s.Resources(),
		Relations: []kind.Relation{tagger.Weights, tagger.Transitions}}
}

// Open opens weights or transitions.
func (m *model) Open(_ context.Context, relation string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	switch relation {
	case tagger.Weights.Name:
		return tagger.WeightRows(m.chain, m.alphabet.Name, m.labels), nil
	case tagger.Transitions.Name:
		return tagger.TransitionRows(m.chain, m.labels), nil
	}
	return nil, kind.ErrNoRelation
}

// Encode writes labels, alphabet and weights.
func (m *model) Encode(w *kind.Writer) error {
	if err := w.Strings("labels", m.labels); err != nil {
		return err
	}
	if err := w.Bytes("features", []byte(m.alphabet.Set().String())); err != nil {
		return err
	}
	if err := m.alphabet.Encode(w); err != nil {
		return err
	}
	return tagger.Encode(w, m.chain)
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	labels, err := r.Strings("labels")
	if err != nil {
		return err
	}
	notation, err := r.Bytes("features")
	if err != nil {
		return err
	}
	set, err := feature.Parse(string(notation))
	if err != nil {
		return fmt.Errorf("%w: %w", kind.ErrCorrupt, err)
	}
	alphabet, err := feature.DecodeAlphabet(set, r)
	if err != nil {
		return err
	}
	c, err := tagger.Decode(r)
	if err != nil {
		return err
	}
	if c.Labels() != len(labels) || c.Attributes() != alphabet.Len() {
		return kind.Corrupt("labels", "labels, attributes and weights differ in number")
	}
	m.labels, m.alphabet = labels, alphabet
	return m.ready(c)
}

// ready prepares decoding.
func (m *model) ready(c *chain.Model) error {
	t, err := m.target()
	if err != nil {
		return err
	}
	m.chain = c
	return m.pool.prepare(m, t)
}

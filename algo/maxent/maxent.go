// Package maxent is the kind of maximum entropy models (Berger, Della Pietra and Della Pietra
// 1996): multinomial logistic regression over documents, and over tokens with the label
// before as a feature (McCallum, Freitag and Pereira 2000).
package maxent

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
	"parlance/algo/text"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name: "maxent", Revision: 1,
		Doc:   "maximum entropy model: classifies documents (labels) or labels tokens one after the other",
		Paper: "Berger, Della Pietra and Della Pietra 1996; McCallum, Freitag and Pereira 2000",
		New:   func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	opt struct {
		layer, features, scheme           string
		l1, l2, epsilon, delta            float64
		iterations, memory, period, order int
		minCount, patience, validateEvery int
		constrained                       bool
	}
	labels   []string
	alphabet *feature.Alphabet
	chain    *chain.Model // attributes of the alphabet, then the label before, then the start
	pool     pool
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Layer(&o.layer, "layer", "labels", "labels, a layer of spans or a column of tokens to learn; left out, the only one that the corpus stores")
	s.Features(&o.features, "features", "", "feature set or templates; left out: bow for labels, chunk for chunks, ner for other spans, pos for columns")
	s.Float(&o.l1, "l1", 0, 0, math.Inf(1), "weight of the penalty l1·|w|; above 0, training is by OWL-QN")
	s.Float(&o.l2, "l2", 1, 0, math.Inf(1), "weight of the penalty ½·l2·|w|²")
	s.Int(&o.iterations, "iterations", 200, 1, math.MaxInt32, "iterations of L-BFGS at most")
	s.Int(&o.memory, "memory", 10, 1, 1000, "pairs of differences that L-BFGS keeps")
	s.Float(&o.epsilon, "epsilon", 1e-5, 0, 1, "ends when |gradient| ≤ epsilon·max(1, |w|); 0: off")
	s.Float(&o.delta, "delta", 1e-5, 0, 1, "ends when the objective fell by less than this share in period iterations; 0: off")
	s.Int(&o.period, "period", 10, 1, 1000, "iterations that delta looks back")
	s.Int(&o.minCount, "min_count", 1, 1, math.MaxInt32, "attributes in fewer items are dropped")
	s.Int(&o.order, "order", 1, 0, 1, "labels before the token that are features; 0 labels each token alone")
	s.Choice(&o.scheme, "scheme", "bio", bio.Schemes(), "how spans are written as labels of tokens")
	s.Int(&o.patience, "patience", 0, 0, math.MaxInt32, "with VALIDATE: ends after so many scores without a better one and keeps the best model; 0: never")
	s.Int(&o.validateEvery, "validate_every", 10, 1, math.MaxInt32, "with VALIDATE: iterations between scores")
	s.Bool(&o.constrained, "constrained", true, "decoding keeps to the scheme: no I- without its B-").In(option.Predict)
	s.Check("layer", func() error {
		if m.classifies() {
			return nil
		}
		_, err := m.target()
		return err
	})
	s.Check("features", func() error { _, err := m.features(); return err })
}

// classifies reports whether documents are labelled rather than tokens.
func (m *model) classifies() bool { return m.opt.layer == text.Labels.Name }

func (m *model) target() (tagger.Target, error) {
	return tagger.NewTarget(m.opt.layer, bio.Scheme(m.opt.scheme))
}

func (m *model) features() (*feature.Set, error) {
	name, column := m.opt.features, ""
	if !m.classifies() {
		t, err := m.target()
		if err != nil {
			return nil, err
		}
		column = t.Column
		if name == "" {
			name = t.DefaultFeatures()
		}
	}
	if name == "" {
		name = "bow"
	}
	s, err := feature.Resolve(name)
	if err != nil {
		return nil, err
	}
	if s.Document() != m.classifies() {
		return nil, fmt.Errorf("templates of %s are wanted, such as %s", map[bool]string{true: "documents", false: "tokens"}[m.classifies()], map[bool]string{true: "ngram(1)", false: "form[-1..1]"}[m.classifies()])
	}
	for _, c := range s.Columns() {
		if column != "" && c == column {
			return nil, fmt.Errorf("the templates read tokens.%s, which the model writes", c)
		}
	}
	return s, nil
}

// Schema tells what is read, learned and written.
func (m *model) Schema() kind.Schema {
	s, err := m.features()
	if err != nil {
		return kind.Schema{}
	}
	use := []kind.LayerUse{{Layer: text.Labels.Name}}
	if !m.classifies() {
		t, err := m.target()
		if err != nil {
			return kind.Schema{}
		}
		use[0] = t.Use()
	}
	return kind.Schema{Unit: kind.PerDocument, Reads: s.Layers(), Learns: use, Writes: use, Resources: s.Resources(), Relations: []kind.Relation{tagger.Weights}}
}

// history reports whether the label before is a feature.
func (m *model) history() bool { return !m.classifies() && m.opt.order > 0 }

// Open opens the weights.
func (m *model) Open(_ context.Context, relation string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	if relation != tagger.Weights.Name {
		return nil, kind.ErrNoRelation
	}
	return tagger.WeightRows(m.chain, m.name, m.labels), nil
}

// name is an attribute as text, the label before among them.
func (m *model) name(attr uint32) string {
	n := uint32(m.alphabet.Len())
	switch {
	case attr < n:
		return m.alphabet.Name(attr)
	case int(attr-n) < len(m.labels):
		return "label[-1]=" + m.labels[attr-n]
	}
	return "label[-1]=start"
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
	m.labels, m.alphabet = labels, alphabet
	want := alphabet.Len()
	if m.history() {
		want += len(labels) + 1
	}
	if c.Labels() != len(labels) || c.Attributes() != want {
		return kind.Corrupt("labels", "labels, attributes and weights differ in number")
	}
	return m.ready(c)
}

func (m *model) ready(c *chain.Model) error {
	m.chain = c
	return m.pool.prepare(m)
}

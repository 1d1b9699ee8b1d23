// Package maxent is the kind of maximum entropy models (Berger, Della Pietra and Della Pietra
// 1996): multinomial logistic regression over documents, and over tokens with the label
// before as a feature (McCallum, Freitag and Pereira 2000).
package maxent

import (
	"context"
	"fmt"

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
	tagger.Trained // attributes of the alphabet, then the label before, then the start
	opt            struct {
		tagger.Settings
		layer, features string
		order           int
	}
	pool pool
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Layer(&o.layer, "layer", "labels", "labels, a layer of spans or a column of tokens to learn; left out, the only one that the corpus stores")
	s.Features(&o.features, "features", "", "feature set or templates; left out: bow for labels, chunk for chunks, ner for other spans, pos for columns")
	o.Declare(s)
	s.Int(&o.order, "order", 1, 0, 1, "labels before the token that are features; 0 labels each token alone")
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
	return tagger.NewTarget(m.opt.layer, bio.Scheme(m.opt.Scheme))
}

func (m *model) features() (*feature.Set, error) {
	if !m.classifies() {
		t, err := m.target()
		if err != nil {
			return nil, err
		}
		return t.Features(m.opt.features)
	}
	name := m.opt.features
	if name == "" {
		name = "bow"
	}
	s, err := feature.Resolve(name)
	if err != nil {
		return nil, err
	}
	if !s.Document() {
		return nil, fmt.Errorf("templates of documents are wanted, such as ngram(1); these describe tokens")
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
	return tagger.WeightRows(m.Chain, m.name, m.Labels), nil
}

// name is an attribute as text, the label before among them.
func (m *model) name(attr uint32) string {
	n := uint32(m.Alphabet.Len())
	switch {
	case attr < n:
		return m.Alphabet.Name(attr)
	case int(attr-n) < len(m.Labels):
		return "label[-1]=" + m.Labels[attr-n]
	}
	return "label[-1]=start"
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	extra := func(labels int) int {
		if m.history() {
			return labels + 1
		}
		return 0
	}
	if m.Trained, err = tagger.DecodeTrained(r, extra); err != nil {
		return err
	}
	return m.ready(m.Chain)
}

func (m *model) ready(c *chain.Model) error {
	m.Chain = c
	return m.pool.prepare(m)
}

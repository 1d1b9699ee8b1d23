// Package svm is the kind of support vector machines that classify documents, or tokens each by
// itself: linear ones by coordinate descent (Hsieh, Chang, Lin, Keerthi and Sundararajan 2008),
// others by sequential minimal optimisation (Fan, Chen and Lin 2005).
package svm

import (
	"cmp"
	"context"
	"math"

	"parlance/algo/classify/svm/reduction"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/seq/bio"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name: "svm", Revision: 2,
		Doc:   "support vector machines, linear or with kernels: classify documents (labels) or label tokens, each by itself",
		Paper: "Cortes and Vapnik 1995; Crammer and Singer 2001; Fan, Chen and Lin 2005; Hsieh, Chang, Lin, Keerthi and Sundararajan 2008",
		New:   func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	reduction.Trained
	opt struct {
		reduction.Settings
		layer, features, scheme string
		minCount                int
	}
	pool pool
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Layer(&o.layer, "layer", "labels", "labels, a layer of spans or a column of tokens to learn; left out, the only one that the corpus stores")
	s.Features(&o.features, "features", "", "feature set or templates; left out: tfidf for labels, chunk for chunks, ner for other spans, pos for columns").
		Standing(func() string { return tagger.DefaultFeatures(o.layer, documentFeatures) })
	o.Declare(s, reduction.Defaults{Kernel: "linear"})
	s.Int(&o.minCount, "min_count", 1, 1, math.MaxInt32, "attributes in fewer items (tokens or documents) are dropped")
	s.Choice(&o.scheme, "scheme", "bio", bio.Schemes(), "how spans are written as labels of tokens")
	s.Check("layer", func() error {
		if m.classifies() {
			return nil
		}
		_, err := m.target()
		return err
	})
	s.Check("features", func() error { _, err := m.features(); return err })
	tagger.OfSpans(s, "scheme")
}

// classifies reports whether documents are labelled rather than tokens.
func (m *model) classifies() bool { return m.opt.layer == text.Labels.Name }

func (m *model) target() (tagger.Target, error) {
	return tagger.NewTarget(m.opt.layer, bio.Scheme(m.opt.scheme))
}

// documentFeatures are the templates of documents where none are given.
const documentFeatures = "tfidf"

func (m *model) features() (*feature.Set, error) {
	if !m.classifies() {
		t, err := m.target()
		if err != nil {
			return nil, err
		}
		return t.Features(m.opt.features)
	}
	return tagger.DocumentFeatures(cmp.Or(m.opt.features, documentFeatures))
}

// Schema tells what is read, learned and written.
func (m *model) Schema() kind.Schema {
	s, err := m.features()
	if err != nil {
		return kind.Schema{}
	}
	use, spans := []kind.LayerUse{{Layer: text.Labels.Name}}, false
	if !m.classifies() {
		t, err := m.target()
		if err != nil {
			return kind.Schema{}
		}
		use[0], spans = t.Use(), t.Spans()
	}
	return kind.Schema{Unit: kind.PerDocument, Reads: s.Layers(), Learns: use, Writes: use, Prob: m.opt.Prob(spans), Resources: s.Resources(), Relations: []kind.Relation{m.opt.Relation()}}
}

// Open opens the weights, or the support vectors.
func (m *model) Open(_ context.Context, relation string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	return m.Trained.Open(relation, m.name)
}

// name is a column as text, the bias last.
func (m *model) name(column uint32) string {
	if int(column) < m.Alphabet.Len() {
		return m.Alphabet.Name(column)
	}
	return "bias"
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	if m.Trained, err = reduction.DecodeTrained(r); err != nil {
		return err
	}
	if err := m.Fits(m.Alphabet.Len()); err != nil {
		return err
	}
	return m.ready()
}

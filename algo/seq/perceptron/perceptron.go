// Package perceptron is the kind of perceptrons (Rosenblatt 1958; Freund and Schapire 1999) over
// documents, and of structured perceptrons (Collins 2002) over the tokens of sentences.
package perceptron

import (
	"cmp"
	"context"
	"math"

	"parlance/algo/engine/chain"
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
		Name: "perceptron", Revision: 2, Starts: true,
		Doc:   "perceptron: classifies documents (labels), or labels spans or a token column by a first-order chain",
		Paper: "Collins 2002; Freund and Schapire 1999; Krauth and Mézard 1987",
		New:   func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	tagger.Trained
	opt struct {
		layer, features, scheme, variant string
		states, transitions              string
		margin                           float64
		epochs, minCount                 int
		patience, validateEvery          int
		shuffle, constrained             bool
	}
	label    *tagger.Labeler    // of tokens
	classify *tagger.Classifier // of documents
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Layer(&o.layer, "layer", "labels", "labels, a layer of spans or a column of tokens to learn; left out, the only one that the corpus stores")
	s.Features(&o.features, "features", "", "feature set or templates; left out: bow for labels, chunk for chunks, ner for other spans, pos for columns").
		Standing(func() string { return tagger.DefaultFeatures(o.layer, documentFeatures) })
	s.Choice(&o.variant, "variant", "averaged", []string{"averaged", "plain", "margin"},
		"averaged: the mean of the weights after every sentence or document; plain: the last weights; margin: also moves until the gold labels win by margin, not averaged")
	s.Float(&o.margin, "margin", 1, 0, math.Inf(1), "of variant = margin: by how much the gold labelling must win, as an absolute score")
	s.Int(&o.epochs, "epochs", 10, 1, math.MaxInt32, "passes over the data at most; training ends sooner when a pass moves no weight")
	s.Bool(&o.shuffle, "shuffle", true, "a new order drawn from the seed for every epoch; false: the order of the documents")
	s.Choice(&o.states, "states", "observed", []string{"observed", "all"}, "pairs of attribute and label that have a weight")
	s.Choice(&o.transitions, "transitions", "observed", []string{"observed", "all"}, "pairs of neighbouring labels that have a weight")
	s.Int(&o.minCount, "min_count", 1, 1, math.MaxInt32, "attributes in fewer items (tokens or documents) are dropped")
	s.Choice(&o.scheme, "scheme", "bio", bio.Schemes(), "how spans are written as labels of tokens")
	s.Int(&o.patience, "patience", 0, 0, math.MaxInt32, "with VALIDATE: ends after so many scores without a better one and keeps the best model; 0: never").Validating()
	s.Int(&o.validateEvery, "validate_every", 1, 1, math.MaxInt32, "with VALIDATE: epochs between scores").Validating()
	s.Bool(&o.constrained, "constrained", true, "decoding keeps to the scheme: no I- without its B-; training always does").In(option.Predict)
	s.Check("layer", func() error {
		if m.classifies() {
			return nil
		}
		_, err := m.target()
		return err
	})
	s.Check("features", func() error { _, err := m.set(); return err })
	s.Only("margin", "variant", "margin")
	s.Except("transitions", "layer", text.Labels.Name)
	tagger.OfSpans(s, "scheme constrained")
}

func (m *model) classifies() bool { return m.opt.layer == text.Labels.Name }

func (m *model) target() (tagger.Target, error) {
	return tagger.NewTarget(m.opt.layer, bio.Scheme(m.opt.scheme))
}

// documentFeatures are the templates of documents where none are given.
const documentFeatures = "bow"

func (m *model) set() (*feature.Set, error) {
	if m.classifies() {
		return tagger.DocumentFeatures(cmp.Or(m.opt.features, documentFeatures))
	}
	t, err := m.target()
	if err != nil {
		return nil, err
	}
	return t.Features(m.opt.features)
}

// Schema tells what is read, learned and written.
func (m *model) Schema() kind.Schema {
	s, err := m.set()
	if err != nil {
		return kind.Schema{}
	}
	use, ranked := []kind.LayerUse{{Layer: text.Labels.Name}}, []string{text.Labels.Name}
	relations := []kind.Relation{tagger.Weights}
	if !m.classifies() {
		t, err := m.target()
		if err != nil {
			return kind.Schema{}
		}
		use[0], ranked = t.Use(), t.Ranked()
		relations = append(relations, tagger.Transitions)
	}
	return kind.Schema{Unit: kind.PerDocument, Reads: s.Layers(), Learns: use, Writes: use, Prob: kind.Score, Ranked: ranked, Resources: s.Resources(), Relations: relations}
}

// Open opens weights or, of tokens, transitions.
func (m *model) Open(_ context.Context, relation string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	switch {
	case relation == tagger.Weights.Name:
		return tagger.WeightRows(m.Chain, m.Alphabet.Name, m.Labels), nil
	case relation == tagger.Transitions.Name && !m.classifies():
		return tagger.TransitionRows(m.Chain, m.Labels), nil
	}
	return nil, kind.ErrNoRelation
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	if m.Trained, err = tagger.DecodeTrained(r, func(int) int { return 0 }); err != nil {
		return err
	}
	return m.ready(m.Chain)
}

// ready prepares labelling.
func (m *model) ready(c *chain.Model) error {
	m.Chain = c
	if m.classifies() {
		m.classify = tagger.NewClassifier(&m.Trained)
		return nil
	}
	t, err := m.target()
	if err != nil {
		return err
	}
	m.label, err = tagger.NewLabeler("perceptron", &m.Trained, t, m.opt.constrained, tagger.NewSearch(c))
	return err
}

// Temper divides the scores that probabilities are made of by t.
func (m *model) Temper(t float64) (err error) {
	if m.classifies() {
		m.classify.Temper(t)
		return nil
	}
	soft, err := m.Chain.ScaleTransitions(1 / t)
	if err != nil {
		return err
	}
	m.label, err = m.label.Temper(t, tagger.NewSearch(soft))
	return err
}

// Annotate labels documents or their tokens.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	if m.classifies() {
		return m.classify.Annotate(ctx, docs, run)
	}
	return m.label.Annotate(ctx, docs, run)
}

// Explain compares labels with the most probable others.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At, run *kind.Run) (kind.Explanation, error) {
	if m.classifies() {
		return m.classify.Explain(ctx, docs, run)
	}
	return m.label.Explain(ctx, docs, at, run)
}

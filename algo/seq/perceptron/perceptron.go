// Package perceptron is the kind of perceptrons (Rosenblatt 1958; Freund and Schapire 1999) over
// documents, and of structured perceptrons (Collins 2002) over the tokens of sentences.
package perceptron

import (
	"context"
	"math"

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
		Name:     "perceptron",
		Learns:   "documents, spans, columns, in seconds",
		Figures:  "F1 93.5",
		Revision: 2, Starts: true,
		Doc:   "perceptron: classifies documents (labels), or labels spans or a token column by a first-order chain",
		Paper: "Collins 2002; Freund and Schapire 1999; Krauth and Mézard 1987",
		New:   func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	tagger.Trained
	opt struct {
		tagger.Task
		variant, states, transitions    string
		margin                          float64
		epochs, patience, validateEvery int
		shuffle, constrained            bool
	}
	label    *tagger.Labeler    // of tokens
	classify *tagger.Classifier // of documents
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	o.Documents = "bow"
	o.DeclareTask(s, tagger.TaskDoc{Layer: text.Labels.Name, What: tagger.DocumentsAndTokens,
		Doc: "feature set or templates; left out: bow for labels, " + tagger.ByTarget})
	s.Choice(&o.variant, "variant", "averaged", []string{"averaged", "plain", "margin"},
		"averaged: the mean of the weights after every sentence or document; plain: the last weights; margin: also moves "+
			"until the gold labels win by margin, not averaged")
	s.Float(&o.margin, "margin", 1, 0, math.Inf(1), "of variant = margin: by how much the gold labelling must win, as "+
		"an absolute score")
	s.Int(&o.epochs, "epochs", 10, 1, math.MaxInt32, "passes over the data at most; training ends sooner when a pass "+
		"moves no weight")
	s.Bool(&o.shuffle, "shuffle", true, "a new order drawn from the seed for every epoch; false: the order of the "+
		"documents")
	s.Choice(&o.states, "states", "observed", []string{"observed", "all"}, "pairs of attribute and label that have a "+
		"weight")
	s.Choice(&o.transitions, "transitions", "observed", []string{"observed", "all"}, "pairs of neighbouring labels "+
		"that have a weight")
	s.Int(&o.MinCount, "min_count", 1, 1, math.MaxInt32, "attributes in fewer items (tokens or documents) are dropped")
	s.Choice(&o.Scheme, "scheme", "bio", bio.Schemes(), "how spans are written as labels of tokens")
	s.Int(&o.patience, "patience", 0, 0, math.MaxInt32, "with VALIDATE: ends after this many scores without a better one "+
		"and keeps the best model; 0: never").Validating()
	s.Int(&o.validateEvery, "validate_every", 1, 1, math.MaxInt32, "with VALIDATE: epochs between scores").Validating()
	s.Bool(&o.constrained, "constrained", true,
		"decoding keeps to the scheme: no I- without its B-; training always does").In(option.Predict)
	s.Only("margin", "variant", "margin")
	s.Except("transitions", "layer", text.Labels.Name)
	tagger.OfSpans(s, "scheme constrained")
}

// Schema tells what is read, learned and written.
func (m *model) Schema() kind.Schema {
	relations := []kind.Relation{tagger.Weights}
	if !m.opt.Classifies() {
		relations = append(relations, tagger.Transitions)
	}
	return m.opt.Schema(kind.Score, true, relations...)
}

// Open opens weights or, of tokens, transitions.
func (m *model) Open(_ context.Context, relation string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	if m.opt.Classifies() && relation != tagger.Weights.Name {
		return nil, kind.ErrNoRelation
	}
	return m.Rows(relation)
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	if m.Trained, err = tagger.DecodeTrained(r, func(int) int { return 0 }); err != nil {
		return err
	}
	return m.ready()
}

// ready prepares labelling.
func (m *model) ready() (err error) {
	if m.opt.Classifies() {
		m.classify = tagger.NewClassifier(&m.Trained)
		return nil
	}
	m.label, err = m.opt.Labeler("perceptron", &m.Trained, m.opt.constrained, tagger.NewSearch(m.Chain))
	return err
}

// Temper divides the scores that probabilities are made of by t.
func (m *model) Temper(t float64) (err error) {
	if m.opt.Classifies() {
		m.classify.Temper(t)
		return nil
	}
	m.label, err = m.label.TemperChain(t)
	return err
}

// Annotate labels documents or their tokens.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	if m.opt.Classifies() {
		return m.classify.Annotate(ctx, docs, run)
	}
	return m.label.Annotate(ctx, docs, run)
}

// Explain compares labels with the most probable others.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At,
	run *kind.Run) (kind.Explanation, error) {
	if m.opt.Classifies() {
		return m.classify.Explain(ctx, docs, run)
	}
	return m.label.Explain(ctx, docs, at, run)
}

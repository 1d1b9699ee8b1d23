// Package lookahead is the kind of history-based models that look ahead (Tsuruoka, Miyao and
// Kazama 2011): each action, the label of a token or a step of a shift-reduce parser, is chosen by
// the best sequence of actions that may follow it, and weights are learned by a margin perceptron
// over such decisions.
package lookahead

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/parse/transition"
	"parlance/algo/seq/bio"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "lookahead",
		Learns:   "spans, columns, dependency trees, action by action",
		Figures:  "F1 94.0 with `features = lookahead_chunk`",
		Revision: 2,
		Doc: "history-based model that looks ahead: labels spans or a token column, or parses dependencies, action by " +
			"action, each chosen by the best actions after it",
		Paper: "Tsuruoka, Miyao and Kazama 2011",
		New:   func() kind.Model { return &model{} },
	}
}

type settings struct {
	tagger.Task
	direction, search     string
	depth, order          int
	margin                float64
	epochs, patience      int
	constrained, labelled bool
}

type model struct {
	kind.Base
	tagger.Temperature
	opt  settings
	deep int     // depth of the training
	tags *labels // of a model that labels tokens
	arcs *arcs   // of one that parses
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	o.Other = text.Dependencies.Name
	o.DeclareTask(s, tagger.TaskDoc{Layer: "entities", What: "dependencies, a layer of spans or a column of tokens",
		Doc: "feature set or templates; left out: shift_reduce for dependencies, " + tagger.ByTarget}).
		Standing(m.defaultFeatures).Knows(transition.Names()...)
	s.Int(&o.depth, "depth", 1, 0, 4, "actions after the present one that are searched, in training and after it; "+
		"other depths than that of training are allowed").In(option.Predict)
	s.Float(&o.margin, "margin", 20, 0, math.Inf(1), "what the right action must be ahead of the others, or else "+
		"weights are updated")
	s.Int(&o.epochs, "epochs", 10, 1, 1000, "passes over the sentences; with VALIDATE, the best of them is kept")
	s.Int(&o.patience, "patience", 0, 0, math.MaxInt32, "with VALIDATE: ends after this many epochs without a better "+
		"score; 0: never").Validating()
	s.Choice(&o.direction, "direction", "ltr", []string{"ltr", "rtl"}, "order in which tokens are labelled: from left "+
		"to right, or from the end")
	s.Int(&o.order, "order", 1, 1, 2, "labels before a token that its label has weights with: pairs, or pairs and "+
		"triples of labels")
	s.Int(&o.MinCount, "min_count", 1, 1, math.MaxInt32, "attributes in fewer tokens, or states of parses, are dropped")
	s.Choice(&o.Scheme, "scheme", "bio", bio.Schemes(), "how spans are written as labels of tokens")
	s.Bool(&o.constrained, "constrained", true, "labels keep to the scheme: no I- without its B-").In(option.Predict)
	s.Bool(&o.labelled, "labelled", true, "dependencies have relations, else heads only")
	s.Choice(&o.search, "search", "dp", []string{"dp", "naive"}, "dp keeps one sequence of labels for the last ones, "+
		"naive tries every sequence; decisions are the same").In(option.Run)
	s.Check("features", func() (err error) {
		if m.parses() {
			_, err = m.stateFeatures()
		}
		return err
	})
	s.Only("labelled", "layer", text.Dependencies.Name)
	s.Except("direction order search", "layer", text.Dependencies.Name)
	tagger.OfSpans(s, "scheme constrained")
}

// parses reports whether dependencies are learned rather than labels of tokens.
func (m *model) parses() bool { return m.opt.Layer == text.Dependencies.Name }

func (m *model) stateFeatures() (*transition.Set, error) {
	return transition.Resolve(cmp.Or(m.opt.Features, m.defaultFeatures()))
}

// defaultFeatures is the set of templates where none are given.
func (m *model) defaultFeatures() string {
	if m.parses() {
		return "shift_reduce"
	}
	return tagger.DefaultFeatures(m.opt.Layer, "")
}

// Schema tells what is read, learned and written.
func (m *model) Schema() kind.Schema {
	if m.parses() {
		s, err := m.stateFeatures()
		if err != nil {
			return kind.Schema{}
		}
		use := []kind.LayerUse{{Layer: text.Dependencies.Name}}
		return kind.Schema{Unit: kind.PerDocument, Reads: s.Layers(), Learns: use, Writes: use, Prob: kind.Score,
			Relations: []kind.Relation{tagger.Weights}}
	}
	return m.opt.Schema(kind.Score, false, tagger.Weights, tagger.Transitions)
}

// Open opens weights or transitions.
func (m *model) Open(_ context.Context, relation string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	switch {
	case !m.parses():
		return m.tags.Rows(relation)
	case relation == tagger.Weights.Name:
		return tagger.WeightRows(m.arcs.chain, m.arcs.alphabet.Name, m.arcs.names()), nil
	}
	return nil, kind.ErrNoRelation
}

// Train fits the weights.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	m.deep = m.opt.depth
	if m.parses() {
		return m.trainArcs(ctx, t)
	}
	return m.trainTags(ctx, t)
}

// Annotate labels or parses every sentence of the documents.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	if m.parses() {
		return m.annotateArcs(ctx, docs, run)
	}
	return m.annotateTags(ctx, docs, run)
}

// Explain compares the best leaf below each decision with the best one below the runner-up. The
// margin is the difference of their scores; contributions are the weights that differ, those of
// later decisions with the distance before them.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At,
	run *kind.Run) (kind.Explanation, error) {
	if m.parses() {
		return m.explainArcs(ctx, docs, at)
	}
	return m.explainTags(ctx, docs, at, run)
}

// Caution tells that the model looks ahead another number of actions than in its training.
func (m *model) Caution() string {
	if m.opt.depth == m.deep {
		return ""
	}
	return fmt.Sprintf("depth = %d differs from the %d of the training; the weights were learned for the latter",
		m.opt.depth, m.deep)
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	if m.parses() {
		return m.arcs.Bytes()
	}
	return m.tags.Bytes()
}

// Encode writes everything that was learned.
func (m *model) Encode(w *kind.Writer) error {
	if err := w.JSON("depth", m.deep); err != nil {
		return err
	}
	if m.parses() {
		return m.arcs.Encode(w)
	}
	return m.tags.Encode(w)
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	if err := r.JSON("depth", &m.deep); err != nil {
		return err
	}
	if m.parses() {
		m.arcs, err = decodeArcs(r)
		return err
	}
	t, err := m.opt.Target()
	if err != nil {
		return err
	}
	m.tags, err = decodeLabels(r, t, m.opt.direction == "rtl", m.opt.order)
	return err
}

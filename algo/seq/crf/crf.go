// Package crf is the kind of linear-chain conditional random fields (Lafferty, McCallum and
// Pereira 2001; Sha and Pereira 2003) over feature templates.
package crf

import (
	"context"
	"errors"

	"parlance/algo/engine/chain"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/seq/expectation"
	"parlance/algo/seq/external"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "crf",
		Learns:   "spans, columns of tokens; `prob` is exact marginals, with `optimizer = pa` and `ap` calibrated",
		Figures:  "F1 93.6; with `optimizer = pa` 93.5 in about the same time",
		Revision: 2, Starts: true,
		Doc: "linear-chain conditional random field: labels spans (BIO or IOBES) or a token column, exact training and " +
			"decoding",
		Paper: "Lafferty, McCallum and Pereira 2001; Sha and Pereira 2003; without labels, Singh, Hillard and Leggetter 2010",
		New:   func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	tagger.Trained
	opt struct {
		tagger.Settings
		transitions, states string
		warmStart           bool
		online
		order int
	}
	expect  expectation.Settings
	reached []expectation.Reached // of a training by constraints
	second  *chain.Second         // of order 2
	foreign *external.Model       // trained elsewhere, in place of what is trained here; or nil
	label   *tagger.Labeler
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	o.DeclareTask(s, tagger.TaskDoc{Layer: "entities", What: tagger.Tokens,
		Doc: "feature set or templates; left out: " + tagger.ByTarget})
	o.Declare(s, tagger.Enough)
	s.Choice(&o.transitions, "transitions", "observed", []string{"observed", "all"}, "pairs of neighbouring labels "+
		"that have a weight")
	s.Choice(&o.states, "states", "observed", []string{"observed", "all"}, "pairs of attribute and label that have a "+
		"weight")
	s.Bool(&o.warmStart, "warm_start", true, "averaged SGD before L-BFGS: the same optimum, sooner; only with lbfgs, "+
		"not with l1")
	o.online.declare(s)
	m.declareOrder(s)
	m.expect.Declare(s)
	s.Only("transitions states warm_start optimizer order l1 iterations memory epsilon delta period patience "+
		"validate_every", "objective", expectation.Likelihood)
	tagger.OfSpans(s, "scheme constrained outside")
}

// Schema tells what is read, learned and written.
func (m *model) Schema() kind.Schema {
	if m.foreign != nil {
		s := m.opt.Schema(kind.Marginal, true, m.foreign.Relations()...)
		s.Reads, s.Resources = m.foreign.Reads(), nil
		return s
	}
	relations := []kind.Relation{tagger.Weights, tagger.Transitions}
	if m.opt.order == 2 {
		relations = append(relations, tagger.Triples)
	}
	s := m.opt.Schema(m.probability(), true, relations...)
	m.expect.Complete(&s)
	return s
}

// probability tells what prob is: weights that were not fitted to the likelihood give scores.
func (m *model) probability() kind.Probability {
	if m.opt.optimizer == "lbfgs" || m.opt.optimizer == "sgd" {
		return kind.Marginal
	}
	return kind.Score
}

// Open opens weights, transitions or, of order 2, triples; of a training by constraints, constraints.
func (m *model) Open(_ context.Context, relation string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	if m.foreign != nil {
		return m.foreign.Open(relation)
	}
	if relation == tagger.Triples.Name && m.second != nil {
		return tagger.SecondRows(m.second, m.Labels), nil
	}
	if relation == expectation.Relation.Name && m.expect.Constrained() {
		return expectation.Rows(m.reached), nil
	}
	return m.Rows(relation)
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	if foreign, err := r.Has(external.Section); err != nil {
		return err
	} else if foreign {
		return m.decodeForeign(r)
	}
	if m.Trained, err = tagger.DecodeTrained(r, func(int) int { return 0 }); err != nil {
		return err
	}
	if m.opt.order == 2 {
		if m.second, err = tagger.DecodeSecond(r, m.Chain); err != nil {
			return err
		}
	}
	if m.expect.Constrained() {
		if m.reached, err = expectation.Decode(r); err != nil {
			return err
		}
	}
	return m.ready()
}

// decodeForeign reads a chain that was trained elsewhere.
func (m *model) decodeForeign(r *kind.Reader) (err error) {
	if m.foreign, err = external.Decode(r); err != nil {
		return err
	}
	m.Labels, m.Chain = m.foreign.Labels, m.foreign.Chain
	t, err := m.opt.Target()
	if err == nil {
		m.label, err = m.foreign.Labeler("crf", t, m.opt.Constrained)
	}
	return err
}

// Export gives writers of model files the chain.
func (m *model) Export() (*external.Export, error) {
	rules := ""
	t, err := m.opt.Target()
	if err != nil {
		return nil, err
	}
	if t.Spans() && m.opt.Constrained {
		rules = "its decoding keeps to the scheme (constrained = true), which weights do not express"
	}
	switch {
	case m.foreign != nil:
		x, err := m.foreign.Export()
		x.Target, x.Rules = t, rules
		return x, err
	case m.second != nil:
		return nil, errors.New("its features weigh three labels (order = 2)")
	case m.Chain == nil:
		return nil, errors.New("it has no weights")
	}
	return &external.Export{Labels: m.Labels, Chain: m.Chain, Name: m.Alphabet.Name, Alphabet: m.Alphabet, Target: t,
		Rules: rules}, nil
}

// Encode writes what was learned.
func (m *model) Encode(w *kind.Writer) error {
	if m.foreign != nil {
		return m.foreign.Encode(w)
	}
	if err := m.Trained.Encode(w); err != nil {
		return err
	}
	if m.expect.Constrained() {
		return expectation.Encode(w, m.reached)
	}
	if m.second == nil {
		return nil
	}
	return tagger.EncodeSecond(w, m.second)
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	if m.foreign != nil {
		return m.foreign.Bytes()
	}
	if m.second == nil {
		return m.Trained.Bytes()
	}
	return m.Alphabet.Bytes() + m.second.Bytes()
}

// ready prepares decoding.
func (m *model) ready() (err error) {
	search := tagger.NewSearch(m.Chain)
	if m.second != nil {
		search = tagger.NewSecondSearch(m.second)
	}
	m.label, err = m.opt.Labeler("crf", &m.Trained, m.opt.Constrained, search)
	return err
}

// Temper divides the scores that probabilities are made of by t.
func (m *model) Temper(t float64) (err error) {
	if m.second != nil {
		soft, err := m.second.ScaleTransitions(1 / t)
		if err == nil {
			m.label, err = m.label.Temper(t, tagger.NewSecondSearch(soft))
		}
		return err
	}
	m.label, err = m.label.TemperChain(t)
	return err
}

// Annotate labels every sentence of the documents.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	return m.label.Annotate(ctx, docs, run)
}

// Explain compares labels of tokens with the most probable others.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At,
	run *kind.Run) (kind.Explanation, error) {
	return m.label.Explain(ctx, docs, at, run)
}

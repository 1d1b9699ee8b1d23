package boostreranker

import (
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/parse/boosting"
	"parlance/algo/parse/candidates"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name: "boost_reranker",
		Learns: "which of the n best trees of a parser, or spans of a tagger, is right, by features of the " +
			"whole",
		Figures:  "English Web Treebank, 3,126 trees: F1 78.7, its base `pcfg` 77.9",
		Revision: 1,
		Doc: "chooses among the n best trees of a parser, or the n best spans of a tagger, by boosting over features of " +
			"whole analyses; the trace tells the work that its indices save",
		Paper: "Collins and Koo 2005",
		New:   func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	opt struct {
		candidates  candidates.Options
		boost       boosting.Options
		roundsInUse int
	}
	boost boosting.Model
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	o.candidates.Declare(s)
	o.candidates.DeclareLayer(s)
	o.boost.Declare(s)
	o.boost.DeclareSpans(s)
	s.Int(&o.roundsInUse, "use_rounds", 0, 0, 1_000_000,
		"as if training had ended after this many rounds; 0: those that were "+
			"kept").In(option.Predict)
}

// Schema tells what is read, learned and written.
func (m *model) Schema() kind.Schema {
	out := m.opt.candidates.Schema()
	out.Relations = []kind.Relation{featureRelation, roundRelation}
	return out
}

// Encode writes the rounds and the names of their features.
func (m *model) Encode(w *kind.Writer) error { return m.boost.Encode(w) }

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	if err := m.boost.Decode(r); err != nil {
		return err
	}
	return m.ready()
}

// ready computes what follows from what was learned.
func (m *model) ready() error {
	if err := m.boost.Prepare(&m.opt.boost, &m.opt.candidates); err != nil {
		return err
	}
	m.boost.Ready(m.opt.roundsInUse)
	return nil
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 { return m.boost.Bytes() }

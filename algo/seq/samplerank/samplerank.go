package samplerank

import (
	"context"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/seq/bio"
	"parlance/algo/seq/expectation"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:   "samplerank",
		Learns: "spans, columns: from few labelled sentences, text without labels and constraints on tokens",
		Figures: "fields of citations (Cora), tokens right from 20 labelled rows: 80 %; from these rows alone " +
			"77, `crf` 76",
		Revision: 1,
		Doc: "labels spans or a token column by a first-order chain, learned by ranking samples: from a few labelled " +
			"sentences, text without labels and constraints",
		Paper: "Singh, Yao, Riedel and McCallum 2010",
		New:   func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	tagger.Trained
	opt struct {
		tagger.Task
		objective, gazetteer              string
		passes                            int
		rate, margin, temperature         float64
		selfConstraints, modelConstraints float64
		average, constrained              bool
	}
	label *tagger.Labeler
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	o.DeclareTask(s, tagger.TaskDoc{Layer: "entities", What: tagger.Tokens,
		Doc: "feature set or templates; left out: " + tagger.ByTarget})
	s.Choice(&o.objective, "objective", objectiveTruth, objectives, "what is preferred in sentences without labels. "+
		"truth: there are none; self: the labels that the model predicts after training on the labelled ones; "+
		"constraints: labels that constraints ask for; self+constraints: both, weighted; model+constraints: the score "+
		"of the model as it stands, and constraints")
	s.Int(&o.passes, "passes", 10, 1, math.MaxInt32, "passes in each stage: over the labelled sentences, then over all; "+
		"a pass is as many proposals as there are pairs of token and label")
	s.Float(&o.rate, "rate", 1, 1e-3, 10, "by how much of the difference of features weights move")
	s.Float(&o.margin, "margin", 0, 0, math.Inf(1), "weights also move where the score of the preferred label is not "+
		"higher by more than this")
	s.Float(&o.temperature, "temperature", 1, 1e-6, math.Inf(1), "of the chain that proposes labels in training")
	s.Float(&o.selfConstraints, "lambda_self", 10, 0, math.Inf(1), "weight of constraints in self+constraints, where a "+
		"wrong label costs 1")
	s.Float(&o.modelConstraints, "lambda_model", 1e-4, 0, math.Inf(1), "weight of constraints in model+constraints; a "+
		"small one breaks near ties only")
	s.Resource(&o.gazetteer, "gazetteer", "", "phrases of the constraints of kind dictionary, whose values are "+
		"labels of it")
	s.Bool(&o.average, "average", true, "the mean of the weights over the proposals of a stage; false: the last weights")
	s.Int(&o.MinCount, "min_count", 1, 1, math.MaxInt32, "attributes of fewer tokens, labelled or not, are dropped")
	s.Choice(&o.Scheme, "scheme", "bio", bio.Schemes(), "how spans are written as labels of tokens")
	s.Bool(&o.constrained, "constrained", true, "decoding keeps to the scheme: no I- without its B-; sampling does "+
		"not").In(option.Predict)
	s.Only("lambda_self", "objective", objectiveSelfConstraints)
	s.Only("lambda_model", "objective", objectiveModelConstraints)
	s.Only("gazetteer", "objective", objectiveConstraints, objectiveSelfConstraints, objectiveModelConstraints)
	tagger.OfSpans(s, "scheme constrained")
}

// Schema tells what is read, learned and written.
func (m *model) Schema() kind.Schema {
	s := m.opt.Schema(kind.Score, true, tagger.Weights, tagger.Transitions)
	s.Reads = expectation.MergeUses(s.Reads, []kind.LayerUse{{Layer: text.Tokens.Name, Columns: []string{"form"}}})
	if g := (kind.Resource{Kind: "gazetteer", Name: m.opt.gazetteer}); g.Name != "" && !slices.Contains(s.Resources, g) {
		s.Resources = append(s.Resources[:len(s.Resources):len(s.Resources)], g)
	}
	s.Roles = []kind.Role{
		{Name: "unlabelled", Doc: "documents whose labels are not looked at, with any objective but truth",
			Reads: s.Reads, Optional: m.opt.objective == objectiveTruth, Train: true},
		{Name: "constraints", Doc: "labels of tokens that are asked for, with the objectives that name constraints: rows " +
			"of the kinds token, dictionary and pattern; target is the strength",
			Tables: []kind.TableUse{expectation.Table}, Optional: !m.byConstraints(), Train: true},
	}
	return s
}

// Open opens weights or transitions.
func (m *model) Open(_ context.Context, relation string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
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
	m.label, err = m.opt.Labeler("samplerank", &m.Trained, m.opt.constrained, tagger.NewSearch(m.Chain))
	return err
}

// Temper divides the scores that probabilities are made of by t.
func (m *model) Temper(t float64) (err error) {
	m.label, err = m.label.TemperChain(t)
	return err
}

// Annotate labels every sentence of the documents.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	return m.label.Annotate(ctx, docs, run)
}

// Explain compares labels of tokens with the most probable others.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At, run *kind.Run) (kind.Explanation,
	error) {
	return m.label.Explain(ctx, docs, at, run)
}

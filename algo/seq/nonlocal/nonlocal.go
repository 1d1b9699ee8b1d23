// Package nonlocal is the kind of perceptrons with non-local features (Kazama and Torisawa 2007):
// the n best labellings by local features are scored again with features of whole labellings.
package nonlocal

import (
	"context"
	"fmt"
	"math"
	"strings"

	"parlance/algo/engine/chain"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/seq/bio"
	"parlance/algo/seq/labelhistory"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "nonlocal_perceptron",
		Learns:   "spans, by features of whole documents",
		Figures:  "BC5CDR: F1 80.4, 0.8 above its local features",
		Revision: 2,
		Doc: "perceptron that labels spans by features of whole documents: the n best labellings by local features, " +
			"scored again with non-local ones",
		Paper: "Kazama and Torisawa 2007",
		New:   func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	labelhistory.Trained              // local weights, which find the labellings
	second               *chain.Model // of rerank2: local weights that choose among them
	scale                float64      // what the local score counts in choosing
	margin               float64      // absolute
	names                []string     // of the non-local features
	beyond               []float64    // their weights
	tagger.Temperature
	opt struct {
		tagger.Task
		algorithm                   string
		unit, localUpdate, priority string
		nonlocal                    []string
		margin, stop                float64
		candidates, predict         int
		epochs, bpmRuns, folds      int
		patience, validateEvery     int
		average, shuffle, foldCase  bool
		constrained                 bool
	}
	pool *pool
}

var algorithms = []string{"proposed", "candidate", "margin", "averaged", "perceptron", "rerank1", "rerank2"}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	o.History, o.Order = true, 1
	o.DeclareTask(s, tagger.TaskDoc{Layer: "entities", What: "layer of spans",
		Doc: "local feature set or templates; those with label[-1] read the label before; label[-1] itself is added where " +
			"none does. Left out: chunk for chunks, ner for others"})
	s.Choice(&o.algorithm, "algorithm", "proposed", algorithms, "proposed: both updates of the paper; candidate: only "+
		"by total score; margin, averaged, perceptron: local features only; rerank1, rerank2: a second model over "+
		"labellings of a first one, by its score or by local features of its own")
	s.List(&o.nonlocal, "nonlocal", groupNames(), "groups of non-local features: "+describe())
	s.Choice(&o.unit, "unit", "document", []string{"document", "sentence"}, "what is labelled as a whole")
	s.Float(&o.margin, "margin", 1, 0, math.Inf(1), "by how much the gold labels must win, in units of the score that "+
		"one label changed weighs at first: twice the mean number of features of a token. Training tells the absolute "+
		"score. Documents often gain by 20, short texts lose; choose on held-out data")
	s.Int(&o.candidates, "candidates", 20, 2, 10000, "labellings to choose from in training")
	s.Int(&o.predict, "predict_candidates", 100, 1, 100000, "labellings to choose from in prediction").In(option.Predict)
	s.Choice(&o.localUpdate, "local_update", "aggressive", []string{"aggressive", "conservative"}, "of proposed: local "+
		"weights are repaired whenever total ones need nothing, or only while the gold labels are not among the candidates")
	s.Choice(&o.priority, "priority", "total", []string{"total", "local"}, "of proposed: the update that is tried first")
	s.Bool(&o.average, "average", true, "the mean of the weights after every step; the paper takes the last ones. Of "+
		"margin, candidate, proposed and reranking")
	s.Int(&o.bpmRuns, "bpm_runs", 0, 0, 1000, "training begins at the mean of the weights of this many single passes in "+
		"random orders; 0: at 0. Not with reranking")
	s.Int(&o.folds, "folds", 5, 2, 10, "of reranking: parts of the texts, each labelled by a model of the others")
	s.Int(&o.epochs, "epochs", 20, 1, math.MaxInt32, "passes at most; training ends sooner when a pass moves no weight")
	s.Float(&o.stop, "stop", 1e-4, 0, 1, "ends when the share of wrong tokens changed by less, relatively, in three "+
		"passes; 0: off")
	s.Bool(&o.shuffle, "shuffle", true, "a new order drawn from the seed for every pass; false: the order of the "+
		"documents")
	s.Int(&o.MinCount, "min_count", 2, 1, math.MaxInt32, "attributes in fewer tokens are dropped")
	s.Bool(&o.foldCase, "fold_case", false, "non-local features compare words without case")
	s.Choice(&o.Scheme, "scheme", "bio", bio.Schemes(), "how spans are written as labels of tokens")
	s.Bool(&o.constrained, "constrained", true, "labellings keep to the scheme and to sentences, in training and "+
		"prediction")
	s.Int(&o.patience, "patience", 0, 0, math.MaxInt32, "with VALIDATE: ends after this many scores without a better one "+
		"and keeps the best model; 0: never").Validating()
	s.Int(&o.validateEvery, "validate_every", 1, 1, math.MaxInt32, "with VALIDATE: passes between scores").Validating()
	m.optionRules(s)
}

// optionRules declares what options need of each other.
func (m *model) optionRules(s *option.Set) {
	o := &m.opt
	s.Check("layer", func() error {
		t, err := o.Target()
		if err == nil && !t.Spans() {
			return fmt.Errorf("nonlocal_perceptron labels spans; tokens.%s is a column", t.Column)
		}
		return err
	})
	s.Check("features", func() error {
		if set, err := o.Set(); err == nil && set.History().Order() > 1 {
			return fmt.Errorf("the templates read label[-2]; nonlocal_perceptron reads label[-1] only")
		}
		return nil
	})
	s.Check("nonlocal", func() error {
		g, err := chosen(o.nonlocal)
		if err == nil && len(g) == 0 && strings.HasPrefix(o.algorithm, "rerank1") {
			return fmt.Errorf("rerank1 chooses by non-local features; name some of %s", strings.Join(groupNames(), ", "))
		}
		return err
	})
	s.Only("nonlocal fold_case candidates", "algorithm", "proposed", "candidate", "rerank1", "rerank2")
	s.Only("local_update priority", "algorithm", "proposed")
	s.Only("margin average", "algorithm", "proposed", "candidate", "margin", "rerank1", "rerank2")
	s.Only("bpm_runs", "algorithm", "proposed", "candidate", "margin", "averaged", "perceptron")
	s.Only("folds", "algorithm", "rerank1", "rerank2")
}

func describe() string {
	var out []string
	for _, g := range groups {
		out = append(out, g.name+" ("+g.doc+")")
	}
	return strings.Join(out, "; ")
}

// beyondLocal reports whether non-local features are learned.
func (m *model) beyondLocal() bool {
	switch m.opt.algorithm {
	case "perceptron", "averaged", "margin":
		return false
	}
	return true
}

// groups are the non-local features that are learned.
func (m *model) groups() []group {
	if !m.beyondLocal() {
		return nil
	}
	g, _ := chosen(m.opt.nonlocal)
	return g
}

// beyondRows is the relation of the weights of non-local features.
var beyondRows = kind.Relation{Name: "nonlocal", Doc: "weights of non-local features, and what the local score " +
	"counts beside them", Columns: []kind.Column{
	{Name: "feature", Type: value.Text, Doc: "feature with its two classes; local score"},
	{Name: "weight", Type: value.Float, Doc: "weight"}}}

// Schema tells what is read, learned and written.
func (m *model) Schema() kind.Schema {
	s := m.opt.Schema(kind.Score, true, tagger.Weights)
	if m.beyondLocal() {
		s.Relations = append(s.Relations, beyondRows)
		s.Reads = withForms(s.Reads)
	}
	return s
}

// withForms adds the forms of tokens, which non-local features compare.
func withForms(reads []kind.LayerUse) []kind.LayerUse {
	out := append([]kind.LayerUse{}, reads...)
	for i, r := range out {
		if r.Layer == text.Tokens.Name {
			if r.Columns != nil && !strings.Contains(" "+strings.Join(r.Columns, " ")+" ", " form ") {
				out[i].Columns = append(append([]string{}, r.Columns...), "form")
			}
			return out
		}
	}
	return append(out, kind.LayerUse{Layer: text.Tokens.Name, Columns: []string{"form"}})
}

// Open opens weights, or those of non-local features.
func (m *model) Open(_ context.Context, relation string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	switch {
	case relation == tagger.Weights.Name:
		return tagger.WeightRows(m.Chain, m.Name, m.Labels), nil
	case relation == beyondRows.Name && m.beyondLocal():
		return &namedRows{names: append([]string{"local score"}, m.names...),
			weights: append([]float64{m.scale}, m.beyond...)}, nil
	}
	return nil, kind.ErrNoRelation
}

// namedRows is names with weights, at once.
type namedRows struct {
	names   []string
	weights []float64
}

// Next returns the next batch.
func (r *namedRows) Next(ctx context.Context) (*value.Batch, error) {
	b := &value.Batch{Cols: []value.Vec{{Type: value.Text}, {Type: value.Float}}}
	for b.N < value.BatchSize && len(r.names) > 0 {
		b.Cols[0].Strs, b.Cols[1].Floats = append(b.Cols[0].Strs, r.names[0]), append(b.Cols[1].Floats, r.weights[0])
		b.N++
		r.names, r.weights = r.names[1:], r.weights[1:]
	}
	if b.N == 0 {
		return nil, ctx.Err()
	}
	return b, ctx.Err()
}

// Close ends the rows.
func (r *namedRows) Close() error { return nil }

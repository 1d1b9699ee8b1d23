// Package svm is the kind of support vector machines that classify documents, or tokens each by
// itself: linear ones by coordinate descent (Hsieh, Chang, Lin, Keerthi and Sundararajan 2008),
// others by sequential minimal optimisation (Fan, Chen and Lin 2005).
package svm

import (
	"context"
	"math"

	"parlance/algo/classify/sparse"
	"parlance/algo/classify/svm/reduction"
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
		Name:     "svm",
		Learns:   "documents, single tokens; kernels",
		Figures:  "R8: 97.4 %",
		Revision: 2,
		Doc: "support vector machines, linear or with kernels: classify documents (labels) or label tokens, each by " +
			"itself",
		Paper: "Cortes and Vapnik 1995; Crammer and Singer 2001; Fan, Chen and Lin 2005; Hsieh, Chang, Lin, Keerthi and " +
			"Sundararajan 2008",
		New: func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	reduction.Trained
	foreign *sparse.Model // trained elsewhere, in place of what is trained here; or nil
	opt     struct {
		tagger.Task
		reduction.Settings
	}
	pool pool
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	o.Documents = "tfidf"
	o.DeclareTask(s, tagger.TaskDoc{Layer: text.Labels.Name, What: tagger.DocumentsAndTokens,
		Doc: "feature set or templates; left out: tfidf for labels, " + tagger.ByTarget})
	o.Declare(s, reduction.Defaults{Kernel: "linear"})
	s.Int(&o.MinCount, "min_count", 1, 1, math.MaxInt32, "attributes in fewer items (tokens or documents) are dropped")
	s.Choice(&o.Task.Scheme, "scheme", "bio", bio.Schemes(), "how spans are written as labels of tokens")
	tagger.OfSpans(s, "scheme")
}

// Schema tells what is read, learned and written.
func (m *model) Schema() kind.Schema {
	if m.foreign != nil {
		return m.foreign.Schema()
	}
	return m.opt.Schema(m.opt.Prob(m.opt.Spans()), false, m.opt.Relation())
}

// Open opens the weights, or the support vectors.
func (m *model) Open(ctx context.Context, relation string, args []value.Value,
	run *kind.Run) (kind.Rows, error) {
	if m.foreign != nil {
		return m.foreign.Open(ctx, relation, args, run)
	}
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
	if foreign, err := r.Has(sparse.Section); err != nil {
		return err
	} else if foreign {
		m.foreign, err = sparse.Decode(r)
		return err
	}
	if m.Trained, err = reduction.DecodeTrained(r); err != nil {
		return err
	}
	if err := m.Fits(m.Alphabet.Len()); err != nil {
		return err
	}
	return m.ready()
}

// Package maxent is the kind of maximum entropy models (Berger, Della Pietra and Della Pietra
// 1996): multinomial logistic regression over documents, one-vs-rest regressions for documents of
// several labels (Kazama and Tsujii 2003), and over tokens with the labels before as features
// (McCallum, Freitag and Pereira 2000).
package maxent

import (
	"context"

	"parlance/algo/kind"
	"parlance/algo/seq/labelhistory"
	"parlance/algo/seq/tagger"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "maxent",
		Learns:   "documents (one label or several), spans, columns",
		Figures:  "F1 93.3 with `features = opennlp_chunk`; R8: 97.4 %",
		Revision: 3, Starts: true,
		Doc: "maximum entropy model: classifies documents (labels) or labels tokens one after the other",
		Paper: "Berger, Della Pietra and Della Pietra 1996; McCallum, Freitag and Pereira 2000; Kazama and Tsujii 2003; " +
			"Huang, Hsieh, Chang and Lin 2009",
		New: func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	labelhistory.Trained
	foreign served // trained elsewhere, in place of what is trained here; or nil
	opt     options
	pool    pool
}

// Schema tells what is read, learned and written.
func (m *model) Schema() kind.Schema {
	if m.foreign != nil {
		return m.foreign.Schema()
	}
	return m.opt.Schema(kind.Marginal, m.opt.Classifies() && !m.opt.multilabel, tagger.Weights)
}

// Open opens the weights.
func (m *model) Open(ctx context.Context, relation string, args []value.Value,
	run *kind.Run) (kind.Rows, error) {
	if m.foreign != nil {
		return m.foreign.Open(ctx, relation, args, run)
	}
	if relation != tagger.Weights.Name {
		return nil, kind.ErrNoRelation
	}
	return tagger.WeightRows(m.Chain, m.Name, m.Labels), nil
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	if m.foreign, err = decodeForeign(r); m.foreign != nil || err != nil {
		return err
	}
	if m.Trained, err = labelhistory.Decode(r); err != nil {
		return err
	}
	return m.pool.prepare(m)
}

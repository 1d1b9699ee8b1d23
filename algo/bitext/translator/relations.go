package translator

import (
	"context"
	"math"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/storage/value"
)

var relations = []kind.Relation{
	{Name: "phrases", Doc: "phrases with their translations, the likeliest first", Columns: []kind.Column{
		{Name: "source", Type: value.Text, Doc: "words, apart by spaces"},
		{Name: "target", Type: value.Text, Doc: "words of the translation, apart by spaces"},
		{Name: "prob", Type: value.Float, Doc: "probability of the target phrase given the source phrase"},
		{Name: "backward", Type: value.Float, Doc: "probability of the source phrase given the target phrase"},
		{Name: "lex", Type: value.Float, Doc: "product of the probabilities of the target words given the source words"},
		{Name: "lex_backward", Type: value.Float, Doc: "the same of the source words"},
	}, Args: []kind.Arg{{Name: "source", Type: value.Text, Optional: true,
		Doc: "source phrase, words apart by spaces; all if left out"}}},
	{Name: "weights", Doc: "weights of the features of a translation", Columns: []kind.Column{
		{Name: "feature", Type: value.Text, Doc: "feature"},
		{Name: "weight", Type: value.Float, Doc: "its weight"},
	}},
}

// Open opens a relation.
func (m *model) Open(_ context.Context, name string, args []value.Value, _ *kind.Run) (kind.Rows, error) {
	switch name {
	case "phrases":
		from, to := uint32(0), uint32(m.table.source.size())
		if len(args) > 0 && !args[0].IsNull() {
			words := text.Fields(args[0].S)
			ids := make([]uint32, len(words))
			for i, w := range words {
				if m.opt.lower {
					w = strings.ToLower(w)
				}
				ids[i] = m.vocabulary[0].Find(w)
			}
			n, ok := m.table.source.find(ids)
			if from, to = n, n; ok {
				to++
			}
		}
		return m.phrases(from, to), nil
	case "weights":
		return kind.RowsOf(relations[1], func(yield func([]value.Value) bool) {
			for i, w := range m.weights {
				if !yield([]value.Value{value.Str(featureNames[i]), value.Real(w)}) {
					return
				}
			}
		}), nil
	}
	return nil, kind.ErrNoRelation
}

func (m *model) phrases(from, to uint32) kind.Rows {
	return kind.RowsOf(relations[0], func(yield func([]value.Value) bool) {
		for s := from; s < to; s++ {
			source := m.text(0, m.table.source.at(s))
			for _, p := range m.table.pairs[m.table.starts[s]:m.table.starts[s+1]] {
				row := []value.Value{value.Str(source), value.Str(m.text(1, m.table.target.at(p.target)))}
				for _, h := range p.h {
					row = append(row, value.Real(math.Exp(float64(h))))
				}
				if !yield(row) {
					return
				}
			}
		}
	})
}

func (m *model) text(side int, ids []uint32) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = m.vocabulary[side].Words[id]
	}
	return strings.Join(words, " ")
}

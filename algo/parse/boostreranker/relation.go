package boostreranker

import (
	"cmp"
	"context"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/storage/value"
)

var featureRelation = kind.Relation{Name: "features", Doc: "features with a weight, the heaviest first",
	Columns: []kind.Column{
		{Name: "feature", Type: value.Text, Doc: "what occurs in a tree"},
		{Name: "weight", Type: value.Float, Doc: "what it adds to the score of the tree"}}}

var roundRelation = kind.Relation{Name: "rounds", Doc: "what training did, round by round", Columns: []kind.Column{
	{Name: "round", Type: value.Integer, Doc: "from 1"},
	{Name: "feature", Type: value.Text, Doc: "whose weight changed"},
	{Name: "delta", Type: value.Float, Doc: "by how much"},
	{Name: "gain", Type: value.Float, Doc: "by which it was chosen: |√W⁺ − √W⁻|"},
	{Name: "loss", Type: value.Float, Doc: "of the training data after it"},
	{Name: "savings", Type: value.Float, Doc: "how many times less work it was than a pass over all pairs"}}}

// Open opens the features or the rounds.
func (m *model) Open(_ context.Context, name string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	switch name {
	case featureRelation.Name:
		return m.features(), nil
	case roundRelation.Name:
		return kind.RowsOf(roundRelation, func(yield func([]value.Value) bool) {
			for i, s := range m.boost.Learned.Steps {
				if !yield([]value.Value{value.Int(int64(i + 1)), value.Str(m.boost.Names[s.Feature]), value.Real(s.Delta),
					value.Real(s.Gain),
					value.Real(s.Loss), value.Real(m.boost.Learned.Savings(i, i+1))}) {
					return
				}
			}
		}), nil
	}
	return nil, kind.ErrNoRelation
}

func (m *model) features() kind.Rows {
	order := make([]int, len(m.boost.Names))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(math.Abs(m.boost.Weights[b]), math.Abs(m.boost.Weights[a])),
			cmp.Compare(m.boost.Names[a], m.boost.Names[b]))
	})
	return kind.RowsOf(featureRelation, func(yield func([]value.Value) bool) {
		for _, k := range order {
			if m.boost.Weights[k] != 0 && !yield([]value.Value{value.Str(m.boost.Names[k]), value.Real(m.boost.Weights[k])}) {
				return
			}
		}
	})
}

package tagparser

import (
	"context"
	"strings"

	"parlance/algo/kind"
	"parlance/storage/value"
)

var spines = kind.Relation{Name: "spines", Doc: "spines of each tag, the most frequent first", Columns: []kind.Column{
	{Name: "tag", Type: value.Text, Doc: "tag of the token"},
	{Name: "rank", Type: value.Integer, Doc: "place among those of the tag, from 1"},
	{Name: "spine", Type: value.Text, Doc: "phrases that the token projects, from below; empty for none"},
	{Name: "used", Type: value.Boolean, Doc: "whether it is tried at first; the others only where no tree is found"}}}

// Open opens the spines.
func (m *model) Open(_ context.Context, name string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	if name != spines.Name {
		return nil, kind.ErrNoRelation
	}
	return kind.RowsOf(spines, func(yield func([]value.Value) bool) {
		for t, list := range m.g.dict {
			for i, s := range list {
				row := []value.Value{value.Str(m.g.tags[t]), value.Int(int64(i + 1)),
					value.Str(strings.Join(m.g.spines[s][1:], " ")),
					value.Bool(i < m.g.kept[t])}
				if !yield(row) {
					return
				}
			}
		}
	}), nil
}

package gecmodule

import (
	"context"

	"parlance/algo/kind"
	"parlance/storage/value"
)

// relations are what the model tells of itself.
var relations = []kind.Relation{
	{Name: "confusions", Doc: "how often writers meant a label who wrote another, where gold says so", Columns: []kind.Column{
		{Name: "source", Type: value.Text, Doc: "label of what was written"},
		{Name: "label", Type: value.Text, Doc: "label of what was meant"},
		{Name: "count", Type: value.Float, Doc: "occurrences"},
		{Name: "share", Type: value.Float, Doc: "of the occurrences of the source"}}},
	{Name: "measures", Doc: "what training measured out of fold, at the threshold", Columns: []kind.Column{
		{Name: "candidates", Type: value.Integer, Doc: "places that the module looked at"},
		{Name: "options", Type: value.Integer, Doc: "edits that it could make there"},
		{Name: "covered", Type: value.Integer, Doc: "gold edits among the options"},
		{Name: "gold", Type: value.Integer, Doc: "gold edits of all types"},
		{Name: "made", Type: value.Integer, Doc: "edits that were made"},
		{Name: "correct", Type: value.Integer, Doc: "edits that gold has"},
		{Name: "threshold", Type: value.Float, Doc: "probability from which on edits are made"},
		{Name: "f", Type: value.Float, Doc: "F with option beta, of edits that are gold exactly"}}},
	{Name: "ignored", Doc: "corrections that are never made", Columns: []kind.Column{
		{Name: "source", Type: value.Text, Doc: "what is written"},
		{Name: "correction", Type: value.Text, Doc: "what does not replace it"}}},
	{Name: "patterns", Doc: "contexts that want a comma", Columns: []kind.Column{
		{Name: "before", Type: value.Text, Doc: "words before the gap, <s> is the start of the sentence"},
		{Name: "after", Type: value.Text, Doc: "words after the gap"},
		{Name: "gaps", Type: value.Integer, Doc: "occurrences of the context"},
		{Name: "commas", Type: value.Integer, Doc: "those with a comma"}}},
}

// Open opens a relation.
func (m *model) Open(_ context.Context, name string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	var rows [][]value.Value
	var rel kind.Relation
	for _, r := range relations {
		if r.Name == name {
			rel = r
		}
	}
	switch name {
	case "confusions":
		for _, p := range m.prior.rows(m.labelsOf) {
			total := 0.0
			for i, l := range m.labelsOf {
				if l == p.Source {
					total = m.prior.totals[i]
				}
			}
			if p.Count > 0 {
				rows = append(rows, []value.Value{value.Str(p.Source), value.Str(p.Label), value.Real(p.Count), value.Real(p.Count / total)})
			}
		}
	case "measures":
		t := m.trained
		rows = append(rows, []value.Value{value.Int(int64(t.Candidates)), value.Int(int64(t.Options)), value.Int(int64(t.Covered)),
			value.Int(int64(t.Gold)), value.Int(int64(t.Made)), value.Int(int64(t.Right)), value.Real(m.tuned), value.Real(t.F)})
	case "ignored":
		for _, p := range m.sortedIgnored() {
			rows = append(rows, []value.Value{value.Str(p[0]), value.Str(p[1])})
		}
	case "patterns":
		for _, p := range m.lists.Patterns {
			rows = append(rows, []value.Value{value.Str(p.Left), value.Str(p.Right), value.Int(int64(p.Gaps)), value.Int(int64(p.Commas))})
		}
	default:
		return nil, kind.ErrNoRelation
	}
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		for _, r := range rows {
			if !yield(r) {
				return
			}
		}
	}), nil
}

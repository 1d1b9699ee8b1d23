package gecmodule

import (
	"context"
	"fmt"

	"parlance/algo/kind"
	"parlance/storage/value"
)

// relations are what the model tells of itself.
var relations = []kind.Relation{
	{Name: "confusions", Doc: "how often writers meant a label who wrote another, where gold says so",
		Columns: []kind.Column{
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
}

// listed is the relation of modules that learn lists.
var listed = kind.Relation{Name: "lists", Doc: "what is found by lists that training made", Columns: []kind.Column{
	{Name: "list", Type: value.Text,
		Doc: "pattern: a context that wants a comma; gap: words beside commas; capital, verb: words; " +
			"form: what a word was corrected to; ignored: a correction that is never made"},
	{Name: "item", Type: value.Text, Doc: "the word, or the words before a gap, a bar and those after it"},
	{Name: "other", Type: value.Text,
		Doc: "what it is corrected to, or how often a pattern had a comma of how many gaps"}}}

// relations are those of the module.
func (m *model) relations() []kind.Relation {
	switch m.module {
	case punctuation, capitalisation, wordForm, verbForm:
		return append(relations[:len(relations):len(relations)], listed)
	}
	return relations
}

// listRows lists the lists.
func (m *model) listRows() (rows [][]value.Value) {
	add := func(list, item, other string) {
		row := []value.Value{value.Str(list), value.Str(item), value.Str(other)}
		if other == "" {
			row[2] = value.Value{}
		}
		rows = append(rows, row)
	}
	for _, p := range m.lists.Patterns {
		add("pattern", p.key(), fmt.Sprintf("%d of %d", p.Commas, p.Gaps))
	}
	for _, g := range m.lists.Gaps {
		add("gap", g, "")
	}
	for _, w := range m.lists.Capitals {
		add("capital", w, "")
	}
	for _, w := range m.lists.Verbs {
		add("verb", w, "")
	}
	for _, w := range m.lists.words {
		for _, to := range m.lists.Forms[w] {
			add("form", w, to)
		}
	}
	for _, p := range m.sortedIgnored() {
		add("ignored", p[0], p[1])
	}
	return rows
}

// Open opens a relation.
func (m *model) Open(_ context.Context, name string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	var rows [][]value.Value
	var rel kind.Relation
	for _, r := range m.relations() {
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
				rows = append(rows, []value.Value{value.Str(p.Source), value.Str(p.Label), value.Real(p.Count),
					value.Real(p.Count / total)})
			}
		}
	case "measures":
		t := m.trained
		rows = append(rows, []value.Value{value.Int(int64(t.Candidates)), value.Int(int64(t.Options)),
			value.Int(int64(t.Covered)),
			value.Int(int64(t.Gold)), value.Int(int64(t.Made)), value.Int(int64(t.Right)), value.Real(m.tuned), value.Real(t.F)})
	case "lists":
		rows = m.listRows()
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

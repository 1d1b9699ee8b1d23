package wikigazetteer

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"parlance/algo/kind"
	"parlance/storage/value"
)

var (
	colPhrase = kind.Column{Name: "phrase", Type: value.Text, Doc: "phrase"}
	colLabel  = kind.Column{Name: "label", Type: value.Text,
		Doc: "noun that defines it, NULL without; surname and given_name of parts of names"}
	colCoarse = kind.Column{Name: "coarse", Type: value.Text, Doc: "coarse class of the label, NULL without"}
	colTitle  = kind.Column{Name: "title", Type: value.Text, Doc: "page with the label"}
)

// relations are all that models answer.
var relations = []kind.Relation{
	{Name: "entries", Doc: "phrases, by page, then parts of names; can be used as a gazetteer or lexicon",
		Columns: []kind.Column{
			colPhrase, colLabel, colCoarse, colTitle,
			{Name: "source", Type: value.Text, Doc: "what the phrase is: title, redirect, surname or given_name"}}},
	{Name: "labelled", Doc: "phrases with a label; can be used as a gazetteer that passes over the others, so that a " +
		"shorter phrase with a label matches",
		Columns: []kind.Column{colPhrase, colLabel}},
	{Name: "classes", Doc: "phrases with a coarse class; can be used as a gazetteer",
		Columns: []kind.Column{colPhrase, colCoarse}},
	{Name: "labels", Doc: "labels, those of most pages first", Columns: []kind.Column{
		{Name: "label", Type: value.Text, Doc: "label"}, colCoarse,
		{Name: "pages", Type: value.Integer, Doc: "pages that it defines"},
		{Name: "phrases", Type: value.Integer, Doc: "phrases that have it"}}},
	{Name: "pages", Doc: "pages as they were read, with what defines them", Columns: []kind.Column{
		{Name: "title", Type: value.Text, Doc: "title"}, {Name: "label", Type: value.Text, Doc: "label, NULL without"},
		{Name: "outcome", Type: value.Text,
			Doc: "first phrase, second phrase: the noun phrase behind be with the label; else why there is none"},
		{Name: "noun_phrase", Type: value.Text, Doc: "noun phrase with the label"},
		{Name: "sentence", Type: value.Text, Doc: "defining sentence"},
		{Name: "redirect", Type: value.Text, Doc: "page that it leads to, NULL for a page of its own"}}},
	{Name: "statistics", Doc: "counts of the making", Columns: []kind.Column{
		{Name: "name", Type: value.Text, Doc: "what was counted"}, {Name: "count", Type: value.Integer, Doc: "how often"}}},
}

// relations are what the model answers: classes where there is a lexicon of them.
func (m *model) relations() []kind.Relation {
	if m.opt.coarse != "" {
		return relations
	}
	return slices.DeleteFunc(slices.Clone(relations), func(r kind.Relation) bool { return r.Name == "classes" })
}

// orNull is a text, NULL for an empty one.
func orNull(s string) value.Value {
	if s == "" {
		return value.Value{}
	}
	return value.Str(s)
}

// labelOf is the label of a phrase, "" without.
func (m *model) labelOf(e *entry) string {
	if e.source.part() {
		return e.source.String()
	}
	return m.pages[e.page].label
}

// Open opens a relation.
func (m *model) Open(_ context.Context, name string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	list := m.relations()
	at := slices.IndexFunc(list, func(r kind.Relation) bool { return r.Name == name })
	if at < 0 {
		return nil, kind.ErrNoRelation
	}
	rows := map[string]iter.Seq[[]value.Value]{
		"entries": m.entryRows(), "labelled": m.labelledRows(), "classes": m.classRows(),
		"labels": m.labelRows(), "pages": m.pageRows(), "statistics": m.statisticRows()}
	return kind.RowsOf(list[at], rows[name]), nil
}

func (m *model) entryRows() iter.Seq[[]value.Value] {
	return func(yield func([]value.Value) bool) {
		for i := range m.entries {
			e := &m.entries[i]
			p := &m.pages[e.page]
			if !yield([]value.Value{value.Str(e.phrase), orNull(m.labelOf(e)), orNull(p.coarse), value.Str(p.title),
				value.Str(e.source.String())}) {
				return
			}
		}
	}
}

func (m *model) labelledRows() iter.Seq[[]value.Value] {
	return func(yield func([]value.Value) bool) {
		for i := range m.entries {
			if l := m.labelOf(&m.entries[i]); l != "" && !yield([]value.Value{value.Str(m.entries[i].phrase), value.Str(l)}) {
				return
			}
		}
	}
}

func (m *model) classRows() iter.Seq[[]value.Value] {
	return func(yield func([]value.Value) bool) {
		for i := range m.entries {
			if c := m.pages[m.entries[i].page].coarse; c != "" &&
				!yield([]value.Value{value.Str(m.entries[i].phrase), value.Str(c)}) {
				return
			}
		}
	}
}

// labelCount is how many pages and phrases have a label.
type labelCount struct {
	label, coarse  string
	pages, phrases int
}

func (m *model) labelRows() iter.Seq[[]value.Value] {
	return func(yield func([]value.Value) bool) {
		at := map[string]int{}
		var list []labelCount
		of := func(label, coarse string) *labelCount {
			i, ok := at[label]
			if !ok {
				i = len(list)
				at[label] = i
				list = append(list, labelCount{label: label, coarse: coarse})
			}
			return &list[i]
		}
		for i := range m.pages {
			if p := &m.pages[i]; p.label != "" {
				of(p.label, p.coarse).pages++
			}
		}
		for i := range m.entries {
			e := &m.entries[i]
			if l := m.labelOf(e); l != "" {
				of(l, m.pages[e.page].coarse).phrases++
			}
		}
		slices.SortFunc(list, func(a, b labelCount) int {
			return cmp.Or(cmp.Compare(b.pages, a.pages), cmp.Compare(b.phrases, a.phrases), cmp.Compare(a.label, b.label))
		})
		for _, c := range list {
			if !yield([]value.Value{value.Str(c.label), orNull(c.coarse), value.Int(int64(c.pages)),
				value.Int(int64(c.phrases))}) {
				return
			}
		}
	}
}

func (m *model) pageRows() iter.Seq[[]value.Value] {
	return func(yield func([]value.Value) bool) {
		for i := range m.pages {
			p := &m.pages[i]
			if !yield([]value.Value{value.Str(p.title), orNull(p.label), value.Str(p.outcome.String()),
				orNull(p.phrase), orNull(p.sentence), orNull(p.redirect)}) {
				return
			}
		}
	}
}

func (m *model) statisticRows() iter.Seq[[]value.Value] {
	return func(yield func([]value.Value) bool) {
		for _, s := range m.counts {
			if !yield([]value.Value{value.Str(s.name), value.Int(int64(s.count))}) {
				return
			}
		}
	}
}

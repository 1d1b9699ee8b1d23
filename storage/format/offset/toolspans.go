package offset

import (
	"fmt"
	"slices"
	"strings"

	"parlance/algo/text"
	"parlance/storage/format/layers"
)

// Span is a span of an annotation tool and what the tool calls it.
type Span struct {
	ID string
	layers.Span
}

// Arc is a relation between two spans of a tool.
type Arc struct{ Label, From, To string }

// SetLayers gives a document the layers entities and relations.
func SetLayers(d *text.Document, spans []Span, arcs []Arc, ended func() error) error {
	list, at := make([]layers.Span, len(spans)), map[string]layers.Span{}
	for i, s := range spans {
		list[i] = s.Span
		if s.ID == "" {
			continue
		}
		if was, ok := at[s.ID]; ok && (was.Start != s.Start || was.End != s.End) {
			return fmt.Errorf("two spans are called %s", s.ID)
		}
		at[s.ID] = s.Span
	}
	l, err := layers.SpansUntil(d, text.Entities, list, ended)
	if err != nil {
		return err
	}
	d.SetLayer(l)
	relations := make([]layers.Relation, 0, len(arcs))
	for _, a := range arcs {
		from, ok := at[a.From]
		to, too := at[a.To]
		if !ok || !too {
			return fmt.Errorf("the relation %s from %s to %s is between spans that are not there", a.Label, a.From, a.To)
		}
		relations = append(relations, layers.Relation{Label: a.Label, SubjectStart: from.Start, SubjectEnd: from.End,
			ObjectStart: to.Start, ObjectEnd: to.End})
	}
	if len(relations) > 0 {
		layers.SortRelations(relations)
		d.SetLayer(layers.Relations(relations))
	}
	return nil
}

// SeveralAnnotators is the error of annotations of several people where those of one are wanted.
func SeveralAnnotators(what string, names []string) error {
	slices.Sort(names)
	names = slices.Compact(names)
	return fmt.Errorf("%s several (%s); WITH (annotator = '%s') takes those of one", what, strings.Join(names, ", "),
		names[0])
}

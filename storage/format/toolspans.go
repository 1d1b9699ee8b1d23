package format

import (
	"fmt"
	"slices"
	"strings"

	"parlance/algo/text"
)

// toolSpan is a span of an annotation tool and what the tool calls it.
type toolSpan struct {
	id string
	charSpan
}

// toolArc is a relation between two spans of a tool.
type toolArc struct{ label, from, to string }

// toolLayers gives a document the layers entities and relations.
func toolLayers(d *text.Document, spans []toolSpan, arcs []toolArc, ended func() error) error {
	list, at := make([]charSpan, len(spans)), map[string]charSpan{}
	for i, s := range spans {
		list[i] = s.charSpan
		if s.id == "" {
			continue
		}
		if was, ok := at[s.id]; ok && (was.start != s.start || was.end != s.end) {
			return fmt.Errorf("two spans are called %s", s.id)
		}
		at[s.id] = s.charSpan
	}
	l, err := charSpansUntil(d, text.Entities, list, ended)
	if err != nil {
		return err
	}
	d.SetLayer(l)
	relations := make([]relation, 0, len(arcs))
	for _, a := range arcs {
		from, ok := at[a.from]
		to, too := at[a.to]
		if !ok || !too {
			return fmt.Errorf("the relation %s from %s to %s is between spans that are not there", a.label, a.from, a.to)
		}
		relations = append(relations, relation{a.label, from.start, from.end, to.start, to.end})
	}
	if len(relations) > 0 {
		sortRelations(relations)
		d.SetLayer(relationLayer(relations))
	}
	return nil
}

// severalAnnotators is the error of annotations of several people where those of one are wanted.
func severalAnnotators(what string, names []string) error {
	slices.Sort(names)
	names = slices.Compact(names)
	return fmt.Errorf("%s several (%s); WITH (annotator = '%s') takes those of one", what, strings.Join(names, ", "),
		names[0])
}

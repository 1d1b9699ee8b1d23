package kind

import (
	"context"
	"iter"

	"parlance/algo/text"
)

// Units cuts documents into what a model annotates at once: single documents, groups that share the value of
// a column, in the order of their first documents, or all of them.
func (s *Schema) Units(docs []*text.Document) [][]*text.Document {
	switch s.Unit {
	case PerCorpus:
		return [][]*text.Document{docs}
	case PerGroup:
		index := map[string]int{}
		var out [][]*text.Document
		for _, d := range docs {
			key := d.Field(s.Group).String()
			i, ok := index[key]
			if !ok {
				i = len(out)
				index[key] = i
				out = append(out, nil)
			}
			out[i] = append(out[i], d)
		}
		return out
	}
	out := make([][]*text.Document, len(docs))
	for i := range docs {
		out[i] = docs[i : i+1]
	}
	return out
}

// UnitsOf yields the units of an input. Single documents come as they are read; groups and corpora take all
// documents of the input in memory.
func (s *Schema) UnitsOf(ctx context.Context, in Input) iter.Seq2[[]*text.Document, error] {
	return func(yield func([]*text.Document, error) bool) {
		var all []*text.Document
		for d, err := range in.Documents(ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			if s.Unit != PerDocument {
				all = append(all, d)
			} else if !yield([]*text.Document{d}, nil) {
				return
			}
		}
		if len(all) == 0 {
			return
		}
		for _, u := range s.Units(all) {
			if !yield(u, nil) {
				return
			}
		}
	}
}

package contexts

import (
	"cmp"
	"context"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/lexical/cooccurrence"
	"parlance/storage/value"
)

var (
	colWord    = kind.Column{Name: "word", Type: value.Text, Doc: "word"}
	colContext = kind.Column{Name: "context", Type: value.Text, Doc: "context: obj(drink,_) for what is the object of " +
		"drink, amod(_,red) for what has the modifier red; +1:wine for what stands before wine"}
	colCount = kind.Column{Name: "count", Type: value.Float, Doc: "how often they come together"}
)

// relations are what the model answers.
var relations = []kind.Relation{
	{Name: "counts", Doc: "pairs of a word and a context, by word, then context, each in the order of its own relation",
		Columns: []kind.Column{colWord, colContext, colCount}},
	{Name: "words",
		Doc: "words, those with the most different contexts first, as they were before rare ones were left out",
		Columns: []kind.Column{colWord,
			{Name: "contexts", Type: value.Integer, Doc: "number of different contexts that were kept"},
			{Name: "count", Type: value.Float, Doc: "occurrences in them"}}},
	{Name: "contexts",
		Doc: "contexts, those with the most different words first, as they were before rare ones were left out",
		Columns: []kind.Column{colContext,
			{Name: "words", Type: value.Integer, Doc: "number of different words that were kept"},
			{Name: "count", Type: value.Float, Doc: "occurrences of them"}}},
	{Name: "contexts_of", Doc: "contexts of a word, the most frequent first", Columns: []kind.Column{colContext, colCount},
		Args: []kind.Arg{{Name: "word", Type: value.Text, Doc: "word"}}},
	{Name: "words_of", Doc: "words in a context, the most frequent first", Columns: []kind.Column{colWord, colCount},
		Args: []kind.Arg{{Name: "context", Type: value.Text, Doc: "context"}}},
}

// Open opens a relation.
func (m *model) Open(_ context.Context, name string, args []value.Value, _ *kind.Run) (kind.Rows, error) {
	at := slices.IndexFunc(relations, func(r kind.Relation) bool { return r.Name == name })
	if at < 0 {
		return nil, kind.ErrNoRelation
	}
	switch rel := relations[at]; name {
	case "counts":
		return m.counts(rel), nil
	case "words":
		return sums(rel, m.Words, m.Rows), nil
	case "contexts":
		return sums(rel, m.Contexts, m.columns), nil
	case "contexts_of":
		i, ok := m.Find(args[0].S)
		if !ok {
			return nil, &kind.Unknown{What: "word", Name: args[0].S, Known: m.Words}
		}
		return falling(rel, m.Contexts, m.Rows, i), nil
	default:
		k := slices.Index(m.Contexts, args[0].S)
		if k < 0 {
			return nil, &kind.Unknown{What: "context", Name: args[0].S, Known: m.Contexts}
		}
		return falling(rel, m.Words, m.columns, k), nil
	}
}

func (m *model) counts(rel kind.Relation) kind.Rows {
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		row := make([]value.Value, 3)
		matrixCells(m.Matrix)(func(w, c uint32, count float64) bool {
			row[0], row[1], row[2] = value.Str(m.Words[w]), value.Str(m.Contexts[c]), value.Real(count)
			return yield(row)
		})
	})
}

// sums lists names with the number and the sum of their cells.
func sums(rel kind.Relation, names []string, x *cooccurrence.Index) kind.Rows {
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		for i, s := range names {
			if !yield([]value.Value{value.Str(s), value.Int(int64(x.Width(i))), value.Real(x.Sum(i))}) {
				return
			}
		}
	})
}

// falling lists the cells of a row by falling count, equal ones by number.
func falling(rel kind.Relation, names []string, x *cooccurrence.Index, i int) kind.Rows {
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		ids, counts := x.Row(i)
		order := make([]int, len(ids))
		for k := range order {
			order[k] = k
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
		for _, k := range order {
			if !yield([]value.Value{value.Str(names[ids[k]]), value.Real(counts[k])}) {
				return
			}
		}
	})
}

package similarity

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/numeric/topk"
	"parlance/storage/value"
)

var (
	colWord  = kind.Column{Name: "word", Type: value.Text, Doc: "word"}
	colScore = kind.Column{Name: "score", Type: value.Float, Doc: "similarity by the measure, stored lists to 7 digits"}
	colRank  = kind.Column{Name: "rank", Type: value.Integer, Doc: "place in the list, from 1"}
	argWord  = kind.Arg{Name: "word", Type: value.Text, Doc: "word"}
)

// relations are what the model answers.
var relations = []kind.Relation{
	{Name: "similar", Doc: "the most similar words of a word, the best first",
		Columns: []kind.Column{colWord, colScore, colRank},
		Args: []kind.Arg{argWord, {Name: "length", Type: value.Integer, Optional: true,
			Doc: "words wanted; a list longer than list_length compares all words that share a context, which " +
				"needs the counts"}}},
	{Name: "similarity", Doc: "similarity of two words, from all their contexts", Columns: []kind.Column{
		{Name: "score", Type: value.Float, Doc: "similarity by the measure, 1 of a word with itself"}},
		Args: []kind.Arg{{Name: "word1", Type: value.Text, Doc: "word"}, {Name: "word2", Type: value.Text, Doc: "word"}}},
	{Name: "neighbours", Doc: "the lists of all words", Columns: []kind.Column{colWord, colRank,
		{Name: "neighbour", Type: value.Text, Doc: "similar word"}, colScore}},
	{Name: "words", Doc: "words in the order of the input", Columns: []kind.Column{colWord,
		{Name: "contexts", Type: value.Integer,
			Doc: "number of different contexts, or of classes; NULL where counts are not kept"},
		{Name: "count", Type: value.Float, Doc: "occurrences in them; NULL where counts are not kept"},
		{Name: "neighbours", Type: value.Integer, Doc: "length of its list"}}},
}

// Open opens a relation.
func (m *model) Open(ctx context.Context, name string, args []value.Value, _ *kind.Run) (kind.Rows, error) {
	at := slices.IndexFunc(relations, func(r kind.Relation) bool { return r.Name == name })
	if at < 0 {
		return nil, kind.ErrNoRelation
	}
	switch rel := relations[at]; name {
	case "similar":
		return m.similar(ctx, rel, args)
	case "similarity":
		return m.pair(rel, args)
	case "neighbours":
		return m.allLists(rel), nil
	default:
		return m.words(rel), nil
	}
}

// find returns the number of a word.
func (m *model) find(word string) (int, error) {
	i, ok := m.counts.Find(word)
	if !ok {
		return 0, &kind.Unknown{What: "word", Name: word, Known: m.counts.Words}
	}
	return i, nil
}

var errNoCounts = errors.New(
	"the model has no counts, for it was trained with keep_counts = false; only its lists can be asked for")

func (m *model) similar(ctx context.Context, rel kind.Relation, args []value.Value) (kind.Rows, error) {
	i, err := m.find(args[0].S)
	if err != nil {
		return nil, err
	}
	length := m.opt.max
	if len(args) > 1 && !args[1].IsNull() {
		if args[1].Int() < 1 {
			return nil, fmt.Errorf("argument length of similar is %d, a number from 1 is wanted", args[1].Int())
		}
		length = int(min(args[1].Int(), math.MaxInt32))
	}
	if length <= m.opt.max {
		words, scores := m.lists.of(i)
		return listed(rel, m.counts.Words, min(length, len(words)), func(k int) topk.Item {
			return topk.Item{ID: words[k], Score: float64(scores[k])}
		}), nil
	}
	if m.vectors == nil {
		return nil, errNoCounts
	}
	list, err := m.vectors.exhaustive(ctx, i, length)
	if err != nil {
		return nil, err
	}
	return listed(rel, m.counts.Words, len(list), func(k int) topk.Item { return list[k] }), nil
}

func listed(rel kind.Relation, words []string, n int, at func(int) topk.Item) kind.Rows {
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		for k := range n {
			if x := at(k); !yield([]value.Value{value.Str(words[x.ID]), value.Real(x.Score), value.Int(int64(k + 1))}) {
				return
			}
		}
	})
}

// exhaustive compares a word with all words that share a context with it, at the cost of the whole matrix.
func (v *vectors) exhaustive(ctx context.Context, i, n int) ([]topk.Item, error) {
	t := &scratch{x: make([]float64, int(v.k)), aux: make([]float64, int(v.k))}
	v.spread(i, t)
	var found topk.Best
	found.Reset(n)
	score := v.scorer(i)
	for j := range v.words() {
		if j&1023 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if j == i {
			continue
		}
		if acc := v.against(j, t); acc != 0 {
			found.Add(uint32(j), score(j, acc))
		}
	}
	return found.Sorted(), nil
}

func (m *model) pair(rel kind.Relation, args []value.Value) (kind.Rows, error) {
	i, err := m.find(args[0].S)
	if err != nil {
		return nil, err
	}
	j, err := m.find(args[1].S)
	if err != nil {
		return nil, err
	}
	if m.vectors == nil {
		return nil, errNoCounts
	}
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		yield([]value.Value{value.Real(m.vectors.similarity(i, j))})
	}), nil
}

func (m *model) allLists(rel kind.Relation) kind.Rows {
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		for i, w := range m.counts.Words {
			words, scores := m.lists.of(i)
			for k, j := range words {
				if !yield([]value.Value{value.Str(w), value.Int(int64(k + 1)), value.Str(m.counts.Words[j]),
					value.Real(float64(scores[k]))}) {
					return
				}
			}
		}
	})
}

func (m *model) words(rel kind.Relation) kind.Rows {
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		for i, w := range m.counts.Words {
			row := []value.Value{value.Str(w), {}, {}, value.Int(int64(m.lists.start[i+1] - m.lists.start[i]))}
			if m.vectors != nil {
				row[1], row[2] = value.Int(int64(m.counts.Rows.Width(i))), value.Real(m.counts.Rows.Sum(i))
			}
			if !yield(row) {
				return
			}
		}
	})
}

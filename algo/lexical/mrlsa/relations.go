package mrlsa

import (
	"context"

	"parlance/algo/kind"
	"parlance/algo/numeric/topk"
	"parlance/storage/value"
)

var (
	degreeRelation = kind.Relation{Name: "degree", Doc: "degree to which word2 stands in the relation to word1, one row",
		Columns: []kind.Column{
			{Name: "score", Type: value.Float,
				Doc: "cosine from -1 to 1; NULL where the model has none, for unknown words too. Comparable for one word1 only"}},
		Args: []kind.Arg{{Name: "word1", Type: value.Text, Doc: "as the flower of (flower, tulip, hyponym)"},
			{Name: "word2", Type: value.Text, Doc: "as the tulip"},
			{Name: "relation", Type: value.Text, Doc: "slice of the model"}}}
	relatedRelation = kind.Relation{Name: "related",
		Doc: "other words by the degree to which they stand in the relation to a word, the highest first",
		Columns: []kind.Column{
			{Name: "word", Type: value.Text, Doc: "any word with a degree"},
			{Name: "score", Type: value.Float, Doc: "cosine from -1 to 1"}},
		Args: []kind.Arg{{Name: "word", Type: value.Text, Doc: "word of the model"},
			{Name: "relation", Type: value.Text, Doc: "slice of the model"}}}
	wordsRelation = kind.Relation{Name: "words", Doc: "words in the order of the input", Columns: []kind.Column{
		{Name: "word", Type: value.Text, Doc: "as the input has it"},
		{Name: "rows", Type: value.Integer, Doc: "rows that list it under any relation"},
		{Name: "idf", Type: value.Float, Doc: "weight of its values under the pivot, before the factor of the slice"}}}
	relationsRelation = kind.Relation{Name: "relations", Doc: "slices of the model", Columns: []kind.Column{
		{Name: "relation", Type: value.Text, Doc: "name"},
		{Name: "nonzeros", Type: value.Integer, Doc: "words in rows that have a weight"},
		{Name: "scale", Type: value.Float, Doc: "factor"},
		{Name: "symmetric", Type: value.Boolean, Doc: "its degree is the mean of both directions"},
		{Name: "pivot", Type: value.Boolean, Doc: "whether it is the synonymy relation"}}}
)

// Open opens a relation.
func (m *model) Open(ctx context.Context, relation string, args []value.Value, run *kind.Run) (kind.Rows, error) {
	switch relation {
	case degreeRelation.Name:
		return m.degreeRows(args)
	case relatedRelation.Name:
		return m.related(ctx, args, run)
	case foldRelation.Name:
		return m.folded(ctx, args, run)
	case wordsRelation.Name:
		return kind.RowsOf(wordsRelation, func(yield func([]value.Value) bool) {
			for i, w := range m.Words {
				if !yield([]value.Value{value.Str(w), value.Int(int64(m.DF[i])), value.Real(m.IDF[i])}) {
					return
				}
			}
		}), nil
	case relationsRelation.Name:
		return kind.RowsOf(relationsRelation, func(yield func([]value.Value) bool) {
			for k, s := range m.Slices {
				if !yield([]value.Value{value.Str(s.Name), value.Int(int64(s.Nonzeros)), value.Real(s.Scale),
					value.Bool(s.Symmetric), value.Bool(k == m.Pivot)}) {
					return
				}
			}
		}), nil
	}
	return nil, kind.ErrNoRelation
}

// degreeRows is one row, or none where an argument is NULL.
func (m *model) degreeRows(args []value.Value) (kind.Rows, error) {
	var score value.Value
	if args[0].IsNull() || args[1].IsNull() || args[2].IsNull() {
		return kind.RowsOf(degreeRelation, func(func([]value.Value) bool) {}), nil
	}
	k, err := m.relation(args[2].S)
	if err != nil {
		return nil, err
	}
	if x, ok := m.between(args[0].S, args[1].S, k); ok {
		score = value.Real(x)
	}
	return kind.RowsOf(degreeRelation, func(yield func([]value.Value) bool) { yield([]value.Value{score}) }), nil
}

// between is the degree between two words, 0 and false where one is unknown or there is none.
func (m *model) between(a, b string, relation int) (float64, bool) {
	i, known := m.find(a)
	j, also := m.find(b)
	if !known || !also {
		return 0, false
	}
	x, ok := m.of(i, j, relation)
	if !ok {
		return 0, false
	}
	return x, true
}

// related computes all degrees and sorts as many as are asked for.
func (m *model) related(ctx context.Context, args []value.Value, run *kind.Run) (kind.Rows, error) {
	if args[0].IsNull() || args[1].IsNull() {
		return kind.RowsOf(relatedRelation, func(func([]value.Value) bool) {}), nil
	}
	k, err := m.relation(args[1].S)
	if err != nil {
		return nil, err
	}
	i, err := m.word(args[0].S)
	if err != nil {
		return nil, err
	}
	workers := 1
	if run != nil {
		workers = run.Workers
	}
	scores, err := m.all(ctx, workers, i, k)
	if err != nil {
		return nil, err
	}
	return ranked(relatedRelation, m.Words, scores, i), nil
}

// firstRanked words are sorted at once; each time that they are used up, eight times as many.
const firstRanked = 64

// ranked sorts about as many words as are asked for by falling score, but for one and those without a
// score: time linear in the words for each of the log(words) times that it selects.
func ranked(relation kind.Relation, words []string, scores []float32, but uint32) kind.Rows {
	return kind.RowsOf(relation, func(yield func([]value.Value) bool) {
		var best topk.Best
		for n, given := firstRanked, 0; ; n *= 8 {
			best.Reset(n)
			for j, s := range scores {
				if s == s && uint32(j) != but {
					best.Add(uint32(j), float64(s))
				}
			}
			list := best.Sorted()
			for _, x := range list[given:] {
				if !yield([]value.Value{value.Str(words[x.ID]), value.Real(x.Score)}) {
					return
				}
			}
			if given = len(list); given < n {
				return
			}
		}
	})
}

package fn

import (
	"errors"

	"parlance/storage/value"
)

// Names of the functions that search; plan binds them to indexes.
const (
	Match = "match"
	Score = "bm25"
)

var errSearch = errors.New("match() and bm25() stand in a query")

func unbound([]value.Value) (value.Value, error) { return value.Value{}, errSearch }

var searchFuncs = []Func{
	{Name: Match, Example: `match('New York is big', '"new york" -city')`,
		Doc:  `whether a text matches a search: words that must all occur, -word that must not, "a phrase", OR or |, parentheses, prefix*, 10,000 words at most; a full-text index on the column is used`,
		Args: []value.Type{value.Text, value.Text}, Result: value.Boolean, Eval: unbound},
	{Name: Score, Example: "(SELECT round(bm25(), 3) FROM notes WHERE match(text, 'rain'))",
		Doc: "score BM25 (k1 = 1.2, b = 0.75) of what a search finds by a full-text index, 0 for other rows; " +
			"without arguments that of match() in WHERE",
		Args: []value.Type{value.Text, value.Text}, Optional: 2, Result: value.Float, Eval: unbound},
}

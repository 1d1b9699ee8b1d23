package expr

import (
	"parlance/storage/value"
)

// Target is what a search looks at: a column of a layer of a corpus, "" being its documents; or texts of any origin.
type Target struct {
	Corpus        string // "" for texts, which are cut by Tokenizer
	Layer, Column string
	Indexed       bool
	Tokenizer     string
}

// Search is match(column, query), or bm25(column, query) for its score. Unit identifies what is searched for: by the
// number of the document, and that of the row if rows are searched; or by the text itself.
type Search struct {
	Target
	Unit  []Expr
	Query Expr // reads no column
	Score bool
}

// Searcher runs searches. It runs each one once for a statement.
type Searcher interface {
	Search(env *Env, t Target, query string, score bool) (Found, error)
}

// Found is the result of a search.
type Found interface {
	// Find returns the score of a unit, 0 if no scores were wanted, and whether it matches.
	Find(doc, row int64) (score float64, ok bool, err error)
	// Text reports whether a text matches.
	Text(env *Env, text string) (bool, error)
}

// Type is boolean, or float for a score.
func (e *Search) Type() value.Type {
	if e.Score {
		return value.Float
	}
	return value.Boolean
}

// Children returns the unit and the query.
func (e *Search) Children() []Expr { return append(append([]Expr{}, e.Unit...), e.Query) }

func (e *Search) String() string {
	name, column := "match", e.Column
	if e.Score {
		name = "bm25"
	}
	if e.Corpus == "" {
		column = e.Unit[0].String()
	}
	return name + "(" + column + ", " + e.Query.String() + ")"
}

// Found runs the search; nil if its query is NULL.
func (e *Search) Found(env *Env) (Found, error) {
	q, err := e.Query.At(env, &value.Batch{N: 1}, 0)
	if err != nil || q.IsNull() {
		return nil, err
	}
	return env.Search.Search(env, e.Target, q.String(), e.Score)
}

// At looks up the result of a row.
func (e *Search) At(env *Env, b *value.Batch, i int) (value.Value, error) {
	f, err := e.Found(env)
	if err != nil || f == nil {
		return value.Value{}, err
	}
	return e.evalRow(f, env, b, i)
}

func (e *Search) evalRow(f Found, env *Env, b *value.Batch, i int) (value.Value, error) {
	doc, err := e.Unit[0].At(env, b, i)
	if err != nil || doc.IsNull() {
		return value.Value{}, err
	}
	if e.Corpus == "" {
		found, err := f.Text(env, doc.String())
		return value.Bool(found), err
	}
	row := value.Int(0)
	if len(e.Unit) > 1 {
		if row, err = e.Unit[1].At(env, b, i); err != nil {
			return value.Value{}, err
		}
	}
	score, ok, err := f.Find(doc.Int(), row.Int())
	if e.Score {
		return value.Real(score), err
	}
	return value.Bool(ok), err
}

// vector looks up the results of all rows of a batch.
func (e *Search) vector(env *Env, b *value.Batch) (value.Vec, error) {
	f, err := e.Found(env)
	if err != nil {
		return value.Vec{}, err
	}
	out := make([]value.Value, b.N)
	for i := 0; f != nil && i < b.N; i++ {
		if out[i], err = e.evalRow(f, env, b, i); err != nil {
			return value.Vec{}, err
		}
	}
	return value.FromValues(e.Type(), out), nil
}

package bind

import (
	"fmt"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/fault"
	"parlance/query/fn"
	"parlance/query/plan"
	"parlance/storage/fulltext"
	"parlance/storage/value"
)

// bindSearch binds match(column, query), bm25(column, query) and bm25().
func (b *Binder) bindSearch(e *ast.Call, s *scope) (expr.Expr, error) {
	score := b.Catalog.Declared.Functions.Scalar(e.Name).Name == fn.Score
	if score && len(e.Args) == 0 {
		return b.scoreOfWhere(e, s)
	}
	if len(e.Args) != 2 || e.Args[0].Name != "" || e.Args[1].Name != "" {
		return nil, plan.Errorf(e.Pos, plan.CodeUndefinedFunction, "", "%s takes %s", e.Name,
			b.Catalog.Declared.Functions.Scalar(e.Name).Signature())
	}
	q, err := b.searchQuery(e.Args[1].Value, s)
	if err != nil {
		return nil, err
	}
	x, err := b.searchUnit(e.Args[0].Value, s)
	if err != nil {
		return nil, err
	}
	x.Query, x.Score = q, score
	if score && !x.Indexed {
		if x.Corpus == "" {
			return nil, plan.Errorf(e.Pos, plan.CodeFeature, "give it a column of a corpus that has a full-text index",
				"bm25() cannot score %s, which has no index", e.Args[0].Value)
		}
		return nil, plan.Errorf(e.Pos, plan.CodeState, "CREATE FULLTEXT INDEX ON "+indexTarget(x.Target),
			"bm25() needs a full-text index")
	}
	if !score {
		s.searches = append(s.searches, x)
	}
	return x, nil
}

// indexTarget is what an index on a target is made ON.
func indexTarget(t expr.Target) string {
	if t.Layer == "" {
		return fmt.Sprintf("%s (%s)", t.Corpus, t.Column)
	}
	return fmt.Sprintf("%s.%s (%s)", t.Corpus, t.Layer, t.Column)
}

// searchQuery binds a query, which is the same for all rows, and checks it where it is known.
func (b *Binder) searchQuery(e ast.Expr, s *scope) (expr.Expr, error) {
	q, err := b.bind(e, s)
	if err != nil {
		return nil, err
	}
	if t := q.Type(); t != value.Text && t != value.Null {
		return nil, plan.Errorf(e.Position(), plan.CodeType, "", "a search is text, not %s", t)
	}
	if len(expr.Columns(q)) > 0 {
		return nil, plan.Errorf(e.Position(), plan.CodeFeature, "write the search as a text or a parameter",
			"a search must not depend on the row")
	}
	if v, ok := expr.ConstantValue(q); ok && !v.IsNull() {
		if _, err := fulltext.Parse(v.String()); err != nil {
			return nil, fault.FromSearch(e.Position(), err)
		}
	}
	return q, nil
}

// searchUnit finds what a search looks at. Columns that are stored are searched by the tokens
// of their documents, other texts are cut.
func (b *Binder) searchUnit(e ast.Expr, s *scope) (*expr.Search, error) {
	if c, ok := e.(*ast.Column); ok && !s.grouped {
		if i, err := s.find(c); err == nil {
			if x, err := b.searchColumn(c, s, i); x != nil || err != nil {
				return x, err
			}
		}
	}
	x, err := b.bind(e, s)
	if err != nil {
		return nil, err
	}
	if t := x.Type(); t != value.Text && t != value.Null {
		return nil, plan.Errorf(e.Position(), plan.CodeType, "", "%s is %s, match() searches text", e, t)
	}
	return &expr.Search{Target: expr.Target{Tokenizer: b.tokenizerOf(x, s)}, Unit: []expr.Expr{x}}, nil
}

// tokenizerOf is the tokeniser of the corpus that a text comes from, or the default one.
func (b *Binder) tokenizerOf(x expr.Expr, s *scope) string {
	for _, i := range expr.Columns(x) {
		if n := s.cols[i].Origin; n != nil && n.Corpus != nil && n.Corpus.Options["tokenizer"] != "" {
			return n.Corpus.Options["tokenizer"]
		}
	}
	return b.Catalog.Tokenizer(nil)
}

// searchColumn makes a search of column i, if its texts are stored as tokens of a corpus; else
// nil.
func (b *Binder) searchColumn(e *ast.Column, s *scope, i int) (*expr.Search, error) {
	c := s.cols[i]
	n := c.Origin
	if n == nil || n.Corpus == nil {
		return nil, nil
	}
	t := expr.Target{Corpus: n.Corpus.Name, Column: c.Name}
	rows := false
	switch {
	case n.Def == nil || c.Document:
		if c.Name != "text" {
			return nil, nil
		}
	case c.Type != value.Text || n.Def.Index(c.Name) < 0:
		return nil, nil
	case n.Call != nil:
		return nil, nil
	case n.Name == "tokens" && len(n.Models) > 0:
		return nil, plan.Errorf(e.Pos, plan.CodeFeature, "match(document.text, …) searches the text",
			"match() cannot search %s of tokens that a model annotates", c.Name)
	case n.Name == "tokens":
		t.Layer = n.Name
	case len(n.Models) > 0 || c.Name != "text" || n.Def.Index("char_start") < 0 || n.Def.Index("char_end") < 0:
		return nil, nil
	default:
		t.Layer, rows = n.Name, true
	}
	t.Indexed = b.Catalog.fulltext(n.Corpus, t.Layer, t.Column)
	x := &expr.Search{Target: t}
	for k, col := range s.cols {
		if col.Origin == n && col.Number && (rows || col.Document) {
			if s.mark != nil {
				s.mark(k)
			}
			x.Unit = append(x.Unit, &expr.Col{Index: k, Name: "number", T: value.Integer})
		}
	}
	return x, nil
}

// scoreOfWhere binds bm25(): the score of the one match() in WHERE.
func (b *Binder) scoreOfWhere(e *ast.Call, s *scope) (expr.Expr, error) {
	var found *expr.Search
	for _, x := range s.searches {
		if found != nil && !expr.Equal(found, x) {
			return nil, plan.Errorf(e.Pos, plan.CodeAmbiguous, "write bm25(column, 'query')",
				"bm25() is the score of match() in WHERE, and there are several")
		}
		found = x
	}
	if found == nil {
		return nil, plan.Errorf(e.Pos, plan.CodeInvalid, "WHERE match(text, 'query'), or write bm25(text, 'query')",
			"bm25() is the score of match() in WHERE of the same SELECT, and there is none")
	}
	if !found.Indexed {
		if found.Corpus == "" {
			return nil, plan.Errorf(e.Pos, plan.CodeFeature, "search a column of a corpus that has a full-text index",
				"bm25() cannot score what has no index")
		}
		return nil, plan.Errorf(e.Pos, plan.CodeState, "CREATE FULLTEXT INDEX ON "+indexTarget(found.Target),
			"bm25() needs a full-text index")
	}
	x := *found
	x.Score = true
	return &x, nil
}

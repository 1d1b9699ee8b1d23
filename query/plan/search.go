package plan

import (
	"errors"
	"fmt"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/fn"
	"parlance/storage/fulltext"
	"parlance/storage/value"
)

// numbers adds hidden columns that tell documents, and rows of a layer within them, apart.
func (n *Layer) numbers() {
	for i := range n.cols {
		n.cols[i].origin = n
	}
	if n.Corpus == nil {
		return
	}
	n.cols = append(n.cols, Column{Table: n.Alias, Type: value.Integer, Hidden: true, Document: true, origin: n, number: true})
	if n.Def != nil {
		n.cols = append(n.cols, Column{Table: n.Alias, Type: value.Integer, Hidden: true, origin: n, number: true})
	}
}

// Number reports whether column i is the number of the document, or of the row within it.
func (n *Layer) Number(i int) bool { return n.cols[i].number }

// Search returns the search that chooses what is read by an index, or nil.
func (n *Layer) Search() *expr.Search {
	for _, c := range n.DocFilter {
		if s, ok := c.(*expr.Search); ok && s.Indexed {
			return s
		}
	}
	return n.RowSearch
}

// OtherConditions returns the conditions on documents besides the search.
func (n *Layer) OtherConditions() []expr.Expr {
	s := n.Search()
	var out []expr.Expr
	for _, c := range n.DocFilter {
		if c != expr.Expr(s) {
			out = append(out, c)
		}
	}
	return out
}

// bindSearch binds match(column, query), bm25(column, query) and bm25().
func (b *Binder) bindSearch(e *ast.Call, s *scope) (expr.Expr, error) {
	score := b.Catalog.Functions().Scalar(e.Name).Name == fn.Score
	if score && len(e.Args) == 0 {
		return b.scoreOfWhere(e, s)
	}
	if len(e.Args) != 2 || e.Args[0].Name != "" || e.Args[1].Name != "" {
		return nil, Errorf(e.Pos, CodeUndefinedFunction, "", "%s takes %s", e.Name, b.Catalog.Functions().Scalar(e.Name).Signature())
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
			return nil, Errorf(e.Pos, CodeFeature, "give it a column of a corpus that has a full-text index", "bm25() cannot score %s, which has no index", e.Args[0].Value)
		}
		return nil, Errorf(e.Pos, CodeState, "CREATE FULLTEXT INDEX ON "+indexed(x.Target), "bm25() needs a full-text index")
	}
	if !score {
		s.searches = append(s.searches, x)
	}
	return x, nil
}

// indexed is what an index on a target is made ON.
func indexed(t expr.Target) string {
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
		return nil, Errorf(e.Position(), CodeType, "", "a search is text, not %s", t)
	}
	if len(expr.Columns(q)) > 0 {
		return nil, Errorf(e.Position(), CodeFeature, "write the search as a text or a parameter", "a search must not depend on the row")
	}
	if v, ok := constant(q); ok && !v.IsNull() {
		if _, err := fulltext.Parse(v.String()); err != nil {
			return nil, SearchError(e.Position(), err)
		}
	}
	return q, nil
}

// SearchError tells of a malformed search.
func SearchError(pos ast.Pos, err error) error {
	var f *fulltext.SyntaxError
	if errors.As(err, &f) {
		return Errorf(pos, CodeInvalid, f.Hint, "%v", f)
	}
	return err
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
		return nil, Errorf(e.Position(), CodeType, "", "%s is %s, match() searches text", e, t)
	}
	return &expr.Search{Target: expr.Target{Tokenizer: b.tokenizerOf(x, s)}, Unit: []expr.Expr{x}}, nil
}

// tokenizerOf is the tokeniser of the corpus that a text comes from, or the default one.
func (b *Binder) tokenizerOf(x expr.Expr, s *scope) string {
	for _, i := range expr.Columns(x) {
		if n := s.cols[i].origin; n != nil && n.Corpus != nil && n.Corpus.Options["tokenizer"] != "" {
			return n.Corpus.Options["tokenizer"]
		}
	}
	return b.Catalog.Tokenizer(nil)
}

// searchColumn makes a search of column i, if its texts are stored as tokens of a corpus; else
// nil.
func (b *Binder) searchColumn(e *ast.Column, s *scope, i int) (*expr.Search, error) {
	c := s.cols[i]
	n := c.origin
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
		return nil, Errorf(e.Pos, CodeFeature, "match(document.text, …) searches the text", "match() cannot search %s of tokens that a model annotates", c.Name)
	case n.Name == "tokens":
		t.Layer = n.Name
	case len(n.Models) > 0 || c.Name != "text" || n.Def.Index("char_start") < 0 || n.Def.Index("char_end") < 0:
		return nil, nil
	default:
		t.Layer, rows = n.Name, true
	}
	t.Indexed = b.Catalog.Fulltext(n.Corpus, t.Layer, t.Column)
	x := &expr.Search{Target: t}
	for k, col := range s.cols {
		if col.origin == n && col.number && (rows || col.Document) {
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
		if found != nil && !equal(found, x) {
			return nil, Errorf(e.Pos, CodeAmbiguous, "write bm25(column, 'query')", "bm25() is the score of match() in WHERE, and there are several")
		}
		found = x
	}
	if found == nil {
		return nil, Errorf(e.Pos, CodeInvalid, "WHERE match(text, 'query'), or write bm25(text, 'query')", "bm25() is the score of match() in WHERE of the same SELECT, and there is none")
	}
	if !found.Indexed {
		if found.Corpus == "" {
			return nil, Errorf(e.Pos, CodeFeature, "search a column of a corpus that has a full-text index", "bm25() cannot score what has no index")
		}
		return nil, Errorf(e.Pos, CodeState, "CREATE FULLTEXT INDEX ON "+indexed(found.Target), "bm25() needs a full-text index")
	}
	x := *found
	x.Score = true
	return &x, nil
}

// rowSearch notes a search among conditions on rows, so that only documents with such rows are
// read. The condition stays.
func (n *Layer) rowSearch(conds []expr.Expr) {
	for _, c := range conds {
		s, ok := c.(*expr.Search)
		if !ok || !s.Indexed || len(n.Models) > 0 || n.RowSearch != nil {
			continue
		}
		if len(s.Unit) > 1 && s.Corpus == n.Corpus.Name && s.Layer == n.Name {
			n.RowSearch = s
		}
	}
}

// searchRule reads the rows with the highest scores only, where a search chooses and its score
// orders them.
func searchRule(root Node) {
	each(root, func(n Node) {
		l, ok := n.(*Limit)
		if !ok || l.bound() == 0 {
			return
		}
		sorted, ok := l.Input.(*Sort)
		if !ok || !sorted.Keys[0].Desc {
			return
		}
		p, ok := sorted.Input.(*Project)
		if !ok {
			return
		}
		score, ok := p.Exprs[sorted.Keys[0].Col].(*expr.Search)
		if !ok || !score.Score {
			return
		}
		if below := searched(p.Input, score); below != nil {
			below.Top = l.bound()
		}
	})
}

// searched returns the layer whose rows at n are the hits of a search, but those of documents
// that other conditions of the layer refuse; nil if there is none.
func searched(n Node, score *expr.Search) *Layer {
	match := *score
	match.Score = false
	switch n := n.(type) {
	case *Layer:
		if n.Def == nil && n.Search() != nil && equal(n.Search(), &match) {
			return n
		}
	case *Filter:
		if l, ok := n.Input.(*Layer); ok && l.RowSearch != nil && len(l.DocFilter) == 0 && equal(n.Cond, l.RowSearch) && equal(n.Cond, &match) {
			return l
		}
	}
	return nil
}

package exec

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"parlance/query/ast"
	"parlance/query/document"
	"parlance/query/expr"
	"parlance/query/fault"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/catalog"
	"parlance/storage/documents"
	"parlance/storage/fulltext"
	"parlance/storage/textindex"
)

// Searcher runs the full-text searches of a statement on its snapshot, each once.
type Searcher struct {
	R    *Execution
	mu   sync.Mutex
	memo map[searchKey]*searchResult
}

type searchKey struct {
	target expr.Target
	query  string
}

// searchResult is the result of a search: the hits of an index, or without one a matcher that reads a document when it
// is asked for it.
type searchResult struct {
	r      *Execution
	search *fulltext.Search
	hits   *textindex.Hits // nil without index
	scored bool
	fold   func(string) string
	begin  func(string) string // fold for prefixes
	cut    func(string) ([]string, error)
	corpus *catalog.Object
	index  documents.FulltextIndex // that there is, or that would serve
	mu     sync.Mutex
	seq    uint64 // of the document that was asked for last
	rows   []bool // which of its units match
}

// Search runs a search, or returns its result if it has run before.
func (s *Searcher) Search(env *expr.Env, t expr.Target, query string, score bool) (expr.Found, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := searchKey{t, query}
	if f := s.memo[key]; f != nil && (f.scored || !score) {
		return f, nil
	}
	f, err := s.R.runSearch(env.Ctx, t, query, score)
	if err != nil {
		return nil, err
	}
	if s.memo == nil {
		s.memo = map[searchKey]*searchResult{}
	}
	if t.Corpus != "" && !t.Indexed && s.memo[key] == nil {
		s.R.Session.Notice(fmt.Sprintf("match() reads the documents one by one; "+
			"CREATE FULLTEXT INDEX ON %s (%s) makes it fast", qualified(t), t.Column))
	}
	s.memo[key] = f
	return f, nil
}

// qualified is the name of the layer or corpus that is searched.
func qualified(t expr.Target) string {
	if t.Layer == "" {
		return t.Corpus
	}
	return t.Corpus + "." + t.Layer
}

// runSearch prepares a search, and runs it if there is an index.
func (r *Execution) runSearch(ctx context.Context, t expr.Target, query string, score bool) (*searchResult, error) {
	f := &searchResult{r: r, scored: score, fold: strings.ToLower, begin: strings.ToLower,
		index: documents.FulltextIndex{Layer: t.Layer, Column: t.Column, Case: "lower"}}
	tokenizer := t.Tokenizer
	if t.Corpus != "" {
		o, ok := r.Snapshot.Object(t.Corpus)
		if !ok {
			return nil, fault.New(plan.CodeUndefinedTable, "there is no corpus %s", t.Corpus)
		}
		f.corpus, tokenizer = o, document.TokenizerOf(o)
		if t.Indexed {
			if f.index, ok = r.Snapshot.Indexed(o, t.Layer, t.Column); !ok {
				return nil, fault.New(plan.CodeState, "the full-text index on %s (%s) was dropped",
					qualified(t), t.Column)
			}
		}
		f.fold, f.begin = f.index.Fold, f.index.FoldCase
	}
	f.cut = func(s string) ([]string, error) { return strings.Fields(s), nil }
	if t.Corpus == "" || f.index.Forms() {
		f.cut = func(s string) ([]string, error) { return r.Documents.Forms(ctx, s, tokenizer) }
	}
	q, err := fulltext.Parse(query)
	if err == nil {
		f.search, err = q.Compile(f.cut, f.fold, f.begin)
	}
	if err != nil {
		return nil, fault.FromSearch(ast.Pos{}, err)
	}
	if t.Indexed {
		f.hits, err = r.Snapshot.Search(ctx, f.corpus, t.Layer, t.Column, f.search, score)
	}
	return f, err
}

// Find reports whether a unit matches, with its score: it looks it up among the hits, or reads its document.
func (f *searchResult) Find(doc, row int64) (float64, bool, error) {
	if f.hits != nil {
		h, ok := f.hits.Find(uint64(doc), int32(row))
		return h.Score, ok, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.rows == nil || f.seq != uint64(doc) {
		if err := f.read(uint64(doc)); err != nil {
			return 0, false, err
		}
	}
	return 0, row < int64(len(f.rows)) && f.rows[row], nil
}

// read reads a document and matches its units.
func (f *searchResult) read(seq uint64) error {
	d, err := f.r.Snapshot.Document(f.r.Env.Ctx, f.corpus, seq, f.index.Want())
	if errors.Is(err, storage.ErrNotFound) {
		return fmt.Errorf("document %d of %s is gone", seq, f.corpus.Name)
	}
	if err != nil {
		return err
	}
	f.seq, f.rows = seq, []bool{}
	for _, terms := range f.index.Terms(d) {
		ok, err := f.search.Match(f.r.Env.Ctx, terms)
		if err != nil {
			return err
		}
		f.rows = append(f.rows, ok)
	}
	return nil
}

// Text reports whether a text matches.
func (f *searchResult) Text(env *expr.Env, content string) (bool, error) {
	tokens, err := f.cut(content)
	if err != nil {
		return false, err
	}
	terms := make([]string, len(tokens))
	for i, t := range tokens {
		terms[i] = f.fold(t)
	}
	return f.search.Match(env.Ctx, terms)
}

// searchHits returns the hits of the search of a node by its index, only the best if the plan needs no more. ok is
// false if no search by index chooses the documents.
func (r *Execution) searchHits(n *plan.Layer, conds []expr.Expr) (h *textindex.Hits, ok bool, err error) {
	s := n.RowSearch
	for _, c := range conds {
		if x, is := c.(*expr.Search); is && x.Indexed && !x.Score {
			s = x
			break
		}
	}
	if s == nil || n.Corpus == nil {
		return nil, false, nil
	}
	x := *s
	x.Score = n.Top > 0
	f, err := x.Found(r.Env)
	if err != nil {
		return nil, false, err
	}
	if f == nil { // the query is NULL
		return &textindex.Hits{}, true, nil
	}
	h = f.(*searchResult).hits
	if n.Top > 0 {
		h, err = r.topHits(n, h, s, conds)
	}
	return h, true, err
}

// SearchNote is what EXPLAIN adds to the line of a node that searches by an index.
func (r *Execution) SearchNote(n plan.Node) string {
	l, ok := n.(*plan.Layer)
	if !ok || l.Search() == nil || len(l.Models) > 0 {
		return ""
	}
	h, ok, err := r.searchHits(l, l.DocFilter)
	if err != nil || !ok {
		return ""
	}
	what := "documents"
	if len(l.Search().Unit) > 1 {
		what = "rows"
	}
	return fmt.Sprintf("  estimated %s=%d", what, len(h.List))
}

// topFactor is by how many times more hits are tried if too few of the best meet the other conditions.
const topFactor = 8

// topHits returns the hits with the n.Top highest scores among those whose documents meet the conditions besides the
// search. It reads documents of the best hits only, and of these what the conditions need.
func (r *Execution) topHits(
	n *plan.Layer, h *textindex.Hits, search *expr.Search, conds []expr.Expr,
) (*textindex.Hits, error) {
	var others []expr.Expr
	for _, c := range conds {
		if c != expr.Expr(search) {
			others = append(others, c)
		}
	}
	if len(others) == 0 {
		return h.Top(n.Top), nil
	}
	for k := 4 * n.Top; ; k *= topFactor {
		tried := h.Top(k)
		kept, err := r.filterHits(r.Env.Ctx, n, tried, others)
		if err != nil {
			return nil, err
		}
		if len(kept.List) >= n.Top || len(tried.List) == len(h.List) {
			return kept.Top(n.Top), nil
		}
	}
}

// filterHits returns the hits whose documents meet conditions.
func (r *Execution) filterHits(
	ctx context.Context, n *plan.Layer, h *textindex.Hits, conds []expr.Expr,
) (*textindex.Hits, error) {
	want := documents.Want{IDs: true}
	for _, i := range expr.Columns(expr.And(conds)) {
		switch name := n.Columns()[i].Name; {
		case n.Number(i) || name == "id":
		case name == "text":
			want.Text = true
		default:
			want.Fields = append(want.Fields, name)
		}
	}
	good := map[uint64]bool{}
	for _, id := range h.Segments {
		sg, err := r.Snapshot.Segment(ctx, n.Corpus, id, want)
		if err != nil {
			return nil, err
		}
		docs, err := r.filterDocuments(sg.Documents(), conds, n)
		if err != nil {
			return nil, err
		}
		for _, d := range docs {
			good[d.Seq] = true
		}
	}
	return h.Keep(func(x *textindex.Hit) bool { return good[x.Seq] }), nil
}

package repl

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parlance/db"
	"parlance/query/ast"
	"parlance/query/parse"
	"parlance/storage/value"
)

// withText adds the text that spans are in to rows that lack it, so that they can be drawn: that of a corpus whose
// layer the statement selects from, sentence by sentence, or the text that it gives. Rows that are no spans, or whose
// text is not known, and more than mostKept rows stay as they are.
func (r *runner) withText(ctx context.Context, statement string, all rows) (rows, error) {
	corpus, expr := sourceOf(statement)
	at := func(name string) int {
		return slices.IndexFunc(all.Columns(), func(c db.Column) bool { return c.Name == name })
	}
	start := max(at("char_start"), at("subject_start"))
	if corpus == "" && expr == "" || start < 0 || at("node") >= 0 || at("document_text") >= 0 || at("sentence_text") >= 0 {
		return all, nil
	}
	var list [][]value.Value
	for len(list) < mostKept && all.Next() {
		list = append(list, slices.Clone(all.Values()))
	}
	if err := all.Err(); err != nil || len(list) == mostKept {
		return &replayed{rows: all, first: list}, err
	}
	if err := all.Close(); err != nil {
		return nil, err
	}
	p := panel{columns: slices.Clone(all.Columns()), list: list}
	if expr != "" {
		r.givenText(ctx, &p, expr)
	} else if doc := at("doc"); doc >= 0 {
		s := &spanText{runner: r, corpus: ast.QuoteName(corpus), doc: doc, sent: at("sent"), start: start,
			end: max(at("char_end"), at("object_end"))}
		s.add(ctx, &p)
	}
	return p.rows(all), nil
}

// sourceOf is the corpus whose layer is the first that a statement selects from, or the expression of the text that it
// gives; both empty for others.
func sourceOf(statement string) (corpus, expr string) {
	st, err := parse.Parse(statement)
	s, ok := st.(*ast.Select)
	if err != nil || !ok || len(s.Unions) > 0 || len(s.GroupBy) > 0 || len(s.From) == 0 {
		return "", ""
	}
	ref := s.From[0]
	for {
		switch t := ref.(type) {
		case *ast.Join:
			ref = t.Left
			continue
		case *ast.Table:
			if t.Ref.Text != nil {
				return "", fmt.Sprint(t.Ref.Text)
			}
			if t.Ref.Path != "" && t.Ref.Database == "" && t.Ref.Version == "" && !t.Ref.HasArgs {
				return t.Ref.Name, ""
			}
		}
		return "", ""
	}
}

// givenText adds the value of an expression as the text of all rows.
func (r *runner) givenText(ctx context.Context, p *panel, expr string) {
	found := r.ask(ctx, "SELECT "+expr)
	if len(found) != 1 || found[0][0].T != value.Text {
		return
	}
	p.columns = append(p.columns, db.Column{Name: "document_text", Type: value.Text.String()})
	for i := range p.list {
		p.list[i] = append(p.list[i], found[0][0])
	}
}

// ask are the rows of a query of the shell itself, none if it fails; its notices are not shown.
func (r *runner) ask(ctx context.Context, query string) (out [][]value.Value) {
	was := r.quiet
	r.quiet = true
	defer func() { r.quiet = was }()
	found, err := r.conn.Query(ctx, query)
	if err != nil {
		return nil
	}
	for found.Next() {
		out = append(out, slices.Clone(found.Values()))
	}
	if found.Err() != nil || found.Close() != nil {
		return nil
	}
	return out
}

// spanText finds the text of spans of a corpus.
type spanText struct {
	*runner
	corpus                string
	doc, sent, start, end int // columns; -1 for none
}

// add adds the text of the sentences of spans where they are known, else that of the documents.
func (s *spanText) add(ctx context.Context, p *panel) {
	ids := s.documents(p)
	if ids == "" || s.sentences(ctx, p, ids) {
		return
	}
	texts := map[string]value.Value{}
	for _, row := range s.ask(ctx, "SELECT id, text FROM "+s.corpus+" WHERE id IN ("+ids+")") {
		texts[row[0].String()] = row[1]
	}
	for _, row := range p.list {
		if _, ok := texts[row[s.doc].String()]; !ok {
			return
		}
	}
	p.columns = append(p.columns, db.Column{Name: "document_text", Type: value.Text.String()})
	for i, row := range p.list {
		p.list[i] = append(row, texts[row[s.doc].String()])
	}
}

// documents are the ids of the documents of rows as a list of the language.
func (s *spanText) documents(p *panel) string {
	var ids []string
	for _, row := range p.list {
		ids = append(ids, quote(row[s.doc].String()))
	}
	slices.Sort(ids)
	return strings.Join(slices.Compact(ids), ", ")
}

// sentences adds the text of the sentence of each span, and puts rows in order; false if one is not known or a span is
// not within it.
func (s *spanText) sentences(ctx context.Context, p *panel, ids string) bool {
	if s.sent < 0 || s.end < 0 {
		return false
	}
	type sentence struct {
		start int64
		text  value.Value
		ends  int64
	}
	known := map[string]sentence{}
	key := func(doc, sent value.Value) string { return strconv.Quote(doc.String()) + " " + sent.String() }
	for _, row := range s.ask(ctx, "SELECT doc, sent, char_start, text, char_end FROM "+s.corpus+".sentences WHERE "+
		"doc IN ("+ids+")") {
		known[key(row[0], row[1])] = sentence{row[2].Int(), row[3], row[4].Int()}
	}
	for _, row := range p.list {
		x, ok := known[key(row[s.doc], row[s.sent])]
		if !ok || row[s.start].T != value.Integer || row[s.end].T != value.Integer || row[s.start].Int() < x.start ||
			row[s.end].Int() > x.ends {
			return false
		}
	}
	p.columns = append(p.columns, db.Column{Name: "sentence_start", Type: value.Integer.String()},
		db.Column{Name: "sentence_text", Type: value.Text.String()})
	for i, row := range p.list {
		x := known[key(row[s.doc], row[s.sent])]
		p.list[i] = append(row, value.Int(x.start), x.text)
	}
	slices.SortStableFunc(p.list, func(a, b []value.Value) int {
		return cmp.Compare(a[s.doc].String(),
			b[s.doc].String())
	})
	return true
}

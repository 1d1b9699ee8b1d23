package change

import (
	"errors"

	"parlance/query/ast"
)

// predictedLabels is the select that COPY corpus USING model writes in a format of rows: the documents with the columns
// label and prob of what the model predicts for them, a row for each label; NULL for a document without one.
//
//	SELECT d.*, p.label, p.prob
//	FROM (SELECT * FROM corpus WHERE …) d LEFT JOIN corpus.labels p USING model ON p.doc = d.id
func predictedLabels(s *ast.CopyTo) *ast.Select {
	column := func(table, name string) *ast.Column { return &ast.Column{Pos: s.Pos, Parts: []string{table, name}} }
	table := func(ref ast.Ref, alias string, using []ast.ModelRef) *ast.Table {
		return &ast.Table{Pos: s.From.Pos, Ref: ref, Alias: alias, Using: using}
	}
	documents := &ast.Select{Pos: s.Pos, Items: []ast.Item{{Pos: s.Pos, Expr: &ast.Star{Pos: s.Pos}}}, Where: s.Where,
		From: []ast.TableRef{table(ast.Ref{Pos: s.From.Pos, Name: s.From.Name}, "", nil)}}
	return &ast.Select{Pos: s.Pos,
		Items: []ast.Item{{Pos: s.Pos, Expr: &ast.Star{Pos: s.Pos, Qualifier: []string{"d"}}},
			{Pos: s.Pos, Expr: column("p", "label")}, {Pos: s.Pos, Expr: column("p", "prob")}},
		From: []ast.TableRef{&ast.Join{Pos: s.From.Pos, Kind: "LEFT",
			Left:  table(ast.Ref{Pos: s.From.Pos, Select: documents}, "d", nil),
			Right: table(ast.Ref{Pos: s.From.Pos, Name: s.From.Name, Path: "labels"}, "p", s.Using),
			On:    &ast.Binary{Pos: s.Pos, Op: "=", X: column("p", "doc"), Y: column("d", "id")}}}}
}

// ofSpans adds to the error of a model that labels no documents how its rows are written.
func ofSpans(s *ast.CopyTo, err error) error {
	var e *ast.Error
	if !errors.As(err, &e) || e.Code != "42809" {
		return err
	}
	out := *e
	out.Hint += "; COPY (SELECT * FROM " + ast.QuoteName(s.From.Name) +
		".layer USING model) TO … writes the rows of a layer"
	return &out
}

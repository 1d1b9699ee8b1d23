package engine

import (
	"slices"

	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/change"
	"parlance/query/plan"
	"parlance/storage/value"
)

// parameters are the types of the parameters of a statement that is no query. Errors of the statement are not reported
// here, but when it runs.
func (r *execution) parameters(stmt ast.Statement) bind.Parameters {
	types := r.changeParameters(stmt)
	for _, o := range r.optionsOf(stmt) {
		o.note(&types)
	}
	return types
}

// changeParameters are the parameters of expressions of a statement. Those of an UPDATE are found by binding a query
// that compares each column with its new value.
func (r *execution) changeParameters(stmt ast.Statement) bind.Parameters {
	switch s := stmt.(type) {
	case *ast.Train:
		return r.inputParameters(s.On, s.Validate)
	case *ast.Tune:
		types := r.inputParameters(s.On, s.Validate)
		for _, x := range []ast.Expr{s.Folds, s.Sample} {
			types.Add(number(x))
		}
		return types
	case *ast.Evaluate:
		if a := s.Against; a != nil {
			return r.inputParameters([]ast.Input{{Pos: a.Pos, Name: a.Name, Where: a.Where}})
		}
		return r.inputParameters(s.On)
	case *ast.DiffModels:
		return r.inputParameters(s.On)
	case *ast.Explain:
		if q, ok := s.Statement.(*ast.Select); ok {
			return r.selectParameters(q)
		}
		return r.parameters(s.Statement)
	case *ast.CancelStatement:
		return number(s.Statement)
	case *ast.CancelSession:
		return number(s.Session)
	case *ast.CancelJob:
		return number(s.Job)
	case *ast.ResumeJob:
		return number(s.Job)
	case *ast.Insert:
		return r.insertParameters(s)
	case *ast.Update:
		return r.changeComparison(s.Table, s.Alias, s.From, s.Where, s.Set, s.Returning)
	case *ast.Delete:
		return r.changeComparison(s.From, s.Alias, s.Using, s.Where, nil, s.Returning)
	case *ast.CopyTo:
		if s.Select != nil {
			return r.selectParameters(s.Select)
		}
		return r.inputParameters([]ast.Input{{Pos: s.Pos, Name: s.From.Name, Path: s.From.Layer, Where: s.Where}})
	case *ast.Annotate:
		return r.inputParameters([]ast.Input{{Pos: s.Pos, Name: s.Corpus, Where: s.Where}})
	case *ast.Declare:
		return r.selectParameters(s.Select)
	case *ast.CreateUser:
		return passwordParameter(s.Password)
	case *ast.AlterUser:
		return passwordParameter(s.Password)
	}
	return nil
}

// number is the parameter of a statement whose only argument is a number.
func number(e ast.Expr) bind.Parameters {
	var types bind.Parameters
	if p, ok := e.(*ast.Param); ok {
		types.Note(p.Index, bind.Parameter{Type: value.Integer})
	}
	return types
}

// inputParameters are the parameters in the conditions of inputs.
func (r *execution) inputParameters(lists ...[]ast.Input) bind.Parameters {
	var types bind.Parameters
	for _, in := range slices.Concat(lists...) {
		if in.Where != nil {
			types.Add(r.comparison(ast.Target{Pos: in.Pos, Name: in.Name, Layer: in.Path}, "", in.Where, nil))
		}
	}
	return types
}

func (r *execution) insertParameters(s *ast.Insert) bind.Parameters {
	types := r.insertedParameters(s)
	if s.Conflict == "UPDATE" {
		proposed := &ast.Table{Alias: plan.Excluded, Ref: ast.Ref{Name: s.Into.Name, Path: s.Into.Layer}}
		types.Add(r.changeComparison(s.Into, s.Alias, []ast.TableRef{proposed}, s.Where, s.Set, nil))
	}
	return types
}

// insertedParameters are the parameters of the rows to insert and of RETURNING.
func (r *execution) insertedParameters(s *ast.Insert) bind.Parameters {
	if s.Select != nil {
		types := r.selectParameters(s.Select, r.insertedColumns(s)...)
		types.Add(r.comparison(s.Into, s.Alias, nil, nil, s.Returning...))
		return types
	}
	var types bind.Parameters
	columns := r.insertedColumns(s)
	for _, row := range s.Values {
		for i, x := range row {
			if p, ok := x.(*ast.Param); ok && i < len(columns) {
				types.Note(p.Index, bind.Parameter{Type: columns[i].Type})
			}
		}
	}
	types.Add(r.comparison(s.Into, s.Alias, nil, nil, s.Returning...))
	return types
}

// insertedColumns are the columns that an INSERT fills, also those of a layer that is not stored yet.
func (r *execution) insertedColumns(s *ast.Insert) []plan.Column {
	o, err := change.Target(r.Execution, s.Into)
	if err != nil {
		return nil
	}
	n, err := change.TargetNode(r.Execution, o, s.Into, "")
	if err != nil {
		return nil
	}
	if len(s.Columns) == 0 {
		return slices.DeleteFunc(slices.Clone(n.Columns()), func(c plan.Column) bool { return c.Hidden })
	}
	out := make([]plan.Column, len(s.Columns))
	for i, name := range s.Columns {
		if k := slices.IndexFunc(n.Columns(), func(c plan.Column) bool { return c.Name == name }); k >= 0 {
			out[i] = n.Columns()[k]
		}
	}
	return out
}

func (r *execution) comparison(t ast.Target, alias string, where ast.Expr, items []ast.Expr,
	more ...ast.Item) bind.Parameters {
	sel := starOf(t, alias)
	sel.Where, sel.Items = where, append(sel.Items, more...)
	for _, x := range items {
		sel.Items = append(sel.Items, ast.Item{Expr: x})
	}
	return r.selectParameters(sel)
}

// changeComparison is comparison with tables in FROM. Columns on the left of SET are those of the target.
func (r *execution) changeComparison(t ast.Target, alias string, tables []ast.TableRef, where ast.Expr,
	set []ast.Assignment, more []ast.Item) bind.Parameters {
	sel := starOf(t, alias)
	sel.Where, sel.Items, sel.From = where, append(sel.Items, more...), append(sel.From, tables...)
	known := alias
	if known == "" {
		known = t.Name
		if t.Layer != "" {
			known = t.Layer
		}
	}
	for _, a := range set {
		column := &ast.Column{Parts: []string{known, a.Column}}
		sel.Items = append(sel.Items, ast.Item{Expr: &ast.Binary{Op: "=", X: column, Y: a.Value}})
	}
	return r.selectParameters(sel)
}

// selectParameters are the parameters of a select. If its rows are inserted, those that are a column of it have the
// type of the column that they fill.
func (r *execution) selectParameters(sel *ast.Select, fills ...plan.Column) bind.Parameters {
	b := r.Binder()
	n, err := b.Select(sel)
	if err != nil {
		return nil
	}
	b.ExpectColumns(n, fills)
	return r.withNodeOptions(b.Types, n)
}

// starOf is SELECT * FROM a target.
func starOf(t ast.Target, alias string) *ast.Select {
	return &ast.Select{Pos: t.Pos, Items: []ast.Item{{Pos: t.Pos, Expr: &ast.Star{Pos: t.Pos}}},
		From: []ast.TableRef{&ast.Table{Pos: t.Pos, Alias: alias, Ref: ast.Ref{Pos: t.Pos, Name: t.Name, Path: t.Layer}}}}
}

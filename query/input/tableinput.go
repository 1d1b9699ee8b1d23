package input

import (
	"context"
	"errors"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/kind"
	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/models"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/registry"
	"parlance/storage/value"
)

// InputTable is one table that a kind reads: its rows in the inputs of a statement, one input after the other.
type InputTable struct {
	In    *Input
	Use   kind.TableUse
	Parts []tablePart
}

// tablePart is the rows of one input.
type tablePart struct {
	sel   *ast.Select // that reads the rows
	place []int       // for each column of the schema its index in the select, -1 for NULL
	of    ast.Input   // with the version of the model, if it is a relation of one
	Folds *FoldedRows // the rows that are read, nil for all
}

var _ kind.Table = (*InputTable)(nil)

// TableInputs plans the inputs of a kind that reads tables.
func TableInputs(r *exec.Execution, list []ast.Input, uses []kind.TableUse, reader string) (*Input, error) {
	in := &Input{R: r, Tables: map[string]*InputTable{}}
	for k, use := range uses {
		t := &InputTable{In: in, Use: use}
		for _, i := range list {
			p, err := newTablePart(r, i, use, k, reader)
			if err != nil {
				return nil, err
			}
			if p != nil {
				t.Parts = append(t.Parts, *p)
			}
		}
		if len(t.Parts) > 0 {
			in.Tables[use.Name] = t
			in.Order = append(in.Order, t)
		}
	}
	return in, nil
}

// newTablePart plans the rows that one input has of the k-th table of the schema, nil if it has none. WHERE of the
// input filters the first table only.
func newTablePart(r *exec.Execution, i ast.Input, use kind.TableUse, k int, reader string) (*tablePart, error) {
	o, ok := r.Snapshot.Object(i.Name)
	if !ok {
		return nil, plan.Errorf(i.Pos, plan.CodeUndefinedTable, strings.TrimPrefix(r.Suggest(i.Name), "; "),
			"there is no table %s", i.Name)
	}
	several := i.Path == "" && (o.Kind == catalog.KBObject || o.Kind == catalog.ModelObject)
	switch {
	case o.Kind == catalog.CorpusObject && i.Path == "":
		return nil, plan.Errorf(i.Pos, plan.CodeWrongKind, "a KB, a LEXICON, model.relation or corpus.layer",
			"%s reads %s, and %s is a corpus", reader, TableUse(use), i.Name)
	case several:
		i.Path = use.Name
	case k > 0:
		return nil, nil
	}
	if o.Kind == catalog.ModelObject {
		v, err := r.Resolve(ast.ModelRef{Pos: i.Pos, Name: i.Name, Version: i.Version})
		if err != nil {
			return nil, err
		}
		i.Version = strconv.Itoa(v.Version)
	}
	ref := ast.Table{Pos: i.Pos, Ref: ast.Ref{Pos: i.Pos, Name: i.Name, Version: i.Version, Path: i.Path}}
	have, err := r.Binder().TableColumns(&ref)
	var e *ast.Error
	if several && use.Optional && errors.As(err, &e) && e.Code == plan.CodeUndefinedTable {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p := &tablePart{sel: &ast.Select{Pos: i.Pos, From: []ast.TableRef{&ref}}, of: i}
	if k == 0 {
		p.sel.Where = i.Where
	}
	return p, p.selectColumns(have, use, reader)
}

// selectColumns selects the columns of the schema among those of the input.
func (p *tablePart) selectColumns(have []plan.Column, use kind.TableUse, reader string) error {
	for _, c := range use.Columns {
		at := slices.IndexFunc(have, func(h plan.Column) bool { return h.Name == c.Name })
		if at < 0 && !c.Optional {
			return plan.Errorf(p.of.Pos, plan.CodeUndefinedColumn, "columns: "+columnList(have),
				"%s reads %s, and %s has no column %s", reader, TableUse(use), p.of.String(), c.Name)
		}
		if at < 0 {
			p.place = append(p.place, -1)
			continue
		}
		p.place = append(p.place, len(p.sel.Items))
		p.sel.Items = append(p.sel.Items, ast.Item{Pos: p.of.Pos, Expr: &ast.Column{Pos: p.of.Pos, Parts: []string{c.Name}}})
	}
	return nil
}

func columnList(list []plan.Column) string {
	var names []string
	for _, c := range list {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return strings.Join(names, ", ")
}

// TableUse prints a table of a schema as name(column, [optional column], …).
func TableUse(use kind.TableUse) string {
	var names []string
	for _, c := range use.Columns {
		if c.Optional {
			names = append(names, "["+c.Name+"]")
		} else {
			names = append(names, c.Name)
		}
	}
	return use.Name + "(" + strings.Join(names, ", ") + ")"
}

func TableUses(list []kind.TableUse) string {
	var parts []string
	for _, u := range list {
		parts = append(parts, TableUse(u))
	}
	return strings.Join(parts, ", ")
}

// Rows yields the rows, read under the snapshot of the statement.
func (t *InputTable) Rows(ctx context.Context) iter.Seq2[[]value.Value, error] {
	return func(yield func([]value.Value, error) bool) {
		row := make([]value.Value, len(t.Use.Columns))
		for i := range t.Parts {
			more, err := t.read(ctx, &t.Parts[i], row, yield)
			if err != nil {
				yield(nil, err)
			}
			if err != nil || !more {
				return
			}
		}
	}
}

// read yields the rows of one input.
func (t *InputTable) read(ctx context.Context, p *tablePart, row []value.Value,
	yield func([]value.Value, error) bool) (more bool, err error) {
	op, err := openSelect(t.In.R, p.sel)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, op.Close()) }()
	for n := 0; ; {
		b, err := op.Next(ctx)
		if err != nil || b == nil {
			return err == nil, err
		}
		for i := range b.N {
			n++
			for k, c := range t.Use.Columns {
				if row[k] = (value.Value{}); p.place[k] < 0 {
					continue
				}
				if row[k], err = value.Cast(b.Cols[p.place[k]].At(i), c.Type); err != nil {
					return false, plan.Errorf(p.of.Pos, plan.CodeType, "", "row %d of %s, column %s: %v", n,
						p.of.String(), c.Name, err)
				}
				if !c.Infinite && infinite(row[k]) {
					return false, plan.Errorf(p.of.Pos, plan.CodeInvalid, "give it a finite number, or leave the row out by WHERE",
						"row %d of %s, column %s: %v is no finite number", n, p.of.String(), c.Name, row[k])
				}
			}
			if p.Folds != nil && !p.Folds.Has(row) {
				continue
			}
			if !yield(row, nil) {
				return false, nil
			}
		}
	}
}

// infinite reports whether a value is a number that is not finite.
func infinite(v value.Value) bool {
	return v.T == value.Float && !v.IsNull() && (math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0))
}

// openSelect opens a select.
func openSelect(r *exec.Execution, s *ast.Select) (operator.Operator, error) {
	n, err := r.Plan(s)
	if err != nil {
		return nil, err
	}
	return r.Build(n)
}

// Count reads the rows to count them.
func (t *InputTable) Count() int {
	n := 0
	for _, err := range t.Rows(t.In.R.Context()) {
		if err != nil {
			return 0 // reading them reports the error
		}
		n++
	}
	return n
}

// Table returns a table that the inputs have.
func (in *Input) Table(name string) (kind.Table, bool) {
	t, ok := in.Tables[name]
	if !ok {
		return nil, false
	}
	return t, true
}

// TableModels pins the models whose relations are read as tables.
func (in *Input) TableModels() []registry.Pin {
	var out []registry.Pin
	for _, t := range in.Order {
		for _, p := range t.Parts {
			o, ok := in.R.Snapshot.Object(p.of.Name)
			if !ok || o.Kind != catalog.ModelObject {
				continue
			}
			version, err := strconv.Atoi(p.of.Version)
			if err != nil {
				continue
			}
			pin := in.R.Pin(p.of.Name, version)
			pin.Role = models.InputRole
			out = models.AddPin(out, pin)
		}
	}
	return out
}

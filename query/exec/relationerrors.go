package exec

import (
	"context"
	"errors"
	"fmt"

	"parlance/algo/kind"
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/fault"
	"parlance/query/plan"
	"parlance/storage/value"
)

// unknownInRow reports whether err is that a model does not know a name, and a row of another table gave it that name
// as an argument: then the relation is empty. A name in the text of the statement stays an error.
func unknownInRow(err error, args []expr.Expr, values []value.Value) bool {
	var unknown *kind.Unknown
	if !errors.As(err, &unknown) {
		return false
	}
	rows := false
	for i, a := range args {
		row := fromRow(a)
		if !row && !values[i].IsNull() && values[i].String() == unknown.Name {
			return false
		}
		rows = rows || row
	}
	return rows
}

// WithNameHint is the error of a statement for one of a model. If a name is unknown and no known one is like it, the
// hint is the relation that lists the known ones.
func WithNameHint(pos ast.Pos, err error, model *plan.ModelUse, relations []kind.Relation) error {
	var unknown *kind.Unknown
	out := fault.FromKind(pos, err)
	e, ok := out.(*ast.Error)
	if !ok || e.Hint != "" || !errors.As(err, &unknown) || unknown.Note != "" {
		return out
	}
	for _, x := range relations {
		if len(x.Args) == 0 && x.Columns[0].Name == unknown.What {
			e.Hint = fmt.Sprintf("SELECT %s FROM %s.%s lists what the model knows", unknown.What, model.Name, x.Name)
		}
	}
	return out
}

// FirstMissing returns the place of the first argument that is NULL and may not be, -1 if there is none.
func FirstMissing(decl []kind.Arg, values []value.Value) int {
	for i, a := range decl {
		if !a.Optional && values[i].IsNull() {
			return i
		}
	}
	return -1
}

// fromRow reports whether an argument reads a row of another table.
func fromRow(a expr.Expr) bool {
	row := false
	expr.Walk(a, func(x expr.Expr) {
		if _, ok := x.(*expr.Arg); ok {
			row = true
		}
	})
	return row
}

// emptyRelation is one without rows.
type emptyRelation struct{}

func (emptyRelation) Next(ctx context.Context) (*value.Batch, error) { return nil, ctx.Err() }

func (emptyRelation) Close() error { return nil }

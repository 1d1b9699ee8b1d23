package plan

import (
	"fmt"
	"slices"
	"strings"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/storage/format/table"
	"parlance/storage/value"
)

// File yields the rows of a file.
type File struct {
	Pos   ast.Pos
	Table *table.File
	Need  []bool      // columns that are read
	Conds []expr.Expr // hints for groups of rows that need not be read: conditions that a filter above checks
	Cols  []Column
}

// Columns returns those of the file.
func (n *File) Columns() []Column { return n.Cols }

// Inputs returns nothing.
func (n *File) Inputs() []Node { return nil }

// Line names the file, the columns that are read, and how many groups of rows may hold what the conditions want.
func (n *File) Line() string {
	var names []string
	for i, c := range n.Cols {
		if n.Need[i] {
			names = append(names, c.Name)
		}
	}
	line := fmt.Sprintf("read %s %s", n.Table.Format, n.Table.Path)
	if len(names) < len(n.Cols) {
		line += fmt.Sprintf(" (%d of %d columns: %s)", len(names), len(n.Cols), strings.Join(names, ", "))
	}
	if keep := n.Groups(nil); slices.Contains(keep, false) {
		kept := 0
		for _, k := range keep {
			if k {
				kept++
			}
		}
		line += fmt.Sprintf(", %d of %d groups of rows", kept, len(keep))
	}
	return line
}

// Groups tells which groups of rows may have rows that meet the conditions, by their least and greatest values. env has
// the values of parameters, which are not known without it; nil where the file has no groups.
func (n *File) Groups(env *expr.Env) []bool {
	keep := make([]bool, n.Table.Groups())
	for g := range keep {
		keep[g] = !slices.ContainsFunc(n.Conds, func(c expr.Expr) bool { return n.excludes(g, c, env) })
	}
	return keep
}

// excludes reports whether no row of a group meets a condition.
func (n *File) excludes(group int, cond expr.Expr, env *expr.Env) bool {
	c, ok := cond.(*expr.Compare)
	if !ok {
		return false
	}
	op, x, y := c.Op, c.X, c.Y
	if _, ok := x.(*expr.Col); !ok {
		op, x, y = expr.Mirrored(op), c.Y, c.X
	}
	col, ok := x.(*expr.Col)
	if !ok {
		return false
	}
	v, ok := fixedValue(y, env)
	if !ok || !comparableTypes(v.T, n.Cols[col.Index].Type) {
		return false
	}
	least, greatest := n.Table.Bounds(group, col.Index)
	if least.IsNull() || greatest.IsNull() || isNaN(least) || isNaN(greatest) || isNaN(v) {
		return false
	}
	// Statistics of floats say nothing of NaN, which is greater than all numbers.
	floats := n.Cols[col.Index].Type == value.Float
	below, above := value.Compare(greatest, v), value.Compare(least, v)
	switch op {
	case "=":
		return below < 0 || above > 0
	case "<":
		return above >= 0
	case "<=":
		return above > 0
	case ">":
		return below <= 0 && !floats
	case ">=":
		return below < 0 && !floats
	}
	return false
}

// fixedValue is the value of a constant, or of a parameter where env is known.
func fixedValue(x expr.Expr, env *expr.Env) (value.Value, bool) {
	if v, ok := expr.ConstantValue(x); ok {
		return v, !v.IsNull()
	}
	if p, ok := x.(*expr.Param); ok && env != nil {
		v, err := p.At(env, &value.Batch{N: 1}, 0)
		return v, err == nil && !v.IsNull()
	}
	return value.Value{}, false
}

func comparableTypes(a, b value.Type) bool {
	number := func(t value.Type) bool { return t == value.Integer || t == value.Float }
	return a == b && a != value.JSON && a != value.Interval || number(a) && number(b)
}

func isNaN(v value.Value) bool { return v.T == value.Float && v.Float() != v.Float() }

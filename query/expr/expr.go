// Package expr holds bound, typed expressions and evaluates them over batches.
package expr

import (
	"context"
	"fmt"
	"strings"

	"parlance/query/ast"
	"parlance/query/fn"
	"parlance/storage/value"
)

// Env is what expressions are evaluated with, besides the batch.
type Env struct {
	Ctx    context.Context
	Params []value.Value
	Args   []value.Value // what a subselect reads of the row of its outer query
	Search Searcher
	Host   Host
	Runner Runner  // of selects within expressions
	Memory *Memory // nil for no bound
}

// Context returns the context of an evaluation.
func (env *Env) Context() context.Context {
	if env.Ctx != nil {
		return env.Ctx
	}
	return context.Background()
}

// Host computes the functions that depend on the session or the catalog.
type Host interface {
	Function(name string, args []value.Value) (value.Value, error)
}

// Runner runs the plans of selects within expressions. Package exec implements it.
type Runner interface {
	// SelectRows runs a plan and returns at most limit rows, 0 for all.
	SelectRows(env *Env, p Plan, limit int) ([][]value.Value, error)
	// LookUp runs a select for the rows whose first columns equal one of the keys. total is the number of keys that the
	// execution has asked for, these included. ok is false if reading all rows would be as fast.
	LookUp(env *Env, p Plan, keys [][]value.Value, total int) (rows [][]value.Value, ok bool, err error)
}

// Plan is the plan of a select within an expression. Package plan implements it; its text is for EXPLAIN.
type Plan interface{ fmt.Stringer }

// Expr is a bound expression. At returns its value for row i of the batch.
type Expr interface {
	Type() value.Type
	At(env *Env, b *value.Batch, i int) (value.Value, error)
	Children() []Expr
	String() string
}

// Col is a column of the input batch.
type Col struct {
	Index int
	Name  string
	T     value.Type
}

// Const is a constant; T is its type where it is NULL.
type Const struct {
	V value.Value
	T value.Type
}

// Fault is a constant whose computation fails. It is an error only for rows that evaluate it.
type Fault struct {
	X   Expr
	Err error
}

// Param is a parameter of the statement, 1-based.
type Param struct {
	Index int
	T     value.Type
}

// Call is a scalar function.
type Call struct {
	F    *fn.Func
	Args []Expr
	T    value.Type
	Pos  ast.Pos // of its errors, zero for none
}

// Cast converts to a type.
type Cast struct {
	X   Expr
	T   value.Type
	Pos ast.Pos // of its errors, zero for none
}

// Case is CASE; conditions are boolean.
type Case struct {
	Whens, Thens []Expr
	Else         Expr // may be nil
	T            value.Type
}

// Arg is a value of the outer row that a subquery reads, counted from 0.
type Arg struct {
	Index int
	Name  string
	T     value.Type
}

// Subquery is a select that is used as a value or a set. It runs at first use: once, or once for each combination of
// the values that it reads of the outer row.
type Subquery struct {
	Label string
	T     value.Type
	Plan  Plan
	Limit int // rows that are read at most, 0 for all
	Mode  SubqueryMode
	X     Expr // left side of IN
	// Member is the type of the rows of a set or array, Null if it shows only when the statement runs.
	Member value.Type
	Not    bool
	Outer  []Expr // values of the outer row, which the plan finds in Env.Args
	// Keys, if any, are values of the outer row that select among the rows. The rows begin with the columns that must
	// equal them.
	Keys    []Expr
	Default Plan // of the row for keys that do not occur; nil for none
	// Lookup reads the rows of a few keys by an index; or of a few values of X, where the select does not depend on the
	// outer row. nil if there is no index.
	Lookup Plan
	cache  *subqueryCache
}

// SubqueryMode says how a Subquery is used.
type SubqueryMode uint8

// The modes: one value, x IN (select), EXISTS (select) and ARRAY(select).
const (
	ScalarSubquery SubqueryMode = iota
	InSubquery
	ExistsSubquery
	ArraySubquery
)

// Type returns the type of the values; Null if unknown.
func (e *Col) Type() value.Type { return e.T }
func (e *Const) Type() value.Type {
	if e.V.IsNull() {
		return e.T
	}
	return e.V.T
}
func (e *Fault) Type() value.Type    { return e.X.Type() }
func (e *Param) Type() value.Type    { return e.T }
func (e *Call) Type() value.Type     { return e.T }
func (e *Cast) Type() value.Type     { return e.T }
func (e *Case) Type() value.Type     { return e.T }
func (e *Subquery) Type() value.Type { return e.T }
func (e *Arg) Type() value.Type      { return e.T }

// Children returns the direct operands.
func (e *Col) Children() []Expr   { return nil }
func (e *Const) Children() []Expr { return nil }
func (e *Fault) Children() []Expr { return nil }
func (e *Param) Children() []Expr { return nil }
func (e *Call) Children() []Expr  { return e.Args }
func (e *Cast) Children() []Expr  { return []Expr{e.X} }
func (e *Case) Children() []Expr {
	out := append(append([]Expr{}, e.Whens...), e.Thens...)
	if e.Else != nil {
		out = append(out, e.Else)
	}
	return out
}
func (e *Subquery) Children() []Expr {
	out := append(append([]Expr{}, e.Outer...), e.Keys...)
	if e.X != nil {
		out = append(out, e.X)
	}
	return out
}
func (e *Arg) Children() []Expr { return nil }

func (e *Col) String() string { return e.Name }
func (e *Const) String() string {
	switch e.V.T {
	case value.Null:
		return "NULL"
	case value.Integer, value.Float, value.Boolean:
		return e.V.String()
	}
	return "'" + strings.ReplaceAll(e.V.String(), "'", "''") + "'"
}
func (e *Fault) String() string { return e.X.String() }
func (e *Arg) String() string   { return "outer " + e.Name }
func (e *Param) String() string { return fmt.Sprintf("$%d", e.Index) }
func (e *Call) String() string {
	parts := make([]string, len(e.Args))
	for i, a := range e.Args {
		parts[i] = a.String()
	}
	return e.F.Name + "(" + strings.Join(parts, ", ") + ")"
}
func (e *Cast) String() string { return "CAST(" + e.X.String() + " AS " + e.T.String() + ")" }
func (e *Case) String() string {
	var b strings.Builder
	b.WriteString("CASE")
	for i := range e.Whens {
		fmt.Fprintf(&b, " WHEN %s THEN %s", e.Whens[i], e.Thens[i])
	}
	if e.Else != nil {
		fmt.Fprintf(&b, " ELSE %s", e.Else)
	}
	return b.String() + " END"
}
func (e *Subquery) String() string {
	not := ""
	if e.Not {
		not = "NOT "
	}
	switch e.Mode {
	case InSubquery:
		return fmt.Sprintf("%s %sIN (%s)", e.X, not, e.Label)
	case ExistsSubquery:
		return fmt.Sprintf("%sEXISTS (%s)", not, e.Label)
	case ArraySubquery:
		return "ARRAY(" + e.Label + ")"
	}
	return "(" + e.Label + ")"
}

// At returns the column's value.
func (e *Col) At(_ *Env, b *value.Batch, i int) (value.Value, error) {
	return b.Cols[e.Index].At(i), nil
}

// At returns the constant.
func (e *Const) At(*Env, *value.Batch, int) (value.Value, error) { return e.V, nil }

// At gives the error.
func (e *Fault) At(*Env, *value.Batch, int) (value.Value, error) { return value.Value{}, e.Err }

// At returns the parameter.
func (e *Param) At(env *Env, _ *value.Batch, _ int) (value.Value, error) {
	if e.Index < 1 || e.Index > len(env.Params) {
		return value.Value{}, fmt.Errorf("no value for parameter $%d", e.Index)
	}
	return env.Params[e.Index-1], nil
}

// At returns the value of the outer row.
func (e *Arg) At(env *Env, _ *value.Batch, _ int) (value.Value, error) { return env.Args[e.Index], nil }

// At calls the function.
func (e *Call) At(env *Env, b *value.Batch, i int) (value.Value, error) {
	if e.F.First {
		return e.firstNotNull(env, b, i)
	}
	var buf [4]value.Value
	args := buf[:0]
	for k, a := range e.Args {
		v, err := a.At(env, b, i)
		if err != nil {
			return v, err
		}
		if want := e.F.Args[min(k, len(e.F.Args)-1)]; want == value.Float && v.T == value.Integer ||
			(want == value.Integer || want == value.Timestamp || want == value.Bytes || want == value.Interval) &&
				v.T == value.Text || want == value.Integer && v.T == value.Float {
			if v, err = value.Cast(v, want); err != nil {
				return v, ErrorAt(e.Pos, fn.ArgumentError(err))
			}
		}
		args = append(args, v)
	}
	v, err := e.call(env, args)
	if err != nil {
		return v, ErrorAt(e.Pos, err)
	}
	return castBranch(v, e.T)
}

// firstNotNull evaluates arguments until one is not NULL.
func (e *Call) firstNotNull(env *Env, b *value.Batch, i int) (value.Value, error) {
	for _, a := range e.Args {
		v, err := a.At(env, b, i)
		if err != nil {
			return v, err
		}
		if !v.IsNull() {
			return castBranch(v, e.T)
		}
	}
	return value.Value{}, nil
}

func (e *Call) call(env *Env, args []value.Value) (value.Value, error) {
	if !e.F.Host {
		return e.F.Call(env.Ctx, args)
	}
	if !e.F.Nulls {
		for _, a := range args {
			if a.IsNull() {
				return value.Value{}, nil
			}
		}
	}
	if env.Host == nil {
		return value.Value{}, fmt.Errorf("%s stands in a query", e.F.Name)
	}
	return env.Host.Function(e.F.Name, args)
}

// castBranch casts the value of a branch or an argument to the common type of all.
func castBranch(v value.Value, t value.Type) (value.Value, error) {
	if t == value.Float && v.T == value.Integer || t == value.Text && v.T != value.Text {
		return value.Cast(v, t)
	}
	return v, nil
}

// At casts.
func (e *Cast) At(env *Env, b *value.Batch, i int) (value.Value, error) {
	v, err := e.X.At(env, b, i)
	if err != nil {
		return v, err
	}
	ctx := env.Context()
	if v, err = value.CastWithin(ctx, v, e.T); err != nil && ctx.Err() != nil {
		return v, ctx.Err()
	}
	return v, ErrorAt(e.Pos, fn.ArgumentError(err))
}

// At takes the first branch whose condition is true.
func (e *Case) At(env *Env, b *value.Batch, i int) (value.Value, error) {
	then := e.Else
	for k, w := range e.Whens {
		v, err := w.At(env, b, i)
		if err != nil {
			return v, err
		}
		if v.Bool() {
			then = e.Thens[k]
			break
		}
	}
	if then == nil {
		return value.Value{}, nil
	}
	v, err := then.At(env, b, i)
	if err != nil {
		return v, err
	}
	return castBranch(v, e.T)
}

// Walk visits e and everything below it.
func Walk(e Expr, f func(Expr)) {
	f(e)
	for _, c := range e.Children() {
		Walk(c, f)
	}
}

// Columns returns the indexes of the columns that e reads.
func Columns(e Expr) []int {
	var out []int
	Walk(e, func(x Expr) {
		if c, ok := x.(*Col); ok {
			out = append(out, c.Index)
		}
	})
	return out
}

// Constant reports whether e reads no column and may be computed beforehand.
func Constant(e Expr) bool {
	free := false
	Walk(e, func(x Expr) {
		switch x.(type) {
		case *Col, *Param:
			free = true
		}
	})
	return !free && Deterministic(e)
}

// Literal converts a literal of the syntax tree.
func Literal(v any) value.Value {
	switch v := v.(type) {
	case string:
		return value.Str(v)
	case int64:
		return value.Int(v)
	case float64:
		return value.Real(v)
	case bool:
		return value.Bool(v)
	}
	return value.Value{}
}

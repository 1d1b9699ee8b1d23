package bind

import (
	"context"
	"errors"
	"strings"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/fn"
	"parlance/query/fn/jsonfn"
	"parlance/query/fn/numfn"
	"parlance/query/fn/textfn"
	"parlance/query/plan"
	"parlance/storage/value"
)

// Binder binds one statement: it finds what names stand for and makes a plan.
type Binder struct {
	Catalog *Catalog
	Ctx     context.Context // of the statement: when it ends, binding ends; may be nil
	Off     map[string]bool // rules of the optimiser that are switched off
	Floats  uint64          // parameters whose value is a float, bit 0 for the first; others may be of any type

	// Results of binding.
	Types    Parameters // the types of parameters
	Stateful bool       // the plan holds values of one execution, those of subselects, so it cannot be used twice
	Large    bool       // the plan holds computed constants that take much memory
	// Checks are expressions without columns that are to be computed before the first row, for the catalog may refuse
	// them: the number of a table that is named, where there is none.
	Checks []expr.Expr

	ctes        map[string]*cte           // selects of WITH clauses in scope
	expanded    int                       // see plan.CTE.Size: selects that the present one expands to so far
	defining    string                    // CTE that is being bound, which does not see itself
	outer       *outerQuery               // of the subselect that is being bound; nil in the outermost query
	correlation *correlation              // where the next core puts its correlation; nil to leave it in WHERE
	subs        map[subKey]*expr.Subquery // subselects bound already
	bound       uint                      // number of expressions bound so far
	guarded     int                       // expressions around the present one that may not evaluate it: CASE, AND, OR
}

// bindAll binds a list of expressions.
func (b *Binder) bindAll(list []ast.Expr, s *scope) ([]expr.Expr, error) {
	out := make([]expr.Expr, len(list))
	for i, e := range list {
		x, err := b.bind(e, s)
		if err != nil {
			return nil, err
		}
		out[i] = x
	}
	return out, nil
}

// bind binds an expression. Constant expressions are computed.
func (b *Binder) bind(e ast.Expr, s *scope) (expr.Expr, error) {
	if b.bound++; b.bound%1024 == 0 && b.Ctx != nil && b.Ctx.Err() != nil {
		return nil, b.Ctx.Err()
	}
	guards := b.guards(e)
	if guards {
		b.guarded++
	}
	x, err := b.bindNode(e, s)
	if guards {
		b.guarded--
	}
	if err != nil {
		return nil, err
	}
	b.Types.infer(x)
	if _, ok := x.(*expr.Const); !ok && expr.Constant(x) {
		v, err := x.At(&expr.Env{Ctx: b.Ctx}, &value.Batch{N: 1}, 0)
		if err != nil && b.Ctx != nil && b.Ctx.Err() != nil {
			return nil, b.Ctx.Err()
		}
		switch err = expr.ErrorAt(e.Position(), err); {
		case err != nil && b.guarded > 0:
			return &expr.Fault{X: x, Err: err}, nil
		case err != nil:
			return nil, err
		}
		b.Large = b.Large || len(v.S) > largeConstant
		return &expr.Const{V: v, T: x.Type()}, nil
	}
	return x, nil
}

// guards reports whether e may leave operands unevaluated, so that an error in a constant one must wait.
func (b *Binder) guards(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Case:
		return true
	case *ast.Binary:
		return e.Op == "AND" || e.Op == "OR"
	case *ast.Call:
		f := b.Catalog.Declared.Functions.Scalar(e.Name)
		return f != nil && f.First
	}
	return false
}

// largeConstant is the length in bytes from which on a plan with a computed constant is not kept in the cache.
const largeConstant = 1 << 16

func (b *Binder) bindNode(e ast.Expr, s *scope) (expr.Expr, error) {
	if c, ok := e.(*ast.Call); ok && c.Over != nil {
		return b.bindWindow(c, s)
	}
	if x := s.rowsColumn(e); x != nil {
		return x, nil
	}
	if s.grouped {
		if x, err := b.bindGrouped(e, s); x != nil || err != nil {
			return x, err
		}
	}
	switch e := e.(type) {
	case *ast.Literal:
		return &expr.Const{V: expr.Literal(e.Value)}, nil
	case *ast.Param:
		return b.param(e.Index), nil
	case *ast.Column:
		return b.bindColumn(e, s)
	case *ast.Unary:
		return b.bindUnary(e, s)
	case *ast.Binary:
		return b.bindBinary(e, s)
	case *ast.Between:
		return b.bindBetween(e, s)
	case *ast.In:
		return b.bindIn(e, s)
	case *ast.IsNull:
		if t, ok := e.X.(*ast.Tuple); ok {
			return b.bind(nullRow(t, e.Not), s)
		}
		x, err := b.bind(e.X, s)
		return &expr.IsNull{X: x, Not: e.Not}, err
	case *ast.IsBool:
		x, err := b.bind(e.X, s)
		return &expr.IsBool{X: x, Value: e.Value, Not: e.Not}, err
	case *ast.Cast:
		return b.bindCast(e, s)
	case *ast.Case:
		return b.bindCase(e, s)
	case *ast.Call:
		return b.bindCall(e, s)
	case *ast.Exists:
		return b.bindSub(e.Select, expr.ExistsSubquery, s)
	case *ast.Subselect:
		return b.bindSub(e.Select, expr.ScalarSubquery, s)
	case *ast.Quantified:
		return b.bindQuantified(e, s)
	case *ast.Array:
		return b.bindArray(e, s)
	case *ast.Subscript:
		return b.bindSubscript(e, s)
	case *ast.Field:
		return b.bindOf(jsonfn.RowField, s, e.X, &ast.Literal{Pos: e.Pos, Value: e.Name})
	case *ast.Collate:
		return b.bindCollate(e, s)
	case *ast.Star:
		return nil, plan.Errorf(e.Pos, ast.CodeSyntax, "", "* stands only in a select list or in count(*)")
	}
	return nil, plan.Errorf(e.Position(), plan.CodeFeature, "", "a list of values cannot stand here")
}

// bindColumn binds a name: a column of the scope, of a query around it, or a word that stands for a value.
func (b *Binder) bindColumn(e *ast.Column, s *scope) (expr.Expr, error) {
	i, err := s.find(e)
	if is(err, plan.CodeAmbiguous) {
		return nil, err
	}
	if err != nil {
		if x, fault := b.outerColumn(e); x != nil || is(fault, plan.CodeAmbiguous) {
			return x, fault
		}
		if i = s.findFolded(e); i < 0 {
			if x, ok := b.keywordFunction(e); ok {
				return x, nil
			}
			return nil, err
		}
	}
	if s.mark != nil {
		s.mark(i)
	}
	return &expr.Col{Index: i, Name: s.cols[i].Name, T: s.cols[i].Type}, nil
}

// is reports whether an error has a code.
func is(err error, code string) bool {
	var e *ast.Error
	return errors.As(err, &e) && e.Code == code
}

func (b *Binder) bindUnary(e *ast.Unary, s *scope) (expr.Expr, error) {
	x, err := b.bind(e.X, s)
	if err != nil {
		return nil, err
	}
	if e.Op == "NOT" {
		return &expr.Not{X: x}, checkCondition(e.X, x)
	}
	if x.Type() == value.Interval {
		return intervalArithmetic(&ast.Binary{Pos: e.Pos, Op: "*"}, x, &expr.Const{V: value.Int(-1)})
	}
	if x, err = checkNumeric(e.X, x); err != nil {
		return nil, err
	}
	return &expr.Arith{Op: "-", X: &expr.Const{V: value.Int(0)}, Y: x, T: x.Type()}, nil
}

// checkCondition refuses what cannot be true or false.
func checkCondition(e ast.Expr, x expr.Expr) error {
	if t := x.Type(); t != value.Boolean && t != value.Null {
		return plan.Errorf(e.Position(), plan.CodeType, "", "%s is %s, a condition is wanted", e, t)
	}
	return nil
}

// checkNumeric is an operand of arithmetic.
func checkNumeric(e ast.Expr, x expr.Expr) (expr.Expr, error) {
	x = adapted(adapted(x, value.Integer), value.Float)
	if t := x.Type(); t != value.Integer && t != value.Float && t != value.Null {
		return nil, plan.Errorf(e.Position(), plan.CodeType, "", "%s is %s, a number is wanted", e, t)
	}
	return x, nil
}

// adapted reads a constant text as the number or interval that is wanted in its place: clients that put
// arguments into the statement write '4' for all types. What is no such number stays as it is.
func adapted(x expr.Expr, wanted value.Type) expr.Expr {
	v, ok := expr.ConstantValue(x)
	if !ok || v.T != value.Text || wanted != value.Integer && wanted != value.Float && wanted != value.Interval {
		return x
	}
	if n, err := value.Cast(v, wanted); err == nil {
		return &expr.Const{V: n}
	}
	return x
}

// operatorFunctions are the functions that operators stand for.
var operatorFunctions = map[string]string{"->": jsonfn.JSONGet, "->>": jsonfn.JSONText, "#>": jsonfn.JSONPath,
	"#>>": jsonfn.JSONPathText, "@>": jsonfn.Contains, "<@": jsonfn.Contained, "&&": jsonfn.Overlaps,
	"^": "power", "?": jsonfn.Exists, "?|": jsonfn.ExistsAny, "?&": jsonfn.ExistsAll, "^@": "starts_with",
	"&": numfn.BitAnd, "|": numfn.BitOr, "#": numfn.BitXor, "<<": numfn.ShiftLeft, ">>": numfn.ShiftRight}

func (b *Binder) bindBinary(e *ast.Binary, s *scope) (expr.Expr, error) {
	if x, ok := e.X.(*ast.Tuple); ok {
		return b.bindRows(e, x, s)
	}
	if e.Op == "AT TIME ZONE" {
		return b.atZone(e, s)
	}
	x, err := b.bind(e.X, s)
	if err != nil {
		return nil, err
	}
	y, err := b.bind(e.Y, s)
	if err != nil {
		return nil, err
	}
	switch e.Op {
	case "AND", "OR":
		if err := checkCondition(e.X, x); err != nil {
			return nil, err
		}
		return &expr.Logic{Or: e.Op == "OR", X: x, Y: y}, checkCondition(e.Y, y)
	case "=", "<>", "<", "<=", ">", ">=":
		if x, y, err = b.comparable(e.Pos, e.X, e.Y, x, y); err != nil {
			return nil, err
		}
		return &expr.Compare{Op: e.Op, X: x, Y: y}, nil
	case "IS DISTINCT FROM", "IS NOT DISTINCT FROM":
		if x, y, err = b.comparable(e.Pos, e.X, e.Y, x, y); err != nil {
			return nil, err
		}
		return &expr.Distinct{X: x, Y: y, Not: strings.Contains(e.Op, "NOT")}, nil
	case "||":
		return b.concat(e, x, y, s)
	case "->", "->>", "#>", "#>>", "@>", "<@", "&&", "?", "?|", "?&", "^@", "^", "&", "|", "#", "<<", ">>":
		return b.bindCall(&ast.Call{Pos: e.Pos, Name: operatorFunctions[e.Op],
			Args: []ast.Argument{{Pos: e.X.Position(), Value: e.X}, {Pos: e.Y.Position(), Value: e.Y}}}, s)
	case "+", "-", "*", "/", "%":
		return b.arithmetic(e, x, y, s)
	case "LIKE", "ILIKE", "~", "~*", "!~", "!~*", "NOT LIKE", "NOT ILIKE":
		return pattern(e, x, y)
	}
	return nil, plan.Errorf(e.Pos, plan.CodeFeature, "", "operator %s is not supported", e.Op)
}

// arithmetic computes with numbers, or moves timestamps.
func (b *Binder) arithmetic(e *ast.Binary, x, y expr.Expr, s *scope) (expr.Expr, error) {
	if x.Type() == value.Timestamp || y.Type() == value.Timestamp {
		return timeArithmetic(e, x, y)
	}
	if x.Type() == value.Interval || y.Type() == value.Interval {
		return intervalArithmetic(e, x, y)
	}
	if isDeletion(e, x, y) {
		return nil, ast.Absent("json - key", e.Pos)
	}
	x, err := checkNumeric(e.X, x)
	if err != nil {
		return nil, err
	}
	if y, err = checkNumeric(e.Y, y); err != nil {
		return nil, err
	}
	t := value.Integer
	if x.Type() == value.Float || y.Type() == value.Float {
		t = value.Float
	}
	return &expr.Arith{Op: e.Op, X: x, Y: y, T: t}, nil
}

// pattern compares a text with a pattern.
func pattern(e *ast.Binary, x, y expr.Expr) (expr.Expr, error) {
	m, err := expr.NewMatch(e.Op, x, y)
	if errors.Is(err, textfn.ErrEscape) {
		return nil, plan.Errorf(e.Y.Position(), plan.CodeEscape, "write the escape twice", "%v", err)
	}
	if err != nil {
		return nil, patternError(e.Y.Position(), err)
	}
	return m, nil
}

// patternError tells of a pattern that is malformed, or too long.
func patternError(pos ast.Pos, err error) error {
	f := &fn.Fault{Code: "2201B"}
	errors.As(err, &f)
	return plan.Errorf(pos, f.Code, f.Hint, "%v", err)
}

func (b *Binder) bindBetween(e *ast.Between, s *scope) (expr.Expr, error) {
	low := &ast.Binary{Pos: e.Pos, Op: ">=", X: e.X, Y: e.Low}
	high := &ast.Binary{Pos: e.Pos, Op: "<=", X: e.X, Y: e.High}
	x, err := b.bind(&ast.Binary{Pos: e.Pos, Op: "AND", X: low, Y: high}, s)
	if err != nil || !e.Not {
		return x, err
	}
	return &expr.Not{X: x}, nil
}

func (b *Binder) bindIn(e *ast.In, s *scope) (expr.Expr, error) {
	if x, ok := e.X.(*ast.Tuple); ok {
		return b.bindRowIn(e, x, s)
	}
	x, err := b.bind(e.X, s)
	if err != nil {
		return nil, err
	}
	if e.Select != nil {
		return b.bindMember(e, x, s)
	}
	list, err := b.bindAll(e.List, s)
	if err != nil {
		return nil, err
	}
	if x, err = b.comparableList(e, x, list); err != nil {
		return nil, err
	}
	return expr.NewIn(x, list, e.Not)
}

func (b *Binder) bindCase(e *ast.Case, s *scope) (expr.Expr, error) {
	c := &expr.Case{}
	for _, w := range e.Whens {
		when := w.When
		if e.Operand != nil {
			when = &ast.Binary{Pos: w.Pos, Op: "=", X: e.Operand, Y: w.When}
		}
		x, err := b.bind(when, s)
		if err != nil {
			return nil, err
		}
		if err := checkCondition(when, x); err != nil {
			return nil, err
		}
		y, err := b.bind(w.Then, s)
		if err != nil {
			return nil, err
		}
		c.Whens, c.Thens = append(c.Whens, x), append(c.Thens, y)
	}
	branches := c.Thens
	if e.Else != nil {
		y, err := b.bind(e.Else, s)
		if err != nil {
			return nil, err
		}
		c.Else = y
		branches = append(branches[:len(branches):len(branches)], y)
	}
	at := func(i int) ast.Pos {
		if i == len(e.Whens) {
			return e.Else.Position()
		}
		return e.Whens[i].Then.Position()
	}
	var err error
	if c.T, err = b.unify("CASE", branches, at); err != nil {
		return nil, err
	}
	copy(c.Thens, branches)
	if c.Else != nil {
		c.Else = branches[len(branches)-1]
	}
	return c, nil
}

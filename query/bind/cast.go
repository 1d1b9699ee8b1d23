package bind

import (
	"strings"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/fn"
	"parlance/query/fn/jsonfn"
	"parlance/query/plan"
	"parlance/storage/value"
)

// catalogTypes are types of PostgreSQL that only casts accept, with the type that is used for them.
var catalogTypes = map[string]value.Type{
	"oid": value.Integer, "xid": value.Integer, "cid": value.Integer, "bit": value.Text, "bpchar": value.Text,
	"cstring": value.Text,
	"unknown": value.Text, "uuid": value.Text, "xml": value.Text, "inet": value.Text, "aclitem": value.Text,
	"pg_node_tree": value.Text,
	"int2vector":   value.Text, "oidvector": value.Text, "anyarray": value.JSON, "time": value.Text,
	"sql_identifier": value.Text, "character_data": value.Text, "yes_or_no": value.Text,
	"cardinal_number": value.Integer, "money": value.Float,
}

// objectTypes are PostgreSQL's object identifier types. A text that is cast to one becomes the number of the object of
// that name, a number becomes the name.
var objectTypes = map[string]bool{"regclass": true, "regtype": true, "regnamespace": true, "regrole": true,
	"regproc": true, "regprocedure": true, "regcollation": true,
	"regoper": true, "regoperator": true, "regconfig": true, "regdictionary": true}

func (b *Binder) bindCast(e *ast.Cast, s *scope) (expr.Expr, error) {
	if objectTypes[e.Type.Name] && systemSchema(e.Type.Schema) {
		return b.bindObjectName(e, s)
	}
	x, err := b.bind(e.X, s)
	if err != nil {
		return nil, err
	}
	t, err := CastType(e.Type)
	if err != nil {
		return nil, err
	}
	if v, ok := expr.ConstantValue(x); ok && t == value.Timestamp && !e.Type.Array && v.T == value.Text {
		if m, err := b.specialTime(e, v.S, s); m != nil || err != nil {
			return m, err
		}
	}
	if _, only := catalogTypes[e.Type.Name]; only {
		b.Types.note(x, Parameter{Type: t, Array: e.Type.Array, Cast: e.Type.Name})
	}
	if e.Type.Array {
		return &expr.Call{F: jsonfn.ArrayCast, Args: []expr.Expr{x, &expr.Const{V: value.Str(t.String())}},
			T: value.JSON}, nil
	}
	if inner, ok := e.X.(*ast.Cast); ok && t == value.Text && objectTypes[inner.Type.Name] &&
		x.Type() == value.Integer {
		return b.registerName(e.Pos, inner.Type.Name, x)
	}
	return b.typeModifier(e.Type, &expr.Cast{X: x, T: t, Pos: e.Pos}), nil
}

// dayWords are texts that a cast to timestamp reads as a day, in days from today.
var dayWords = map[string]int64{"yesterday": -1, "today": 0, "tomorrow": 1}

// specialTime binds the cast of a word such as 'now' to a timestamp, which is computed when the statement runs; nil for
// another text.
func (b *Binder) specialTime(e *ast.Cast, word string, s *scope) (expr.Expr, error) {
	word = strings.ToLower(strings.TrimSpace(word))
	if days, ok := dayWords[word]; ok {
		return b.bind(&ast.Binary{Pos: e.Pos, Op: "+", X: &ast.Call{Pos: e.Pos, Name: "current_date"},
			Y: &ast.Literal{Pos: e.Pos, Value: days}}, s)
	}
	if word != "now" {
		return nil, nil
	}
	if e.Type.Name == "date" {
		return b.bind(&ast.Call{Pos: e.Pos, Name: "current_date"}, s)
	}
	return b.bind(&ast.Call{Pos: e.Pos, Name: "now"}, s)
}

func systemSchema(name string) bool { return plainSchema(name) || name == "information_schema" }

// CastType resolves the type of a cast, without its brackets.
func CastType(t ast.Type) (value.Type, error) {
	if ct, ok := catalogTypes[t.Name]; ok && systemSchema(t.Schema) {
		return ct, nil
	}
	plain := t
	plain.Array = false
	return Type(plain)
}

// Type resolves the name of the type of a column.
func Type(t ast.Type) (value.Type, error) {
	vt, ok := value.ParseType(strings.Fields(t.Name)[0])
	switch {
	case !ok || !systemSchema(t.Schema):
		return 0, plan.Errorf(t.Pos, plan.CodeUndefinedObject,
			"types: text, integer, float, boolean, timestamp, interval, bytes, vector, json", "unknown type %s", t.Name)
	case t.Array:
		return 0, plan.Errorf(t.Pos, plan.CodeUndefinedObject, "json holds arrays", "there are no columns of type %s",
			t)
	}
	return vt, nil
}

// bindObjectName binds a cast to an object identifier type.
func (b *Binder) bindObjectName(e *ast.Cast, s *scope) (expr.Expr, error) {
	x, err := b.bind(e.X, s)
	if err != nil {
		return nil, err
	}
	if e.Type.Array {
		return b.host(e.Pos, e.Type.Name+"[]", x)
	}
	if t := x.Type(); t == value.Integer {
		return b.registerName(e.Pos, e.Type.Name, x)
	}
	return b.host(e.Pos, e.Type.Name+"in", x)
}

// objectNumber returns the number of an object if x is the cast of it to its name, else x: comparisons of such a name
// with a number compare numbers.
func objectNumber(x expr.Expr) expr.Expr {
	if c, ok := x.(*expr.Call); ok && c.F.Host && objectTypes[strings.TrimSuffix(c.F.Name, "out")] &&
		c.T == value.Text {
		return c.Args[0]
	}
	return x
}

func (b *Binder) registerName(pos ast.Pos, register string, x expr.Expr) (expr.Expr, error) {
	return b.host(pos, register+"out", x)
}

// host binds a call of a function that reads the catalog when the statement runs. That of a constant is among the
// checks.
func (b *Binder) host(pos ast.Pos, name string, x expr.Expr) (expr.Expr, error) {
	f := &fn.Func{Name: name, Args: []value.Type{fn.Any}, Result: value.Integer, Host: true}
	switch {
	case strings.HasSuffix(name, "out"):
		f.Result = value.Text
	case strings.HasSuffix(name, "[]"):
		f.Result = value.JSON
	}
	call := &expr.Call{F: f, Args: []expr.Expr{x}, T: f.Result, Pos: pos}
	if _, ok := expr.ConstantValue(x); ok {
		b.Checks = append(b.Checks, call)
	}
	return call, nil
}

package bind

import (
	"strings"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/fn"
	"parlance/query/fn/jsonfn"
	"parlance/query/fn/numfn"
	"parlance/query/fn/timefn"
	"parlance/query/plan"
	"parlance/storage/value"
)

// intervalArithmetic binds arithmetic with intervals. A constant text is read as an interval in a sum, as a number in a
// product.
func intervalArithmetic(e *ast.Binary, x, y expr.Expr) (expr.Expr, error) {
	if e.Op == "*" && x.Type() != value.Interval {
		x, y = y, x
	}
	f := map[string]*fn.Func{"+": timefn.IntervalPlus, "-": timefn.IntervalMinus, "*": timefn.IntervalTimes,
		"/": timefn.IntervalOver}[e.Op]
	if f != nil {
		x, y = adapted(x, f.Args[0]), adapted(y, f.Args[1])
		fits := func(x expr.Expr, want value.Type) bool {
			t := x.Type()
			return t == want || t == value.Null || want == value.Float && t == value.Integer
		}
		if fits(x, f.Args[0]) && fits(y, f.Args[1]) {
			return &expr.Call{F: f, Args: []expr.Expr{x, y}, T: f.Result, Pos: e.Pos}, nil
		}
	}
	return nil, plan.Errorf(e.Pos, plan.CodeUndefinedFunction,
		"intervals take + and - with an interval or a time, * and / with a number", "there is no %s %s %s", x.Type(),
		e.Op, y.Type())
}

// timeArithmetic binds arithmetic with times: a time and an interval, also as a text, or a number of days; the
// interval between two times, the number of days between two dates.
func timeArithmetic(e *ast.Binary, x, y expr.Expr) (expr.Expr, error) {
	if e.Op == "+" && y.Type() == value.Timestamp {
		x, y = y, x
	}
	t := y.Type()
	f := map[string]*fn.Func{"+": timefn.TimePlus, "-": timefn.TimeMinus}[e.Op]
	if e.Op == "-" && (t == value.Timestamp || isTime(y)) {
		f = timefn.TimeBetween
		if isDate(e.X) && isDate(e.Y) {
			f = timefn.DaysBetween
		}
	}
	switch {
	case f == nil, x.Type() != value.Timestamp && f.Result == value.Timestamp,
		t == value.Timestamp && f.Result == value.Timestamp, t != value.Timestamp && t != value.Text &&
			t != value.Interval && t != value.Integer && t != value.Null:
		return nil, plan.Errorf(e.Pos, plan.CodeType,
			"times take + and - with an interval, time + '1 day'::interval, or with a number of days",
			"there is no %s %s %s", x.Type(), e.Op, y.Type())
	}
	return &expr.Call{F: f, Args: []expr.Expr{x, y}, T: f.Result}, nil
}

// isDate reports whether e is written as a day, a date in PostgreSQL; columns hold times.
func isDate(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Cast:
		return e.Type.Name == "date"
	case *ast.Call:
		return strings.EqualFold(e.Name, "make_date")
	case *ast.Column:
		return len(e.Parts) == 1 && strings.EqualFold(e.Parts[0], "current_date")
	}
	return false
}

// isTime reports whether x is a constant text that reads as a time.
func isTime(x expr.Expr) bool {
	v, ok := expr.ConstantValue(x)
	if !ok || v.T != value.Text {
		return false
	}
	_, err := value.Cast(v, value.Timestamp)
	return err == nil
}

// typeModifier applies what the name of a type demands of the value besides its type here: whole days of DATE, digits
// and decimals of NUMERIC, the range of SMALLINT, the length of VARCHAR, the form of JSONB.
func (b *Binder) typeModifier(t ast.Type, x *expr.Cast) expr.Expr {
	b.Types.infer(x)
	call := func(f *fn.Func, args ...expr.Expr) expr.Expr {
		return &expr.Call{F: f, Args: args, T: f.Result}
	}
	named := func(name string) *fn.Func { return b.Catalog.Declared.Functions.Scalar(name) }
	number := func(n int64) expr.Expr { return &expr.Const{V: value.Int(n)} }
	switch t.Name {
	case "date":
		return call(timefn.DateCast, x.X)
	case "smallint", "int2":
		return call(numfn.SmallintCast, x)
	case "jsonb":
		return call(jsonfn.JSONBCast, x)
	case "numeric", "decimal":
		if t.Size > 0 {
			return call(numfn.NumericCast, x, number(t.Size), number(t.Scale))
		}
	case "varchar", "character varying", "char", "character", "bpchar":
		if t.Size > 0 {
			return call(named("left"), x, number(t.Size))
		}
	}
	return x
}

// atZone binds AT TIME ZONE: the local time in a zone of a timestamp, or the timestamp of a local time.
func (b *Binder) atZone(e *ast.Binary, s *scope) (expr.Expr, error) {
	if c, ok := e.Y.(*ast.Cast); ok && c.Type.Name == "interval" {
		return nil, plan.Errorf(e.Y.Position(), plan.CodeFeature, "write 'UTC-2' for two hours to the east",
			"a zone is a name or an offset, not an interval")
	}
	f := b.Catalog.Declared.Functions.Scalar(timefn.AtZone)
	if isLocalTime(e.X) {
		f = timefn.FromZone
	}
	return b.bindOf(f, s, e.Y, e.X)
}

// isLocalTime reports whether e is written as a timestamp without a time zone. Columns hold timestamps with one.
func isLocalTime(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Cast:
		return e.Type.Name == "timestamp"
	case *ast.Binary:
		if e.Op == "AT TIME ZONE" {
			return !isLocalTime(e.X)
		}
		return (e.Op == "+" || e.Op == "-") && isLocalTime(e.X)
	case *ast.Call:
		switch name := strings.ToLower(e.Name); name {
		case "date_trunc", timefn.AtZone:
			return len(e.Args) > 1 && isLocalTime(e.Args[1].Value) == (name == "date_trunc")
		case "make_timestamp":
			return true
		}
	case *ast.Column:
		return len(e.Parts) == 1 && strings.EqualFold(e.Parts[0], "localtimestamp")
	}
	return false
}

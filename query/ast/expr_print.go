package ast

import (
	"math"
	"strconv"
	"strings"
)

// String prints the expression.
func (x *Literal) String() string    { return render(x) }
func (x *Param) String() string      { return render(x) }
func (x *Column) String() string     { return render(x) }
func (x *Star) String() string       { return render(x) }
func (x *Unary) String() string      { return render(x) }
func (x *Binary) String() string     { return render(x) }
func (x *Between) String() string    { return render(x) }
func (x *In) String() string         { return render(x) }
func (x *IsNull) String() string     { return render(x) }
func (x *IsBool) String() string     { return render(x) }
func (x *Case) String() string       { return render(x) }
func (x *Quantified) String() string { return render(x) }
func (x *Array) String() string      { return render(x) }
func (x *Subscript) String() string  { return render(x) }
func (x *Field) String() string      { return render(x) }
func (x *Collate) String() string    { return render(x) }
func (x *Cast) String() string       { return render(x) }
func (x *Call) String() string       { return render(x) }
func (x *Tuple) String() string      { return render(x) }
func (x *Exists) String() string     { return render(x) }
func (x *Subselect) String() string  { return render(x) }

// String prints the part of an expression.
func (x Type) String() string     { return render(x) }
func (x Argument) String() string { return render(x) }
func (x *Window) String() string  { return render(x) }
func (x *Frame) String() string   { return render(x) }
func (x Bound) String() string    { return render(x) }

func (x *Literal) precedence() int {
	switch v := x.Value.(type) {
	case int64:
		if v < 0 {
			return PrecedenceSign
		}
	case float64:
		if math.Signbit(v) {
			return PrecedenceSign
		}
	}
	return precedencePrimary
}
func (x *Param) precedence() int  { return precedencePrimary }
func (x *Column) precedence() int { return precedencePrimary }
func (x *Star) precedence() int   { return precedencePrimary }
func (x *Unary) precedence() int {
	if x.Op == "NOT" {
		return PrecedenceNot
	}
	return PrecedenceSign
}
func (x *Binary) precedence() int     { return binaryPrecedence[x.Op] }
func (x *Between) precedence() int    { return PrecedenceComparison }
func (x *In) precedence() int         { return PrecedenceComparison }
func (x *IsNull) precedence() int     { return PrecedenceComparison }
func (x *IsBool) precedence() int     { return PrecedenceComparison }
func (x *Case) precedence() int       { return precedencePrimary }
func (x *Quantified) precedence() int { return PrecedenceComparison }
func (x *Array) precedence() int      { return precedencePrimary }
func (x *Subscript) precedence() int  { return precedencePrimary }
func (x *Field) precedence() int      { return precedencePrimary }
func (x *Collate) precedence() int    { return precedencePrimary }
func (x *Cast) precedence() int       { return precedencePrimary }
func (x *Call) precedence() int       { return precedencePrimary }
func (x *Tuple) precedence() int      { return precedencePrimary }
func (x *Exists) precedence() int     { return precedencePrimary }
func (x *Subselect) precedence() int  { return precedencePrimary }

func (x *Literal) print(p *printer) {
	switch v := x.Value.(type) {
	case string:
		p.text(QuoteText(v))
	case int64:
		p.text(strconv.FormatInt(v, 10))
	case float64:
		s := strconv.FormatFloat(v, 'g', -1, 64)
		p.text(s)
		p.when(!strings.ContainsAny(s, ".e"), ".0")
	case bool:
		p.text(strings.ToUpper(strconv.FormatBool(v)))
	default:
		p.text("NULL")
	}
}

func (x *Param) print(p *printer) { p.text("$", strconv.Itoa(x.Index)) }

// A subscript may follow, which would make an array of that name, and LIMIT may stand before, whose ALL is
// no column.
func (x *Column) print(p *printer) {
	first, rest := x.Parts[0], x.Parts[1:]
	if len(rest) == 0 && strings.EqualFold(first, "array") || strings.EqualFold(first, "all") {
		p.text(`"`, first, `"`)
		if len(rest) > 0 {
			p.text(".", dotted(rest...))
		}
		return
	}
	p.text(dotted(x.Parts...))
}

func (x *Star) print(p *printer) {
	p.text(dotted(x.Qualifier...))
	p.when(len(x.Qualifier) > 0, ".")
	p.text("*")
}

func (x *Unary) print(p *printer) {
	if x.Op == "NOT" {
		p.text("NOT ")
		p.operand(x.X, PrecedenceNot)
		return
	}
	p.text(x.Op)
	// A sign before a number is part of the number, and -- is a comment.
	if _, number := x.X.(*Literal); number || x.X.precedence() <= PrecedenceSign {
		p.text("(")
		x.X.print(p)
		p.text(")")
		return
	}
	x.X.print(p)
}

func (x *Binary) print(p *printer) {
	strength := x.precedence()
	p.operand(x.X, strength)
	p.text(" ", x.Op, " ")
	p.operand(x.Y, strength+1)
}

func (x *Between) print(p *printer) {
	p.operand(x.X, PrecedenceComparison)
	p.when(x.Not, " NOT")
	p.text(" BETWEEN ")
	p.operand(x.Low, PrecedenceComparison+1)
	p.text(" AND ")
	p.operand(x.High, PrecedenceComparison+1)
}

func (x *In) print(p *printer) {
	p.operand(x.X, PrecedenceComparison)
	p.when(x.Not, " NOT")
	p.text(" IN (")
	if x.Select != nil {
		x.Select.print(p)
	} else {
		list(p, "", x.List)
	}
	p.text(")")
}

func (x *IsNull) print(p *printer) {
	p.operand(x.X, PrecedenceComparison)
	p.text(" IS ")
	p.when(x.Not, "NOT ")
	p.text("NULL")
}

func (x *IsBool) print(p *printer) {
	p.operand(x.X, PrecedenceComparison)
	p.text(" IS ")
	p.when(x.Not, "NOT ")
	p.text(strings.ToUpper(strconv.FormatBool(x.Value)))
}

func (x *Case) print(p *printer) {
	p.text("CASE")
	p.clause(" ", x.Operand)
	for _, w := range x.Whens {
		p.clause(" WHEN ", w.When)
		p.clause(" THEN ", w.Then)
	}
	p.clause(" ELSE ", x.Else)
	p.text(" END")
}

func (x *Cast) print(p *printer) {
	p.text("CAST(")
	x.X.print(p)
	p.text(" AS ")
	x.Type.print(p)
	p.text(")")
}

func (x Type) print(p *printer) {
	if x.Schema != "" {
		p.text(QuoteName(x.Schema), ".")
	}
	if x.Name == "double precision" || x.Name == "character varying" {
		p.text(x.Name)
	} else {
		p.text(QuoteName(x.Name))
	}
	if x.Size > 0 {
		p.text("(", strconv.FormatInt(x.Size, 10))
		if x.Scale > 0 {
			p.text(",", strconv.FormatInt(x.Scale, 10))
		}
		p.text(")")
	}
	p.when(x.Array, "[]")
}

// opening lists the words that open something else than a call before a parenthesis.
var opening = map[string]bool{"cast": true, "text": true, "array": true, "values": true, "any": true, "some": true,
	"all": true, "operator": true,
	"rollup": true, "cube": true}

func (x *Call) print(p *printer) {
	switch {
	case x.Schema != "":
		p.text(QuoteName(x.Schema), ".", QuoteName(x.Name))
	case opening[strings.ToLower(x.Name)]:
		p.text(`"`, x.Name, `"`)
	default:
		p.text(QuoteName(x.Name))
	}
	p.text("(")
	p.when(x.Distinct, "DISTINCT ")
	p.when(x.Star, "*")
	list(p, "", x.Args)
	if x.Within {
		p.text(") WITHIN GROUP (ORDER BY ")
		list(p, "", x.OrderBy)
	} else {
		list(p, " ORDER BY ", x.OrderBy)
	}
	p.text(")")
	if x.Filter != nil {
		p.clause(" FILTER (WHERE ", x.Filter)
		p.text(")")
	}
	if x.Over != nil {
		p.text(" OVER ")
		x.Over.print(p)
	}
}

func (x *Window) print(p *printer) {
	p.text("(")
	sep := ""
	if len(x.PartitionBy) > 0 {
		list(p, "PARTITION BY ", x.PartitionBy)
		sep = " "
	}
	if len(x.OrderBy) > 0 {
		list(p, sep+"ORDER BY ", x.OrderBy)
		sep = " "
	}
	if x.Frame != nil {
		p.text(sep)
		x.Frame.print(p)
	}
	p.text(")")
}

func (x *Frame) print(p *printer) {
	p.text(x.Unit, " BETWEEN ")
	x.From.print(p)
	p.text(" AND ")
	x.To.print(p)
}

func (x Bound) print(p *printer) {
	switch {
	case x.Kind == "CURRENT ROW":
		p.text(x.Kind)
	case x.N == nil:
		p.text("UNBOUNDED ", x.Kind)
	default:
		p.operand(x.N, PrecedenceConcat)
		p.text(" ", x.Kind)
	}
}

func (x Argument) print(p *printer) {
	if x.Name != "" {
		p.text(QuoteName(x.Name), " => ")
	}
	x.Value.print(p)
}

func (x *Tuple) print(p *printer) {
	p.text("(")
	list(p, "", x.Items)
	p.text(")")
}

func (x *Exists) print(p *printer) {
	p.text("EXISTS (")
	x.Select.print(p)
	p.text(")")
}

func (x *Subselect) print(p *printer) {
	p.text("(")
	x.Select.print(p)
	p.text(")")
}

package bind

import (
	"parlance/query/expr"
	"parlance/query/fn"
	"parlance/query/fn/jsonfn"
	"parlance/storage/value"
)

// Parameters are the types of the parameters of a statement by number minus one, as far as
// their surroundings tell; Null where nothing does.
type Parameters []Parameter

// Parameter is the type of a parameter, or of the members of an array.
type Parameter struct {
	Type  value.Type
	Array bool
	Cast  string // the type that the statement casts it to, where it is one that only casts know
}

// param returns a parameter. That one is a float must be known, for it decides what arithmetic
// yields; other types show at run time.
func (b *Binder) param(index int) *expr.Param {
	p := &expr.Param{Index: index}
	if b.Floats>>(index-1)&1 == 1 {
		p.T = value.Float
		b.Types.expect(p, value.Float)
	}
	return p
}

// declared is an argument where a type is declared: a parameter becomes one of it, whatever a program gives.
func (b *Binder) declared(x expr.Expr, t value.Type) expr.Expr {
	if _, ok := x.(*expr.Param); !ok || x.Type() != value.Null || t == value.Null {
		return adapted(x, t)
	}
	b.Types.expect(x, t)
	return &expr.Cast{X: x, T: t}
}

// repeated is the number of the parameter that x is, 0 for other expressions.
func repeated(x expr.Expr) int {
	if p, ok := x.(*expr.Param); ok {
		return p.Index
	}
	return 0
}

// expect notes that a parameter stands for a value of a type.
func (p *Parameters) expect(x expr.Expr, t value.Type) { p.note(x, Parameter{Type: t}) }

// note notes what a parameter stands for.
func (p *Parameters) note(x expr.Expr, as Parameter) {
	switch x := x.(type) {
	case *expr.Param:
		p.Note(x.Index, as)
	case *expr.Arith: // -$1
		if x.T == value.Null {
			p.note(x.Y, as)
		}
	}
}

// Note notes what the parameter of a number stands for; the first use counts.
func (p *Parameters) Note(index int, as Parameter) {
	if as == (Parameter{}) || index < 1 {
		return
	}
	for len(*p) < index {
		*p = append(*p, Parameter{})
	}
	if (*p)[index-1] == (Parameter{}) {
		(*p)[index-1] = as
	}
}

// Add notes what others know.
func (p *Parameters) Add(others Parameters) {
	for i, as := range others {
		p.Note(i+1, as)
	}
}

// alike notes that two operands have one type.
func (p *Parameters) alike(x, y expr.Expr) {
	p.expect(x, y.Type())
	p.expect(y, x.Type())
}

// infer notes what the direct operands of e stand for.
func (p *Parameters) infer(e expr.Expr) {
	switch e := e.(type) {
	case *expr.Compare:
		p.alike(e.X, e.Y)
	case *expr.Distinct:
		p.alike(e.X, e.Y)
	case *expr.In:
		for _, x := range e.List {
			p.alike(e.X, x)
		}
	case *expr.Arith:
		p.expect(e.X, e.T)
		p.expect(e.Y, e.T)
	case *expr.Logic:
		p.expect(e.X, value.Boolean)
		p.expect(e.Y, value.Boolean)
	case *expr.Not:
		p.expect(e.X, value.Boolean)
	case *expr.IsBool:
		p.expect(e.X, value.Boolean)
	case *expr.Concat:
		p.expect(e.X, value.Text)
		p.expect(e.Y, value.Text)
	case *expr.Quantified:
		p.note(e.Array, Parameter{Type: e.X.Type(), Array: true})
	case *expr.Match:
		p.expect(e.X, value.Text)
		p.expect(e.Y, value.Text)
	case *expr.Search:
		p.expect(e.Query, value.Text)
	case *expr.Cast:
		p.expect(e.X, e.T)
	case *expr.Case:
		for i := range e.Whens {
			p.expect(e.Whens[i], value.Boolean)
			p.expect(e.Thens[i], e.T)
		}
		if e.Else != nil {
			p.expect(e.Else, e.T)
		}
	case *expr.Call:
		p.arguments(e)
	}
}

// arguments notes the types that a function declares, or that its other arguments have.
func (p *Parameters) arguments(c *expr.Call) {
	if c.F == jsonfn.ArrayCast {
		if t, ok := c.Args[1].(*expr.Const); ok {
			member, _ := value.ParseType(t.V.S)
			p.note(c.Args[0], Parameter{Type: member, Array: true})
		}
		return
	}
	if c.F == jsonfn.ArrayOf {
		return
	}
	for i, x := range c.Args {
		t := c.F.Args[min(i, len(c.F.Args)-1)]
		if t == fn.Any && c.F.Result == fn.Any {
			t = c.T
		}
		p.expect(x, t)
	}
}

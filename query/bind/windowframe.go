package bind

import (
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// windowFrame binds a frame under an order; nil is the default.
func (b *Binder) windowFrame(f *ast.Frame, order []plan.WindowOrder) (plan.WindowFrame, error) {
	if f == nil {
		return plan.DefaultFrame, nil
	}
	out := plan.WindowFrame{Unit: map[string]plan.FrameUnit{"ROWS": plan.RowsFrame, "RANGE": plan.RangeFrame}[f.Unit]}
	for _, p := range []struct {
		from ast.Bound
		to   *plan.WindowBound
	}{{f.From, &out.From}, {f.To, &out.To}} {
		switch {
		case p.from.Kind == "CURRENT ROW":
			continue
		case p.from.Kind == "PRECEDING":
			p.to.Sign = -1
		default:
			p.to.Sign = 1
		}
		if p.from.N == nil {
			p.to.Open = true
			continue
		}
		var err error
		p.to.At = p.from.Pos
		if p.to.N, err = b.frameBound(out.Unit, p.from, order); err != nil {
			return out, err
		}
	}
	if out.From.Open && out.From.Sign > 0 || out.To.Open && out.To.Sign < 0 || out.To.Sign < out.From.Sign {
		return out, plan.Errorf(f.Pos, plan.CodeWindow, "", "the frame ends before it begins")
	}
	return out, nil
}

// frameBound binds a number of rows, or for RANGE a distance from the key of the order.
func (b *Binder) frameBound(unit plan.FrameUnit, at ast.Bound, order []plan.WindowOrder) (expr.Expr, error) {
	x, err := b.bind(at.N, &scope{})
	if err != nil {
		return nil, err
	}
	if unit == plan.RangeFrame {
		return b.frameDistance(x, at, order)
	}
	if c, ok := x.(*expr.Const); ok && (c.V.T != value.Integer || c.V.Int() < 0) {
		return nil, plan.Errorf(at.Pos, plan.CodeInvalid, "",
			"a frame is bounded by a whole number of %s from 0, not %s", unit, c)
	}
	b.Types.expect(x, value.Integer)
	return x, nil
}

// frameDistance checks that a distance fits the key: a number for numbers, an interval for times.
func (b *Binder) frameDistance(x expr.Expr, at ast.Bound, order []plan.WindowOrder) (expr.Expr, error) {
	if len(order) != 1 {
		return nil, plan.Errorf(at.Pos, plan.CodeWindow, "ROWS counts rows",
			"RANGE with a distance needs one expression in ORDER BY, not %d", len(order))
	}
	key := order[0].X.Type()
	number := func(t value.Type) bool { return t == value.Integer || t == value.Float }
	if number(key) {
		x = adapted(adapted(x, value.Integer), value.Float)
	}
	switch t := x.Type(); {
	case number(key) && (number(t) || t == value.Null):
		b.Types.expect(x, key)
	case key == value.Timestamp && (t == value.Text || t == value.Interval || t == value.Null):
		b.Types.expect(x, value.Interval)
		if c, ok := x.(*expr.Const); ok && t == value.Text {
			if _, err := value.Cast(c.V, value.Interval); err != nil {
				return nil, plan.Errorf(at.Pos, plan.CodeInvalid, "write INTERVAL '1 day' PRECEDING", "%v", err)
			}
		}
	default:
		return nil, plan.Errorf(at.Pos, plan.CodeFeature,
			"RANGE takes numbers for an order of numbers, intervals for one of times; ROWS counts rows",
			"there are no distances of %s between values of %s", t, key)
	}
	return x, nil
}

package exec

import (
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/expr"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/value"
)

// limit makes the operator of LIMIT and OFFSET, whose numbers are evaluated now.
func (r *Execution) limit(n *plan.Limit) (operator.Operator, error) {
	left, offset := int64(-1), int64(0)
	for _, p := range []struct {
		e   expr.Expr
		dst *int64
		at  ast.Pos
	}{{n.Limit, &left, n.LimitAt}, {n.Offset, &offset, n.OffsetAt}} {
		if p.e == nil {
			continue
		}
		v, err := p.e.At(r.Env, &value.Batch{N: 1}, 0)
		if err != nil {
			return nil, err
		}
		if v.IsNull() {
			continue
		}
		rows, err := value.Cast(v, value.Integer)
		if err != nil || rows.Int() < 0 {
			return nil, bind.NotRows(p.at, v)
		}
		*p.dst = rows.Int()
	}
	if left == 0 {
		return operator.NewUnion(), nil
	}
	in, err := r.Build(n.Input)
	if err != nil {
		return nil, err
	}
	return operator.NewLimit(in, n, left, offset), nil
}

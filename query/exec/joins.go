package exec

import (
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/expr"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/value"
)

func (r *Execution) join(n *plan.Join) (operator.Operator, error) {
	if n.Filter != nil {
		return &dynamicFilterJoin{r: r, n: n}, nil
	}
	if n.Lookup != nil {
		return &indexLookupJoin{r: r, n: n}, nil
	}
	return r.HashJoin(n)
}

func (r *Execution) HashJoin(n *plan.Join) (operator.Operator, error) {
	left, err := r.Build(n.Left)
	if err != nil {
		return nil, err
	}
	right, err := r.Build(n.Right)
	if err != nil {
		left.Close()
		return nil, err
	}
	return r.newHashJoin(n, left, right), nil
}

func (r *Execution) newHashJoin(n *plan.Join, left, right operator.Operator) *operator.Join {
	flip := len(n.LeftKeys) > 0 && n.Kind != "LEFT" && 4*r.Estimate(n.Left) < r.Estimate(n.Right)
	j := operator.NewJoin(n, r.Env, left, right, flip, r.budget())
	if r.BuildSides != nil && len(n.LeftKeys) > 0 {
		r.keepBuildSide(n, j)
	}
	return j
}

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

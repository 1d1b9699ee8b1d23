package exec

import (
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// Scalar evaluates a bound expression that reads no row.
func (r *Execution) Scalar(x expr.Expr) (value.Value, error) {
	return x.At(r.Env, &value.Batch{N: 1}, 0)
}

// TextOf evaluates an expression that must give text: a path or a parameter.
func (r *Execution) TextOf(e ast.Expr) (string, error) {
	switch e := e.(type) {
	case *ast.Literal:
		if s, ok := e.Value.(string); ok {
			return s, nil
		}
	case *ast.Param:
		v, err := (&expr.Param{Index: e.Index}).At(r.Env, nil, 0)
		if err != nil {
			return "", plan.Errorf(e.Pos, "08P01", "", "%v", err)
		}
		if v.T == value.Text {
			return v.S, nil
		}
	}
	return "", plan.Errorf(e.Position(), plan.CodeType, "", "text is wanted here")
}

// JobNumber evaluates the number of a job, session or statement.
func (r *Execution) JobNumber(x ast.Expr) (uint64, error) {
	b, err := r.Binder().Constant(x)
	if err != nil {
		return 0, err
	}
	v, err := r.Scalar(b)
	if err == nil {
		v, err = value.Cast(v, value.Integer)
	}
	if err != nil || v.IsNull() || v.Int() < 1 {
		return 0, plan.Errorf(x.Position(), plan.CodeType, "SHOW JOBS lists them", "the number of a job is wanted")
	}
	return uint64(v.Int()), nil
}

package exec

import (
	"parlance/query/ast"
	"parlance/query/plan"
	"parlance/storage/value"
)

// JobNumber evaluates the number of a job.
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

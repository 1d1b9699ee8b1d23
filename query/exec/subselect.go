package exec

import (
	"parlance/query/expr"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/value"
)

// An execution runs the selects within its expressions.
var _ expr.Runner = (*Execution)(nil)

// SelectRows runs the plan of a select in an environment and returns at most limit rows, 0 for all.
func (r *Execution) SelectRows(env *expr.Env, p expr.Plan, limit int) ([][]value.Value, error) {
	inner := *r
	inner.Env = env
	return inner.drain(p.(plan.Tree).N, limit)
}

func (r *Execution) drain(n plan.Node, limit int) ([][]value.Value, error) {
	op, err := r.Build(n)
	if err != nil {
		return nil, err
	}
	return operator.DrainWithin(r.Env.Ctx, op, limit, r.Env.Memory)
}

// LookUp runs a plan in which one table is read for keys only; total keys have been looked up for the statement so far.
// ok is false if reading the table is cheaper.
func (r *Execution) LookUp(env *expr.Env, p expr.Plan, keys [][]value.Value, total int) ([][]value.Value, bool, error) {
	k := p.(plan.Keyed)
	inner := *r
	inner.Env = env
	if !inner.LookupIsCheaper(env.Context(), k.Table, total) {
		return nil, false, nil
	}
	of := make([][]value.Value, len(keys))
	for i, key := range keys {
		for _, c := range k.Keys {
			of[i] = append(of[i], key[c])
		}
	}
	inner.SetLookupKeys(k.Table, of)
	rows, err := inner.drain(k.N, 0)
	r.countLookupKeys(k.Table, len(keys))
	return rows, true, err
}

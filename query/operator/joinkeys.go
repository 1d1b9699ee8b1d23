package operator

import (
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// Keys returns the different keys of the held right side of a join without NULL, those at some places.
func (h *BuildSide) Keys(j *plan.Join, at []int, env *expr.Env) ([][]value.Value, error) {
	var rows []int
	for _, first := range h.first {
		if first > 0 {
			rows = append(rows, int(first)-1)
		}
	}
	b := &value.Batch{N: len(rows), Cols: h.batch(TypesOf(j.Right.Columns()), rows)}
	vecs, err := EvalAll(j.RightKeys, env, b)
	if err != nil {
		return nil, err
	}
	keys := make([][]value.Value, len(rows))
	for i := range rows {
		for _, k := range at {
			keys[i] = append(keys[i], vecs[k].At(i))
		}
	}
	return keys, nil
}

package exec

import (
	"parlance/query/operator"
	"parlance/query/plan"
)

// join makes the operator of a join: one that reads a side first where the plan says so, else a hash join.
func (r *Execution) join(n *plan.Join) (operator.Operator, error) {
	if n.Filter != nil {
		return &dynamicFilterJoin{r: r, n: n}, nil
	}
	if n.Lookup != nil {
		return &indexLookupJoin{r: r, n: n}, nil
	}
	return r.HashJoin(n)
}

// HashJoin makes a join that reads one side into a hash table and looks the rows of the other up in it.
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

// newHashJoin joins operators. The right side is the build side, or the left one if it is thought to be much smaller.
func (r *Execution) newHashJoin(n *plan.Join, left, right operator.Operator) *operator.Join {
	flip := len(n.LeftKeys) > 0 && n.Kind != "LEFT" && 4*r.Estimate(n.Left) < r.Estimate(n.Right)
	j := operator.NewJoin(n, r.Env, left, right, flip, r.budget())
	if r.BuildSides != nil && len(n.LeftKeys) > 0 {
		r.keepBuildSide(n, j)
	}
	return j
}

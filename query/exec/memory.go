package exec

import (
	"parlance/query/operator"
)

// memory is how much an operator may hold before it writes rows to temporary files.
func (r *run) memory() int {
	return max(operator.LeastMemory, min(r.ses.Settings.WorkMemory, r.statementMemory(r.ses))<<20)
}

// budget returns one for an operator of the run.
func (r *run) budget() *operator.Budget {
	return operator.NewBudget(r.memory(), &r.Database.pool)
}

package exec

import (
	"runtime"

	"parlance/query/operator"
)

// memory is how many bytes an operator may use before it writes rows to temporary files.
func (r *Execution) memory() int {
	return max(operator.LeastMemory, min(r.Session.Settings.WorkMemory, r.statementMemory(r.Session))<<20)
}

// budget returns the memory of one operator.
func (r *Execution) budget() *operator.Budget {
	return operator.NewBudget(r.memory(), &r.Database.Pool)
}

// cached reports whether the session uses the cache of predictions.
func (r *Execution) cached() bool { return r.Session.Settings.Cache != "off" }

// Workers is the number of goroutines that annotate.
func (r *Execution) Workers() int {
	if n := r.Session.Settings.Workers; n > 0 {
		return n
	}
	return max(1, runtime.GOMAXPROCS(0))
}

package exec

import (
	"runtime"

	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/operator"
)

// Codes of limits.
const (
	CodeStatementBytes = "54000"
	CodeResultRows     = "54P02"
)

// CheckStatement refuses a statement that is longer than max_statement_bytes.
func (e *Database) CheckStatement(statement string) error {
	if limit := e.SystemSettings.Load().MaxStatementBytes; len(statement) > limit {
		return &ast.Error{Code: CodeStatementBytes,
			Msg:  text.Countf("the statement has %d {byte|bytes}, more than max_statement_bytes, %d", len(statement), limit),
			Hint: "LOAD and COPY … FROM STDIN take more, parameters too"}
	}
	return nil
}

// memory is how many bytes an operator may use before it writes rows to temporary files.
func (r *Execution) memory() int {
	return max(operator.LeastMemory, min(r.Session.Settings.WorkMemory, r.statementMemory(r.Session))<<20)
}

// budget returns the memory of one operator.
func (r *Execution) budget() *operator.Budget {
	return operator.NewBudget(r.memory(), r.Database.Pool)
}

// Workers is the number of goroutines that annotate.
func (r *Execution) Workers() int {
	if n := r.Session.Settings.Workers; n > 0 {
		return n
	}
	return max(1, runtime.GOMAXPROCS(0))
}

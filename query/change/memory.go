package change

import (
	"context"

	"parlance/algo/text"
	"parlance/query/exec"
	"parlance/query/expr"
	"parlance/query/operator"
	"parlance/storage/value"
)

// What a change holds in memory before it is stored counts against statement_memory until the statement ends.

// reserveRows counts rows against statement_memory.
func reserveRows(r *exec.Execution, rows [][]value.Value) error {
	return r.Env.Memory.Take(expr.RowsBytes(rows))
}

// reserveDocuments counts documents against statement_memory.
func reserveDocuments(r *exec.Execution, docs []*text.Document) error {
	n := 0
	for _, d := range docs {
		n += d.Bytes()
	}
	return r.Env.Memory.Take(n)
}

// materialise reads all rows of an operator into memory and closes it.
func materialise(r *exec.Execution, ctx context.Context, op operator.Operator) ([][]value.Value, error) {
	rows, err := operator.DrainWithin(ctx, op, 0, r.Env.Memory)
	if err != nil {
		return nil, err
	}
	return rows, reserveRows(r, rows)
}

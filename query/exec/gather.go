package exec

import (
	"context"

	"parlance/algo/text"
	"parlance/query/expr"
	"parlance/query/operator"
	"parlance/storage/value"
)

// What a change gathers before it is stored counts against statement_memory to the end of the statement.

// gatherRows counts rows.
func (r *Execution) gatherRows(rows [][]value.Value) error {
	return r.Env.Memory.Take(expr.RowsBytes(rows))
}

// gatherDocuments counts documents.
func (r *Execution) gatherDocuments(docs []*text.Document) error {
	n := 0
	for _, d := range docs {
		n += d.Bytes()
	}
	return r.Env.Memory.Take(n)
}

// gather reads all rows of an operator and closes it.
func (r *Execution) gather(ctx context.Context, op operator.Operator) ([][]value.Value, error) {
	rows, err := operator.DrainWithin(ctx, op, 0, r.Env.Memory)
	if err != nil {
		return nil, err
	}
	return rows, r.gatherRows(rows)
}

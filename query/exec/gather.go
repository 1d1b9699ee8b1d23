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
func (r *run) gatherRows(rows [][]value.Value) error {
	return r.env.Memory.Take(expr.RowsBytes(rows))
}

// gatherDocuments counts documents.
func (r *run) gatherDocuments(docs []*text.Document) error {
	n := 0
	for _, d := range docs {
		n += d.Bytes()
	}
	return r.env.Memory.Take(n)
}

// gather reads all rows of an operator and closes it.
func (r *run) gather(ctx context.Context, op operator.Operator) ([][]value.Value, error) {
	rows, err := operator.DrainWithin(ctx, op, 0, r.env.Memory)
	if err != nil {
		return nil, err
	}
	return rows, r.gatherRows(rows)
}

package exec

import (
	"context"

	"parlance/query/plan"
	"parlance/storage/value"
)

// tag is a result without rows.
func tag(text string) *Result { return &Result{Tag: text} }

// table is a result of given rows.
func tableResult(columns []plan.Column, rows [][]value.Value) *Result {
	return &Result{Columns: columns, Rows: newRows(columns, rows), Tag: ""}
}

// rowsOperator yields rows that are in memory.
type rowsOperator struct {
	types []value.Type
	rows  [][]value.Value
}

func newRows(columns []plan.Column, rows [][]value.Value) *rowsOperator {
	types := make([]value.Type, len(columns))
	for i, c := range columns {
		types[i] = c.Type
	}
	return &rowsOperator{types, rows}
}

func (o *rowsOperator) Next(ctx context.Context) (*value.Batch, error) {
	if len(o.rows) == 0 {
		return nil, ctx.Err()
	}
	n := min(len(o.rows), value.BatchSize)
	b := value.FromRows(o.types, o.rows[:n])
	o.rows = o.rows[n:]
	return b, nil
}

func (o *rowsOperator) Close() error { return nil }

// Result is what a statement gives: rows with columns, or a tag.
type Result struct {
	Columns []plan.Column
	Rows    Operator // nil without rows
	Tag     string   // such as LOAD 42
}

package operator

import (
	"context"

	"parlance/query/plan"
	"parlance/storage/value"
)

// Tag is a result without rows.
func Tag(text string) *Result { return &Result{Tag: text} }

// TableResult is a result of given rows.
func TableResult(columns []plan.Column, rows [][]value.Value) *Result {
	return &Result{Columns: columns, Rows: NewRows(columns, rows), Tag: ""}
}

// Rows yields rows that are in memory.
type Rows struct {
	Types []value.Type
	Rows  [][]value.Value
}

// NewRows returns rows with the types of columns.
func NewRows(columns []plan.Column, rows [][]value.Value) *Rows {
	types := make([]value.Type, len(columns))
	for i, c := range columns {
		types[i] = c.Type
	}
	return &Rows{types, rows}
}

func (o *Rows) Next(ctx context.Context) (*value.Batch, error) {
	if len(o.Rows) == 0 {
		return nil, ctx.Err()
	}
	n := min(len(o.Rows), value.BatchSize)
	b := value.FromRows(o.Types, o.Rows[:n])
	o.Rows = o.Rows[n:]
	return b, nil
}

func (o *Rows) Close() error { return nil }

// Result is what a statement gives: rows with columns, or a tag.
type Result struct {
	Columns []plan.Column
	Rows    Operator // nil without rows
	Tag     string   // such as LOAD 42
}

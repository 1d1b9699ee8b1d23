package models

import (
	"context"

	"parlance/algo/kind"
	"parlance/query/ast"
	"parlance/query/fault"
	"parlance/storage/value"
)

// Damaged is the error for what the kind of a model has made wrongly.
func (c *Configured) Damaged(what string, err error) error {
	e := fault.New("XX000", "model %s of kind %s makes a damaged %s: %v", c.Label, c.Kind.Name, what, err).(*ast.Error)
	e.Hint = "the fault is in the kind; please report it with the statement"
	return e
}

// verifiedRows checks the batches of a relation of a model.
type verifiedRows struct {
	kind.Rows
	c   *Configured
	rel *kind.Relation
}

// Open opens a relation of a model.
func (c *Configured) Open(ctx context.Context, relation string, args []value.Value, run *kind.Run) (kind.Rows, error) {
	rows, err := c.Model.Open(ctx, relation, args, run)
	if err != nil {
		return nil, err
	}
	for i := range c.Schema.Relations {
		if r := &c.Schema.Relations[i]; r.Name == relation {
			return &verifiedRows{rows, c, r}, nil
		}
	}
	return rows, nil
}

// Next implements kind.Rows.
func (v *verifiedRows) Next(ctx context.Context) (*value.Batch, error) {
	b, err := v.Rows.Next(ctx)
	if err != nil || b == nil {
		return nil, err
	}
	if err := v.rel.Verify(b); err != nil {
		return nil, v.c.Damaged("relation "+v.rel.Name, err)
	}
	return b, nil
}

package db

import (
	"context"
	"errors"
	"iter"

	"parlance/storage/value"
)

// ErrNoRows, with code 02000, is what Scan of a Row returns if the statement gave no row.
var ErrNoRows error = &Error{Code: "02000", Message: "the statement gave no row"}

// Row is the first row of a result, or the error instead of it.
type Row struct {
	rows *Rows
	err  error
}

// QueryRow runs a statement for its first row. Errors come with Scan, which must be called: it gives the connection
// back.
func (c *Conn) QueryRow(ctx context.Context, statement string, args ...any) *Row {
	rows, err := c.Query(ctx, statement, args...)
	return &Row{rows, err}
}

// Scan stores the row, as Scan of Rows does, and leaves the others unread. Without a row it returns ErrNoRows.
func (r *Row) Scan(dst ...any) error {
	if r.err != nil {
		return r.err
	}
	if !r.rows.Next() {
		if err := r.rows.Close(); err != nil {
			return err
		}
		return ErrNoRows
	}
	err := r.rows.Scan(dst...)
	return errors.Join(err, r.rows.Close())
}

// All returns the rows left, as `for row, err := range rows.All()`, and closes the result in the end or when the loop
// is left. After an error, which comes with a nil row, there are no more.
func (r *Rows) All() iter.Seq2[[]value.Value, error] {
	return func(yield func([]value.Value, error) bool) {
		defer r.Close()
		for r.Next() {
			if !yield(r.Values(), nil) {
				return
			}
		}
		if err := r.Err(); err != nil {
			yield(nil, err)
		}
	}
}

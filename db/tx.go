package db

import (
	"context"
	"errors"
)

// Tx is a transaction block of a connection. Statements of the connection that do not go through it are in it too.
type Tx struct{ c *Conn }

// Begin begins a transaction block; it fails in an open one. Commit or Rollback ends it.
func (c *Conn) Begin(ctx context.Context) (*Tx, error) {
	if c.Block() != NoBlock {
		return nil, &Error{Code: "25001", Message: "the connection has a transaction block already",
			Hint: "end it first, or use SAVEPOINT"}
	}
	if _, err := c.Exec(ctx, "BEGIN"); err != nil {
		return nil, err
	}
	return &Tx{c}, nil
}

// Transaction runs f in a transaction block: committed if f returns nil, else, and on a panic, rolled back.
func (c *Conn) Transaction(ctx context.Context, f func(*Tx) error) (err error) {
	tx, err := c.Begin(ctx)
	if err != nil {
		return err
	}
	done := false
	defer func() {
		if !done {
			err = errors.Join(err, tx.Rollback(context.WithoutCancel(ctx)))
		}
	}()
	if err := f(tx); err != nil {
		return err
	}
	done = true
	return tx.Commit(ctx)
}

// Exec is Exec of the connection.
func (t *Tx) Exec(ctx context.Context, statement string, args ...any) (Result, error) {
	return t.c.Exec(ctx, statement, args...)
}

// Query is Query of the connection.
func (t *Tx) Query(ctx context.Context, statement string, args ...any) (*Rows, error) {
	return t.c.Query(ctx, statement, args...)
}

// QueryRow is QueryRow of the connection.
func (t *Tx) QueryRow(ctx context.Context, statement string, args ...any) *Row {
	return t.c.QueryRow(ctx, statement, args...)
}

// Commit ends the block and keeps what it did. The block of a failed statement is rolled back, with an error of code
// 25P02.
func (t *Tx) Commit(ctx context.Context) error {
	failed := t.c.Block() == FailedBlock
	if _, err := t.c.Exec(ctx, "COMMIT"); err != nil {
		return err
	}
	if failed {
		return &Error{Code: "25P02", Message: "a statement of the transaction failed: it is rolled back"}
	}
	return nil
}

// Rollback ends the block and undoes what it did. Without an open block it does nothing.
func (t *Tx) Rollback(ctx context.Context) error {
	if t.c.Block() == NoBlock {
		return nil
	}
	_, err := t.c.Exec(ctx, "ROLLBACK")
	return err
}

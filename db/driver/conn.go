package driver

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"strings"
	"sync/atomic"

	"parlance/db"
)

// Conn is a connection of a pool: a session. (*sql.Conn).Raw gives it to a program.
type Conn struct {
	session *db.Conn
	tag     string
	ended   atomic.Bool // the database was closed
	closing func() error
}

var _ interface {
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
	driver.NamedValueChecker
} = (*Conn)(nil)

// Session returns the session, to set what receives notices and progress and the streams of LOAD
// STDIN and COPY while no statement runs.
func (c *Conn) Session() *db.Conn { return c.session }

// Tag tells what the last statement without rows has done, such as LOAD 42 documents 1024 tokens.
func (c *Conn) Tag() string { return c.tag }

// Prepare parses a statement.
func (c *Conn) Prepare(query string) (driver.Stmt, error) {
	return c.PrepareContext(context.Background(), query)
}

// PrepareContext parses a statement.
func (c *Conn) PrepareContext(_ context.Context, query string) (driver.Stmt, error) {
	s, err := c.session.Prepare(query)
	if err != nil {
		return nil, err
	}
	return &stmt{c, s}, nil
}

// ExecContext runs a statement, or several; the result is that of the last.
func (c *Conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (res driver.Result, err error) {
	list, err := c.parsed(query, len(args))
	for _, s := range list {
		if err == nil {
			res, err = (&stmt{c, s}).ExecContext(ctx, args)
		}
	}
	if err != nil {
		return nil, err
	}
	return res, nil
}

// QueryContext runs a statement that gives rows, or several.
func (c *Conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	list, err := c.parsed(query, len(args))
	if err != nil {
		return nil, err
	}
	first, err := (&stmt{c, list[0]}).QueryContext(ctx, args)
	if err != nil || len(list) == 1 {
		return first, err
	}
	return &results{first.(*rows), ctx, list[1:]}, nil
}

// CheckNamedValue leaves the conversion of arguments to the session. Names are refused: the
// language has numbered parameters only.
func (c *Conn) CheckNamedValue(v *driver.NamedValue) error {
	if v.Name != "" {
		return wrong("0A000", "write $1 and pass the value alone", "the parameter %s has a name, parameters are numbered",
			v.Name)
	}
	if _, ok := v.Value.(sql.Out); ok {
		return wrong("0A000", "read the rows of the statement", "parameter $%d is an output parameter, there are none",
			v.Ordinal)
	}
	return nil
}

// Ping fails when the database is closed.
func (c *Conn) Ping(ctx context.Context) error {
	_, err := c.ExecContext(ctx, "SELECT 1", nil)
	if c.ended.Load() {
		return driver.ErrBadConn
	}
	return err
}

// ResetSession makes the session as new before it is used again.
func (c *Conn) ResetSession(context.Context) error {
	if c.ended.Load() {
		return driver.ErrBadConn
	}
	c.tag = ""
	return c.session.Reset()
}

// IsValid reports whether the connection may go back to the pool. One with a transaction block is closed: there the
// block would keep others from what it has changed.
func (c *Conn) IsValid() bool { return !c.ended.Load() && c.session.Block() == db.NoBlock }

// Close ends the connection, with its transaction block, cursors and temporary objects.
func (c *Conn) Close() error {
	err := c.session.Close()
	if c.closing != nil {
		err = errors.Join(err, c.closing())
	}
	return err
}

// Begin begins a transaction.
func (c *Conn) Begin() (driver.Tx, error) {
	return c.BeginTx(context.Background(), driver.TxOptions{})
}

// BeginTx begins a transaction, in which statements read, and change corpora, lexicons, gazetteers and knowledge bases.
// Levels are those of BEGIN, and sql.LevelSnapshot, which is REPEATABLE READ. From that on a change or Commit may end
// with SQLSTATE 40001: others have changed the same, or what was read. Then the transaction is to be run again from its
// beginning.
func (c *Conn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	begin := "BEGIN"
	switch sql.IsolationLevel(o.Isolation) {
	case sql.LevelDefault:
	case sql.LevelReadUncommitted, sql.LevelReadCommitted, sql.LevelRepeatableRead, sql.LevelSerializable:
		begin += " ISOLATION LEVEL " + strings.ToUpper(sql.IsolationLevel(o.Isolation).String())
	case sql.LevelSnapshot:
		begin += " ISOLATION LEVEL REPEATABLE READ"
	default:
		return nil, wrong("0A000", "use sql.LevelSerializable or a level below it", "the isolation level %s is not supported",
			sql.IsolationLevel(o.Isolation))
	}
	if o.ReadOnly {
		begin += " READ ONLY"
	}
	if _, err := c.ExecContext(ctx, begin, nil); err != nil {
		return nil, err
	}
	return &tx{c}, nil
}

// tx is a transaction under way.
type tx struct{ c *Conn }

// Commit ends it; that is an error after a statement that failed.
func (t *tx) Commit() error {
	if _, err := t.c.ExecContext(context.Background(), "COMMIT", nil); err != nil {
		return err
	}
	if t.c.tag != "COMMIT" {
		return wrong("25P02", "", "a statement of the transaction failed, so it was rolled back")
	}
	return nil
}

// Rollback ends it.
func (t *tx) Rollback() error {
	_, err := t.c.ExecContext(context.Background(), "ROLLBACK", nil)
	return err
}

// seen keeps in mind that the database was closed.
func (c *Conn) seen(err error) error {
	if errors.Is(err, db.ErrClosed) {
		c.ended.Store(true)
	}
	return err
}

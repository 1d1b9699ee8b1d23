package driver

import (
	"context"
	"database/sql/driver"
	"strconv"
	"strings"

	"parlance/db"
)

// stmt is a prepared statement of a connection.
type stmt struct {
	c *Conn
	s *db.Stmt
}

var _ interface {
	driver.StmtExecContext
	driver.StmtQueryContext
} = (*stmt)(nil)

func (s *stmt) NumInput() int { return s.s.NumParams() }

func (s *stmt) Close() error { return nil }

func (s *stmt) Exec(args []driver.Value) (driver.Result, error) {
	return s.ExecContext(context.Background(), numbered(args))
}

func (s *stmt) Query(args []driver.Value) (driver.Rows, error) {
	return s.QueryContext(context.Background(), numbered(args))
}

func (s *stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	res, err := s.s.Exec(ctx, values(args)...)
	if err != nil {
		return nil, s.c.seen(err)
	}
	s.c.tag = res.Tag
	return result(affected(res)), nil
}

func (s *stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	r, err := s.s.Query(ctx, values(args)...)
	if err != nil {
		return nil, s.c.seen(err)
	}
	s.c.tag = r.Tag()
	return &rows{c: s.c, r: r}, nil
}

func numbered(args []driver.Value) []driver.NamedValue {
	out := make([]driver.NamedValue, len(args))
	for i, a := range args {
		out[i] = driver.NamedValue{Ordinal: i + 1, Value: a}
	}
	return out
}

func values(args []driver.NamedValue) []any {
	out := make([]any, len(args))
	for i, a := range args {
		out[i] = a.Value
	}
	return out
}

// result is the number of rows or documents that a statement was about.
type result int64

func (r result) RowsAffected() (int64, error) { return int64(r), nil }

func (result) LastInsertId() (int64, error) {
	return 0, wrong("0A000", "documents have ids of their own", "there is no last insert id")
}

// affected is the first number of the tag, such as 42 of LOAD 42 documents 1024 tokens, or the
// number of rows that were left unread.
func affected(res db.Result) int64 {
	for _, word := range strings.Fields(res.Tag) {
		if n, err := strconv.ParseInt(word, 10, 64); err == nil {
			return n
		}
	}
	return res.Rows
}

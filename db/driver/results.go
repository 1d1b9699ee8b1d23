package driver

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"

	"parlance/db"
)

// parsed parses a text of one statement or several; arguments are for one alone.
func (c *Conn) parsed(query string, args int) ([]*db.Stmt, error) {
	list, err := c.session.Wire().Immediate(query)
	switch {
	case err != nil:
		return nil, c.seen(err)
	case len(list) == 0:
		s, err := c.session.Prepare(query)
		return []*db.Stmt{s}, c.seen(err)
	case len(list) > 1 && args > 0:
		return nil, wrong("42601", "run them one by one", "%d statements take no arguments", len(list))
	}
	return list, nil
}

// results are the rows of several statements, a set for each. A statement runs when its set is asked for,
// and what is left when they are closed.
type results struct {
	*rows
	ctx  context.Context
	rest []*db.Stmt
}

var _ driver.RowsNextResultSet = (*results)(nil)

// HasNextResultSet reports whether statements are left.
func (r *results) HasNextResultSet() bool { return len(r.rest) > 0 }

// NextResultSet runs the next statement.
func (r *results) NextResultSet() error {
	if len(r.rest) == 0 {
		return io.EOF
	}
	s := &stmt{r.c, r.rest[0]}
	r.rest = r.rest[1:]
	err := r.rows.Close()
	if err == nil {
		var next driver.Rows
		if next, err = s.QueryContext(r.ctx, nil); err == nil {
			r.rows = next.(*rows)
			return nil
		}
	}
	r.rest = nil // as in a script, nothing runs after an error
	return err
}

// Close runs what is left.
func (r *results) Close() error {
	var err error
	for len(r.rest) > 0 && err == nil {
		err = r.NextResultSet()
	}
	return errors.Join(err, r.rows.Close())
}

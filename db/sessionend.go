package db

import (
	"errors"
)

// errConnClosed is what statements of a connection get after Close.
var errConnClosed = &Error{Code: "08003", Message: "the connection is closed"}

// Close ends the session: it cancels the statement under way and waits for its end, ends open rows, rolls back the
// transaction block, closes cursors and drops temporary objects. Later statements fail with code 08003. Closing again
// does nothing. Functions that receive notices or progress must not call it. Connections that are never closed keep
// their temporary objects until the database is closed.
func (c *Conn) Close() error {
	if c.closing.Swap(true) {
		return nil
	}
	if cancel := c.cancel.Load(); cancel != nil {
		(*cancel)(errConnClosed)
	}
	for _, r := range c.d.rowsOf(c) {
		_ = r.end(errConnClosed) // the reader of the rows learns it
	}
	if !c.interleaved && !c.overlapping {
		c.busy <- struct{}{}
		defer c.free()
	}
	c.ses.End()
	c.settle(nil)
	return wrap(c.dropTemporary())
}

// rowsOf lists the open rows of a connection.
func (d *DB) rowsOf(c *Conn) (open []*Rows) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for r := d.rows.next; r != &d.rows; r = r.next {
		if r.watched.c == c {
			open = append(open, r)
		}
	}
	return open
}

// dropTemporary drops the temporary objects of the session, which runs no statement. When the database is closed it has
// dropped them.
func (c *Conn) dropTemporary() error {
	if c.ses.Temporary == 0 {
		return nil
	}
	f, err := c.d.enter(nil)
	if errors.Is(err, ErrClosed) {
		return nil
	}
	defer c.d.wait.Done()
	defer f.leave()
	return f.engine.EndTemporary(c.ses)
}

// single is a session for one statement.
func (d *DB) single() *Conn {
	c := d.Conn()
	c.single = true
	return c
}

// endSingle drops the temporary objects of a session for one statement, which has ended and still counts as one under
// way: nobody could name them any more.
func (c *Conn) endSingle(in stay) {
	if !c.single || c.ses.Temporary == 0 || c.ses.InTransaction() {
		return
	}
	if err := in.file.engine.EndTemporary(c.ses); err != nil && c.d.o.Background != nil {
		c.d.o.Background(wrap(err))
	}
}

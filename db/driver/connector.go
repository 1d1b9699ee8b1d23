package driver

import (
	"context"
	"database/sql/driver"
	"fmt"
	"sync"

	"parlance/db"
)

// connector makes the connections of one pool.
type connector struct {
	settings map[string]string
	open     func() (*db.DB, error)
	release  func() error // what open holds

	mu     sync.Mutex
	d      *db.DB // nil before the first connection
	closed bool
}

// temporary makes connections to a database that the pool has for itself.
func temporary(settings map[string]string) *connector {
	c := &connector{settings: settings}
	c.open = func() (*db.DB, error) { return db.Open(":memory:", db.Options{}) }
	c.release = func() error { return c.d.Close() }
	return c
}

// file makes connections to a file, which pools share.
func file(path string, readOnly bool, settings map[string]string) (*connector, error) {
	f := &fileUse{path: path, readOnly: readOnly}
	return &connector{settings: settings, open: f.open, release: f.close}, nil
}

// Driver returns the driver.
func (c *connector) Driver() driver.Driver { return Driver{} }

// Connect returns a session of its own.
func (c *connector) Connect(ctx context.Context) (driver.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d, err := c.database()
	if err != nil {
		return nil, err
	}
	s := d.Conn()
	s.Wire().Overlap() // database/sql lets a transaction do so, under a lock of its own
	if err := s.SetDefaults(c.settings); err != nil {
		return nil, err
	}
	return &Conn{session: s}, nil
}

func (c *connector) database() (*db.DB, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, wrong("08003", "", "the pool is closed")
	}
	if c.d == nil {
		d, err := c.open()
		if err != nil {
			return nil, err
		}
		c.d = d
	}
	return c.d, nil
}

// Close ends what the pool has of the database; database/sql calls it when the pool is closed.
func (c *connector) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.d == nil {
		c.closed = true
		return nil
	}
	c.closed = true
	return c.release()
}

// alone returns a connection that closes the connector with itself.
func (c *connector) alone() (driver.Conn, error) {
	conn, err := c.Connect(context.Background())
	if err != nil {
		return nil, err
	}
	conn.(*Conn).closing = c.Close
	return conn, nil
}

// wrong makes an error of the driver itself.
func wrong(code, hint, format string, args ...any) error {
	return &db.Error{Code: code, Hint: hint, Message: fmt.Sprintf(format, args...)}
}

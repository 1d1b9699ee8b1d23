package repl

import (
	"context"
	"io"

	"parlance/db"
	"parlance/repl/remote"
	"parlance/storage/value"
)

// session is what the shell and scripts run statements in: of a database that is open here, or
// on a server.
type session interface {
	Query(ctx context.Context, statement string) (rows, error)
	Describe(ctx context.Context, statement string) ([]db.Column, error) // without running it
	Address() string                                                     // what the session is on
	OnNotice(func(string))
	OnProgress(func(line string))
	Stdin(io.Reader)
	Stdout(io.Writer)
	Block() db.Block // of its transaction
	Title() string   // what the prompt calls it
	Close() error    // once more does nothing
}

// rows are the rows of a statement, or its tag.
type rows interface {
	Columns() []db.Column
	Next() bool
	Values() []value.Value
	Tag() string
	Err() error
	Close() error
}

// local is a session of a database that is open here.
type local struct {
	*db.Conn
	db        *db.DB
	path      string
	readOnly  bool
	temporary bool
}

// newLocal is a session of a database that was opened by a name; that of a temporary one is empty or :memory:.
func newLocal(d *db.DB, name string, readOnly bool) local {
	return local{Conn: d.Conn(), db: d, path: d.Path(), readOnly: readOnly, temporary: name == "" || name == ":memory:"}
}

// program is what the prompt calls databases that have no name.
const program = "parlance"

// Title is the name of the file without its folder.
func (l local) Title() string {
	if l.temporary {
		return program
	}
	return title(l.path)
}

// Close closes the database.
func (l local) Close() error { return l.db.Close() }

func (l local) Query(ctx context.Context, statement string) (rows, error) {
	r, err := l.Conn.Query(ctx, statement)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Describe returns the columns of a statement.
func (l local) Describe(ctx context.Context, statement string) ([]db.Column, error) {
	st, err := l.Conn.Prepare(statement)
	if err != nil {
		return nil, err
	}
	d, err := st.Describe(ctx)
	if err != nil {
		return nil, err
	}
	return d.Columns, nil
}

// Address is the path of the file.
func (l local) Address() string { return l.path }

func (l local) OnProgress(f func(string)) {
	l.Conn.OnProgress(func(p db.Progress) { f(p.String()) })
}

// distant is a session on a server.
type distant struct {
	*remote.Conn
	notice, progress func(string)
	closed           bool
}

// Title names no server: each has one database.
func (d *distant) Title() string { return program }

// Close ends the connection.
func (d *distant) Close() error {
	if d.closed {
		return nil
	}
	d.closed = true
	return d.Conn.Close()
}

func newDistant(c *remote.Conn) *distant {
	d := &distant{Conn: c, notice: func(string) {}, progress: func(string) {}}
	c.OnNotice(func(msg string) {
		if db.IsProgress(msg) {
			d.progress(msg)
			return
		}
		d.notice(msg)
	})
	return d
}

func (d *distant) Query(ctx context.Context, statement string) (rows, error) {
	r, err := d.Conn.Query(ctx, statement)
	if err != nil {
		return nil, err
	}
	return r, nil
}

func (d *distant) OnNotice(f func(string)) { d.notice = f }

func (d *distant) OnProgress(f func(string)) { d.progress = f }

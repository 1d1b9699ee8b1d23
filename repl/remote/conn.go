// Package remote is a session on a server that speaks the PostgreSQL protocol, as the shell wants
// it: statements one at a time, in the simple protocol, with notices, streams and cancellation.
package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"parlance/db"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// closeTimeout bounds how long a request to cancel and the last message may take.
const closeTimeout = 10 * time.Second

// Conn is a connection. It is used by one goroutine.
type Conn struct {
	config *pgconn.Config
	pg     *pgconn.PgConn // for the way to the server; the messages are exchanged here
	wire   *pgproto3.Frontend
	notice func(string)
	in     io.Reader
	out    io.Writer
	open   *Rows // under way
	status byte  // of the transaction, as ReadyForQuery tells it
	lost   error // why the connection is of no more use
}

// Connect opens a connection by a URL such as postgres://user@host:5477/name?sslmode=require, or
// by words such as host=… user=…; the environment (PGPASSWORD, PGSSLMODE, …) and the password file
// complete it. ask gives the password if the server wants one and there is none; it may be nil.
func Connect(ctx context.Context, url string, ask func(prompt string) (string, error)) (*Conn, error) {
	config, err := pgconn.ParseConfig(url)
	if err != nil {
		return nil,
			&db.Error{Code: "22023", Message: err.Error(), Hint: "such as postgres://user@host:5477/name?sslmode=require"}
	}
	if _, given := config.RuntimeParams["application_name"]; !given {
		config.RuntimeParams["application_name"] = "parlance"
	}
	pg, err := pgconn.ConnectConfig(ctx, config)
	if ask != nil && config.Password == "" && refused(err) {
		if config.Password, err = ask(fmt.Sprintf("Password of %s: ", config.User)); err != nil {
			return nil, err
		}
		pg, err = pgconn.ConnectConfig(ctx, config)
	}
	if err != nil {
		return nil, failure(err, "")
	}
	return &Conn{config: config, pg: pg, wire: pg.Frontend(), notice: func(string) {}}, nil
}

// refused reports whether a server did not let the user in.
func refused(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && (e.Code == "28P01" || e.Code == "28000")
}

// Address tells user and server.
func (c *Conn) Address() string {
	return fmt.Sprintf("%s at %s", c.config.User, c.pg.Conn().RemoteAddr())
}

// Lost reports whether the connection broke: every further statement fails.
func (c *Conn) Lost() bool { return c.lost != nil }

// Reconnect connects to the same server again, in a new session.
func (c *Conn) Reconnect(ctx context.Context) error {
	pg, err := pgconn.ConnectConfig(ctx, c.config)
	if err != nil {
		return failure(err, "")
	}
	_ = c.end() // the old connection is broken
	c.pg, c.wire, c.lost, c.status = pg, pg.Frontend(), nil, 'I'
	return nil
}

// OnNotice sets what receives notices and warnings, one each.
func (c *Conn) OnNotice(f func(string)) { c.notice = f }

// Stdin is what is sent when a statement reads data of the client.
func (c *Conn) Stdin(r io.Reader) { c.in = r }

// Stdout is what receives the data that statements send to the client. A writer with a method
// Shape(columns int, binary bool) is told of them before they come.
func (c *Conn) Stdout(w io.Writer) { c.out = w }

// Query runs a statement. When ctx ends, the server is asked to cancel it.
func (c *Conn) Query(ctx context.Context, statement string) (*Rows, error) {
	if c.open != nil {
		if err := c.open.Close(); err != nil {
			return nil, err
		}
	}
	if c.lost != nil {
		return nil, c.lost
	}
	if err := ctx.Err(); err != nil {
		return nil, &db.Error{Code: "57014", Message: "the statement was cancelled"}
	}
	c.wire.Send(&pgproto3.Query{String: statement})
	if err := c.wire.Flush(); err != nil {
		return nil, c.lose(err)
	}
	r := &Rows{c: c, ctx: ctx, statement: statement}
	c.open = r
	r.watch()
	if err := r.begin(); err != nil {
		return nil, err
	}
	return r, nil
}

// Describe returns the columns of a statement, none for one without rows, and does not run it.
func (c *Conn) Describe(ctx context.Context, statement string) ([]db.Column, error) {
	if c.open != nil {
		if err := c.open.Close(); err != nil {
			return nil, err
		}
	}
	if c.lost != nil {
		return nil, c.lost
	}
	d, err := c.pg.Prepare(ctx, "", statement, nil)
	if c.pg.IsClosed() {
		return nil, c.lose(err)
	}
	c.status = c.pg.TxStatus()
	if err != nil {
		return nil, failure(err, statement)
	}
	out := make([]db.Column, len(d.Fields))
	for i, f := range d.Fields {
		out[i] = db.Column{Name: f.Name, Type: typeOf(f.DataTypeOID).String()}
	}
	return out, nil
}

// lose notes that the connection broke.
func (c *Conn) lose(err error) error {
	c.lost = &db.Error{Code: "08006", Message: "the connection to the server is lost: " + err.Error(),
		Hint: "connect again"}
	return c.lost
}

// Close says goodbye to the server.
func (c *Conn) Close() error {
	var err error
	if c.open != nil {
		err = c.open.Close()
	}
	if closed := c.end(); c.lost == nil {
		err = errors.Join(err, closed)
	}
	return err // a loss was reported
}

func (c *Conn) end() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	return c.pg.Close(ctx)
}

// Block returns the state of the session's transaction block after the last statement that has ended.
func (c *Conn) Block() db.Block {
	switch c.status {
	case 'T':
		return db.OpenBlock
	case 'E':
		return db.FailedBlock
	}
	return db.NoBlock
}

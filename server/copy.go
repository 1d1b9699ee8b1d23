package server

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"parlance/db"

	"github.com/jackc/pgx/v5/pgproto3"
)

// copy runs a statement that reads from the client or writes to it.
func (c *conn) copy(ctx context.Context, st *db.Stmt) error {
	return c.copyPortal(ctx, &portal{stmt: &prepared{st: st}})
}

func (c *conn) copyPortal(ctx context.Context, q *portal) error {
	if q.stmt.st.Stream() == db.ToClient {
		return c.copyOut(ctx, q)
	}
	return c.copyIn(ctx, q)
}

// copyOut sends what the statement writes. The first bytes open the stream, so that an error
// before them is an ordinary one.
func (c *conn) copyOut(ctx context.Context, q *portal) error {
	out := &codes{c: c}
	c.db.Stdout(out)
	defer c.db.Stdout(nil)
	rows, err := q.stmt.st.Run(ctx, q.params)
	if err == nil {
		err = rows.Close()
	}
	if out.err != nil {
		return connection{out.err}
	}
	if err != nil {
		return err
	}
	out.open()
	c.send(&pgproto3.CopyDone{})
	c.send(&pgproto3.CommandComplete{CommandTag: []byte(rows.Tag())})
	return nil
}

// copyShape is what the client is told of the data: text without columns, as long as the
// statement says nothing of rows.
type copyShape struct {
	format  byte
	columns int
}

// Shape notes the number of columns and whether their values are binary.
func (s *copyShape) Shape(columns int, binary bool) {
	s.columns = columns
	if binary {
		s.format = binaryFormat
	}
}

// codes are the formats of the columns, all the same.
func (s *copyShape) codes() []uint16 {
	out := make([]uint16, s.columns)
	for i := range out {
		out[i] = uint16(s.format)
	}
	return out
}

// codes sends bytes as CopyData.
type codes struct {
	copyShape
	c      *conn
	opened bool
	err    error // of the connection
}

func (w *codes) open() {
	if !w.opened {
		w.opened = true
		w.c.send(&pgproto3.CopyOutResponse{OverallFormat: w.format, ColumnFormatCodes: w.codes()})
	}
}

// Write sends p, in messages that fit the buffer.
func (w *codes) Write(p []byte) (int, error) {
	w.open()
	w.c.sending.Lock()
	defer w.c.sending.Unlock()
	n := 0
	for len(p) > 0 && w.err == nil {
		part := p[:min(len(p), writeBuffer)]
		w.err = w.c.w.send(&pgproto3.CopyData{Data: part})
		n, p = n+len(part), p[len(part):]
	}
	if w.err != nil {
		return n, &db.Error{Code: "08006", Message: "the client is gone: " + w.err.Error()}
	}
	return n, nil
}

// copyIn runs the statement on data of the client, who is asked for it when the statement reads:
// one that is refused before takes nothing of what the client would send. What the statement
// leaves unread is skipped, so that the next message is understood.
func (c *conn) copyIn(ctx context.Context, q *portal) error {
	in := &copyReader{c: c}
	c.setCopying(true)
	c.db.Stdin(in)
	rows, err := q.stmt.st.Run(ctx, q.params)
	c.db.Stdin(nil)
	if err == nil {
		err = rows.Close()
	}
	if err == nil {
		// What a statement did not need still has to come to its end.
		_, err = io.Copy(io.Discard, in)
	}
	c.setCopying(false)
	switch {
	case in.broken != nil:
		return connection{in.broken}
	case c.base.Err() != nil: // the deadline that ends the connection may have been lifted just now
		return connection{net.ErrClosed}
	case in.failed != nil:
		return in.failed
	case err != nil:
		return err
	}
	c.send(&pgproto3.CommandComplete{CommandTag: []byte(rows.Tag())})
	return nil
}

// setCopying tells whether a statement waits for data of the client, so that who cancels it wakes
// it too.
func (c *conn) setCopying(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch c.copying = on; {
	case !on:
		_ = c.socket.SetReadDeadline(time.Time{})
	case c.ctx.Err() != nil:
		c.wake()
	}
}

// wake ends the waiting of a statement for data of the client; c.mu is held.
func (c *conn) wake() {
	if c.copying {
		_ = c.socket.SetReadDeadline(time.Unix(1, 0))
	}
}

// copyReader reads the data of CopyData messages until CopyDone.
type copyReader struct {
	copyShape
	c      *conn
	asked  bool
	rest   []byte
	done   bool
	failed error // the client gave up
	broken error // the connection did

	cancelled bool
}

// Read returns data of the client; io.EOF after CopyDone.
func (r *copyReader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		switch {
		case r.done:
			return 0, io.EOF
		case r.failed != nil:
			return 0, r.failed
		case r.broken != nil:
			return 0, r.broken
		case r.cancelled:
			return 0, context.Canceled // the statement knows why
		}
		if r.open(); r.broken == nil {
			r.next()
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// open asks the client for data, once.
func (r *copyReader) open() {
	if r.asked {
		return
	}
	r.asked = true
	r.c.send(&pgproto3.CopyInResponse{OverallFormat: r.format, ColumnFormatCodes: r.codes()})
	r.broken = r.c.flush()
}

func (r *copyReader) next() {
	msg, err := r.c.w.receive()
	switch {
	case err == nil:
	case errors.Is(err, os.ErrDeadlineExceeded) && r.c.db.Cancelled():
		r.cancelled = true
		return
	default:
		r.broken = unexpected(err) // io.EOF would end the data well
		return
	}
	switch m := msg.(type) {
	case *pgproto3.CopyData:
		r.rest = m.Data
	case *pgproto3.CopyDone:
		r.done = true
	case *pgproto3.CopyFail:
		r.failed = &db.Error{Code: "57014", Message: "the client ended COPY: " + strings.ToValidUTF8(m.Message, "\ufffd")}
	case *pgproto3.Flush, *pgproto3.Sync:
	default:
		r.broken = fatalf("08P01", "the message %s cannot come within COPY", messageName(msg))
	}
}

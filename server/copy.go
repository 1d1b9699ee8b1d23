package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
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
	out := &copyWriter{c: c}
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

// copyWriter sends bytes as CopyData.
type copyWriter struct {
	c      *conn
	opened bool
	err    error // of the connection
}

func (w *copyWriter) open() {
	if !w.opened {
		w.opened = true
		w.c.send(&pgproto3.CopyOutResponse{OverallFormat: textFormat})
	}
}

// Write sends p, in messages that fit the buffer.
func (w *copyWriter) Write(p []byte) (int, error) {
	w.open()
	w.c.sending.Lock()
	defer w.c.sending.Unlock()
	n := 0
	for len(p) > 0 && w.err == nil {
		part := p[:min(len(p), writeBuffer)]
		w.err = w.c.w.send(&pgproto3.CopyData{Data: part})
		n, p = n+len(part), p[len(part):]
	}
	return n, w.err
}

// copyIn runs the statement on data of the client, who is asked for it when the statement reads:
// one that is refused before takes nothing of what the client would send. What the statement
// leaves unread is skipped, so that the next message is understood.
func (c *conn) copyIn(ctx context.Context, q *portal) error {
	in := &copyReader{c: c}
	// A statement that is cancelled must not wait for the client's next message.
	woken := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		_ = c.w.net.SetReadDeadline(time.Unix(1, 0))
		close(woken)
	})
	c.db.Stdin(in)
	rows, err := q.stmt.st.Run(ctx, q.params)
	c.db.Stdin(nil)
	if err == nil {
		err = rows.Close()
	}
	if !stop() {
		<-woken
		_ = c.w.net.SetReadDeadline(time.Time{})
	}
	if err == nil {
		// What a statement did not need still has to come to its end.
		_, err = io.Copy(io.Discard, in)
	}
	switch {
	case in.broken != nil && !(errors.Is(in.broken, os.ErrDeadlineExceeded) && ctx.Err() != nil):
		return connection{in.broken}
	case in.failed != nil:
		return in.failed
	case err != nil:
		return err
	}
	c.send(&pgproto3.CommandComplete{CommandTag: []byte(rows.Tag())})
	return nil
}

// copyReader reads the data of CopyData messages until CopyDone.
type copyReader struct {
	c      *conn
	asked  bool
	rest   []byte
	done   bool
	failed error // the client gave up
	broken error // the connection did
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
	r.c.send(&pgproto3.CopyInResponse{OverallFormat: textFormat})
	r.broken = r.c.flush()
}

func (r *copyReader) next() {
	msg, err := r.c.w.receive()
	if err != nil {
		r.broken = err
		return
	}
	switch m := msg.(type) {
	case *pgproto3.CopyData:
		r.rest = m.Data
	case *pgproto3.CopyDone:
		r.done = true
	case *pgproto3.CopyFail:
		r.failed = &db.Error{Code: "57014", Message: "the client ended COPY: " + m.Message}
	case *pgproto3.Flush, *pgproto3.Sync:
	default:
		r.broken = fatalf("08P01", "a message of type %s cannot come within COPY", fmt.Sprintf("%T", msg))
	}
}

package remote

import (
	"context"
	"fmt"
	"io"

	"parlance/db"
	"parlance/storage/value"

	"github.com/jackc/pgx/v5/pgproto3"
)

// Rows are the rows of a statement, read from first to last, or its tag. They must be closed.
type Rows struct {
	c         *Conn
	ctx       context.Context
	statement string
	columns   []db.Column
	oids      []uint32
	row       []value.Value
	tag       string
	err       error
	done      bool
	unwatch   func() // ends the watch over ctx
}

// Columns returns the columns; none for statements without rows.
func (r *Rows) Columns() []db.Column { return r.columns }

// Tag tells what the statement has done, when it is over.
func (r *Rows) Tag() string { return r.tag }

// Values returns the present row.
func (r *Rows) Values() []value.Value { return r.row }

// Err returns the error that ended the rows, if any.
func (r *Rows) Err() error { return r.err }

// Next moves to the next row; false at the end or on an error.
func (r *Rows) Next() bool {
	r.row = nil
	for !r.done && r.row == nil {
		r.step()
	}
	return !r.done
}

// Close cancels what is left of the statement and returns what Err returns.
func (r *Rows) Close() error {
	if !r.done {
		failed := r.err
		r.cancel()
		for !r.done {
			r.step()
		}
		r.err = failed // that it was cancelled is as wanted
		if r.c.lost != nil {
			r.err = r.c.lost
		}
	}
	r.row = nil
	return r.err
}

// begin reads until the columns of the rows, or the end of a statement without.
func (r *Rows) begin() error {
	for !r.done && r.columns == nil {
		r.step()
	}
	if r.done {
		return r.err
	}
	return nil
}

// watch asks the server to cancel the statement when its context ends.
func (r *Rows) watch() {
	over := make(chan struct{})
	stop := context.AfterFunc(r.ctx, func() {
		defer close(over)
		r.cancel()
	})
	r.unwatch = func() {
		if !stop() {
			<-over // a late request must not meet the next statement
		}
	}
}

// cancel asks the server to end the statement. Where that is not possible the statement runs on,
// and a broken connection shows when it is read.
func (r *Rows) cancel() {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	_ = r.c.pg.CancelRequest(ctx)
}

// end ends the statement.
func (r *Rows) end() {
	r.done = true
	r.c.open = nil
	r.unwatch()
}

// step handles one message of the server.
func (r *Rows) step() {
	msg, err := r.c.wire.Receive()
	if err != nil {
		if r.err == nil {
			r.err = r.c.lose(err)
		}
		r.c.lost = r.err
		r.end()
		return
	}
	switch m := msg.(type) {
	case *pgproto3.RowDescription:
		r.describe(m)
	case *pgproto3.DataRow:
		r.decode(m)
	case *pgproto3.CommandComplete:
		r.tag = tag(string(m.CommandTag))
	case *pgproto3.NoticeResponse:
		r.c.notice(m.Message)
	case *pgproto3.ErrorResponse:
		if r.err == nil {
			r.err = response(m, r.statement)
		}
		if m.SeverityUnlocalized == "FATAL" {
			r.c.lost = r.err
		}
	case *pgproto3.CopyInResponse:
		r.send()
	case *pgproto3.CopyOutResponse:
		if s, ok := r.c.out.(interface{ Shape(int, bool) }); ok {
			s.Shape(len(m.ColumnFormatCodes), m.OverallFormat == pgproto3.BinaryFormat)
		}
	case *pgproto3.CopyData:
		r.receive(m.Data)
	case *pgproto3.ReadyForQuery:
		r.c.status = m.TxStatus
		r.end()
	}
}

func (r *Rows) describe(m *pgproto3.RowDescription) {
	r.columns = make([]db.Column, len(m.Fields))
	r.oids = make([]uint32, len(m.Fields))
	for i, f := range m.Fields {
		r.oids[i] = f.DataTypeOID
		r.columns[i] = db.Column{Name: string(f.Name), Type: typeOf(f.DataTypeOID).String()}
	}
}

func (r *Rows) decode(m *pgproto3.DataRow) {
	if len(m.Values) != len(r.oids) {
		if r.err == nil {
			r.err = &db.Error{Code: "08P01", Message: fmt.Sprintf("the server sent %d values for %d columns", len(m.Values),
				len(r.oids))}
		}
		return
	}
	r.row = make([]value.Value, len(m.Values))
	for i, raw := range m.Values {
		r.row[i] = decode(raw, r.oids[i])
	}
}

// receive writes data that the statement sends. After an error the rest is left out.
func (r *Rows) receive(data []byte) {
	if r.c.out == nil || r.err != nil {
		return
	}
	if _, err := r.c.out.Write(data); err != nil {
		r.err = err
		r.cancel()
	}
}

// send sends the data that the statement reads.
func (r *Rows) send() {
	buf := make([]byte, 64<<10)
	for {
		n, err := 0, io.EOF
		if r.c.in != nil {
			n, err = r.c.in.Read(buf)
		}
		if n > 0 {
			r.c.wire.Send(&pgproto3.CopyData{Data: buf[:n]})
		}
		if e := r.ctx.Err(); e != nil && err == nil {
			err = e
		}
		switch err {
		case nil:
		case io.EOF:
			r.c.wire.Send(&pgproto3.CopyDone{})
		default:
			r.c.wire.Send(&pgproto3.CopyFail{Message: err.Error()})
		}
		if flushed := r.c.wire.Flush(); flushed != nil || err != nil {
			return // a broken connection shows when it is read
		}
	}
}

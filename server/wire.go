package server

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync/atomic"

	"parlance/db"

	"github.com/jackc/pgx/v5/pgproto3"
)

// Sizes of buffers in bytes. A connection that waits holds both; answers are sent when the
// buffer is full, so that a result is never held in memory.
const (
	readBuffer  = 8 << 10
	writeBuffer = 32 << 10
	maxStartup  = 10_000   // of the first message, as in PostgreSQL
	maxLogin    = 64 << 10 // of messages before the client is known
)

// fatal is an error after which the connection ends: what follows cannot be understood.
type fatal struct{ cause *db.Error }

func (f fatal) Error() string { return f.cause.Error() }
func (f fatal) Unwrap() error { return f.cause }

func fatalf(code, format string, args ...any) error {
	return fatal{&db.Error{Code: code, Message: fmt.Sprintf(format, args...)}}
}

// wire reads and writes messages on a connection.
type wire struct {
	net net.Conn
	in  *bufio.Reader
	out []byte
	max func() int // bytes of a message now; nil before the client is known

	begun bool // the head of a message was read: its type and size
	kind  byte
	size  int
	body  []byte // of a message that exceeds the buffer, as far as it has come

	count  *db.Network   // of bytes
	broken error         // of the first write that failed: nothing may follow half a message
	writes atomic.Uint64 // odd while a write waits for the client
	half   atomic.Uint64 // 0 unless a part of a message has come; changes with each further one
	parts  uint64        // that have come so far

	// The messages that clients send most are kept for the next one.
	bind    pgproto3.Bind
	execute execution
	parse   pgproto3.Parse
	query   pgproto3.Query
	sync    pgproto3.Sync
	desc    pgproto3.Describe
	data    pgproto3.CopyData
	done    pgproto3.CommandComplete
}

func newWire(c net.Conn, count *db.Network) *wire {
	w := &wire{net: c, count: count}
	w.in = bufio.NewReaderSize(source{w}, readBuffer)
	return w
}

// source is what the buffer of a wire reads. It is read where what has come is no whole message.
type source struct{ w *wire }

// Read reads from the connection, encrypted or not.
func (s source) Read(p []byte) (int, error) {
	if w := s.w; w.begun || w.in.Buffered() > 0 {
		w.parts++
		w.half.Store(w.parts)
	}
	return s.w.net.Read(p)
}

// startup reads the first message, which has no type: length, code, content.
func (w *wire) startup() (pgproto3.FrontendMessage, error) {
	head, err := w.in.Peek(4)
	if err != nil {
		return nil, err
	}
	n := int(int32(binary.BigEndian.Uint32(head)))
	if n < 8 || n > maxStartup {
		return nil, notPostgres(head)
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(w.in, body); err != nil {
		return nil, err
	}
	body = body[4:]
	var msg pgproto3.FrontendMessage
	switch code := binary.BigEndian.Uint32(body); {
	case code == 80877103:
		msg = &pgproto3.SSLRequest{}
	case code == 80877104:
		msg = &pgproto3.GSSEncRequest{}
	case code == 80877102:
		msg = &pgproto3.CancelRequest{}
	case code>>16 == 3:
		// All minor versions decode alike.
		binary.BigEndian.PutUint32(body, pgproto3.ProtocolVersion30)
		s := &pgproto3.StartupMessage{}
		if err := s.Decode(body); err != nil {
			return nil, fatalf("08P01", "the startup message is malformed")
		}
		s.ProtocolVersion = code
		return s, nil
	default:
		return nil, fatalf("08P01", "protocol version %d.%d is not supported, only 3", code>>16, code&0xffff)
	}
	if err := msg.Decode(body); err != nil {
		return nil, fatalf("08P01", "the request at the start is malformed")
	}
	return msg, nil
}

// oversized refuses a message; the limit before the client is known cannot be changed.
func oversized(size, most int) error {
	if most == maxLogin {
		return fatalf("54000", "a message of %d bytes exceeds the limit of %d during login", size, most)
	}
	return fatal{&db.Error{Code: "54000",
		Message: fmt.Sprintf("a message of %d bytes exceeds the limit of %d", size, most),
		Hint:    "send data in parts, or raise it: ALTER SYSTEM SET max_message_bytes = …"}}
}

// errSilent says that the client has sent nothing more so far.
var errSilent = errors.New("the client has sent nothing more")

// receive reads a message. It is valid until the next one is read. Errors other than fatal ones
// are those of the connection; after a deadline or errSilent it goes on where it was.
func (w *wire) receive() (pgproto3.FrontendMessage, error) {
	if !w.begun {
		head, err := w.in.Peek(5)
		if err != nil {
			if len(head) > 0 {
				err = unexpected(err)
			}
			return nil, err
		}
		w.kind, w.size = head[0], int(int32(binary.BigEndian.Uint32(head[1:])))-4
		if _, err := w.in.Discard(5); err != nil {
			return nil, err
		}
		w.begun, w.body = true, w.body[:0]
	}
	msg := w.message(w.kind)
	switch {
	case msg == nil:
		return nil, fatalf("08P01", "unknown message type %q", w.kind)
	case w.size < 0:
		return nil, fatalf("08P01", "a message claims a length of %d", w.size+4)
	case w.size > readBuffer && w.size > w.most():
		return nil, oversized(w.size, w.most())
	}
	body, err := w.read(w.size)
	if err != nil {
		return nil, err
	}
	if w.begun = false; w.half.Load() != 0 {
		w.half.Store(0)
	}
	w.count.Received(w.size + 5)
	if err := msg.Decode(body); err != nil {
		return nil, fatalf("08P01", "a message of type %q is malformed", w.kind)
	}
	return msg, nil
}

// most is the length of the longest message that is taken.
func (w *wire) most() int {
	if w.max == nil {
		return maxLogin
	}
	return w.max()
}

// read returns the n bytes of a message, valid until the next call. Memory grows with what
// arrives, not with what a message claims.
func (w *wire) read(n int) ([]byte, error) {
	if n <= readBuffer {
		b, err := w.in.Peek(n)
		if err != nil {
			return nil, unexpected(err)
		}
		_, err = w.in.Discard(n)
		return b, err
	}
	for len(w.body) < n {
		at := len(w.body)
		w.body = append(w.body, make([]byte, min(n-at, max(readBuffer, at)))...)
		k, err := io.ReadFull(w.in, w.body[at:])
		w.body = w.body[:at+k]
		if err != nil {
			return nil, unexpected(err)
		}
	}
	body := w.body
	if cap(w.body) > 16*readBuffer {
		w.body = nil
	}
	return body, nil
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// message returns what decodes a message of a type, nil for an unknown one.
func (w *wire) message(t byte) pgproto3.FrontendMessage {
	switch t {
	case 'B':
		return &w.bind
	case 'E':
		return &w.execute
	case 'P':
		return &w.parse
	case 'Q':
		return &w.query
	case 'S':
		return &w.sync
	case 'D':
		return &w.desc
	case 'd':
		return &w.data
	case 'C':
		return &pgproto3.Close{}
	case 'c':
		return &pgproto3.CopyDone{}
	case 'f':
		return &pgproto3.CopyFail{}
	case 'H':
		return &pgproto3.Flush{}
	case 'F':
		return &pgproto3.FunctionCall{}
	case 'p':
		return new(saslBody)
	case 'X':
		return &pgproto3.Terminate{}
	}
	return nil
}

// execution is the message Execute, valid until the next one.
type execution struct {
	portal []byte
	limit  int // of rows, 0 for none
}

// Frontend says that clients send it.
func (*execution) Frontend() {}

// Decode reads the body.
func (e *execution) Decode(body []byte) error {
	i := bytes.IndexByte(body, 0)
	if i < 0 || len(body) != i+5 {
		return errors.New("malformed Execute")
	}
	e.portal, e.limit = body[:i], int(int32(binary.BigEndian.Uint32(body[i+1:])))
	return nil
}

// Encode adds the message to dst.
func (e *execution) Encode(dst []byte) ([]byte, error) {
	return (&pgproto3.Execute{Portal: string(e.portal), MaxRows: uint32(e.limit)}).Encode(dst)
}

// idle reports whether all that the client has sent was read.
func (w *wire) idle() bool { return w.in.Buffered() == 0 }

// whole reports whether the next message has come to its end, as far as that can be told without waiting.
func (w *wire) whole() bool {
	n, size := w.in.Buffered(), w.size
	if !w.begun {
		if n < 5 {
			return false
		}
		head, _ := w.in.Peek(5) // which are there
		n, size = n-5, int(int32(binary.BigEndian.Uint32(head[1:])))-4
	}
	return n >= size
}

// followedBy reports whether the next message has come and is of a type.
func (w *wire) followedBy(kind byte) bool {
	if w.idle() {
		return false
	}
	head, err := w.in.Peek(1)
	return err == nil && head[0] == kind
}

// send adds a message to what is sent next.
func (w *wire) send(msg pgproto3.BackendMessage) error {
	if w.broken != nil {
		return w.broken
	}
	out, err := msg.Encode(w.out)
	if err != nil {
		return err
	}
	return w.add(out)
}

// add takes out, which is w.out with a message more, for what is sent next.
func (w *wire) add(out []byte) error {
	if w.broken != nil {
		return w.broken
	}
	w.out = out
	if len(w.out) >= writeBuffer {
		return w.flush()
	}
	return nil
}

// flush sends what was added, in parts, so that progress shows on a slow connection.
func (w *wire) flush() error {
	for at := 0; at < len(w.out) && w.broken == nil; {
		w.writes.Add(1)
		n, err := w.net.Write(w.out[at:min(len(w.out), at+2*writeBuffer)])
		w.writes.Add(1)
		at += n
		w.count.Sent(n)
		w.broken = err
	}
	if cap(w.out) > 4*writeBuffer {
		w.out = nil
	}
	w.out = w.out[:0]
	return w.broken
}

package server

import (
	"container/list"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"parlance/db"

	"github.com/jackc/pgx/v5/pgproto3"
)

// conn is a connection of a client. One goroutine reads messages, runs statements and answers, in order.
type conn struct {
	srv      *Server
	w        *wire
	db       db.Wire
	id       uint32 // process number, as clients call it
	secret   []byte // a CancelRequest must know it; under the lock of the server, nil before the startup message
	user     string
	tls      *tls.Conn       // nil without encryption
	binding  []byte          // of the encrypted connection to its certificate, may be nil
	base     context.Context // ends with the connection
	admitted bool            // one of max_connections
	waits    *list.Element   // for its login; under the lock of the server
	log      *slog.Logger

	socket  net.Conn                // what was accepted, under encryption
	abandon context.CancelCauseFunc // ends base

	statements map[string]*prepared
	keptBytes  int // of the texts of those with a name
	portals    map[string]*portal
	spare      *portal // one that was dropped, for the next Bind
	waiting    bool    // for a message
	idle       bool    // it has not come whole
	skipping   bool    // after an error in the extended protocol, until Sync

	mu      sync.Mutex // of what follows
	ctx     context.Context
	cancel  context.CancelFunc
	running bool
	copying bool // the statement reads what the client sends

	// 0 until the client is known, then odd while it is waited for, even while it is answered
	waitState atomic.Uint64
	// what the session has set for how long its transaction block may be left alone, or noBlockTimeout
	idleTimeout atomic.Int64
	endReason   atomic.Pointer[db.Error] // why the connection is ended from outside, nil if it is not
	lastWatched watchedState             // what the watch saw last; only the watch uses it

	sending sync.Mutex // notices come from other goroutines
}

// begin marks a statement as running and returns its context, which a CancelRequest ends. One
// context serves all statements until it is cancelled.
func (c *conn) begin() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx == nil || c.ctx.Err() != nil {
		c.ctx, c.cancel = context.WithCancel(c.base)
	}
	c.running = true
	return c.ctx
}

// end marks the statement as over.
func (c *conn) end() {
	c.mu.Lock()
	c.running = false
	c.mu.Unlock()
}

// interrupt cancels the running statement, if there is one.
func (c *conn) interrupt() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running {
		c.cancel()
		c.wake()
	}
}

// terminate makes the connection end with an error, from any goroutine: where running is set at once, else when what it
// runs has ended.
func (c *conn) terminate(err *db.Error, running bool) {
	c.endReason.CompareAndSwap(nil, err)
	_ = c.socket.SetReadDeadline(time.Unix(1, 0))
	if running {
		c.abandon(err)
	}
}

// ends reports whether an error ends the connection, rather than its statement.
func (c *conn) ends(err error) bool { return isConnection(err) || c.endReason.Load() != nil }

// busy reports whether the client is being answered; no before it is known.
func (c *conn) busy() bool {
	n := c.waitState.Load()
	return n > 0 && n%2 == 0
}

// loop answers messages until the client goes or the connection breaks.
func (c *conn) loop() error {
	c.ready()
	for {
		msg, err := c.await()
		if err != nil {
			return err
		}
		if _, ok := msg.(*pgproto3.Terminate); ok {
			_ = c.flush() // what came before it in one piece still has an answer
			return nil
		}
		if err := c.answer(msg); err != nil {
			return err
		}
	}
}

// turns is a socket that calls each time its peer has sent something, until step returns true.
// While step runs, reading ends with errSilent where it would wait.
type turns interface {
	turns(step func() bool) error
}

// await answers messages until it reads one whose answer may need those after it.
func (c *conn) await() (pgproto3.FrontendMessage, error) {
	if t, ok := c.w.net.(turns); ok {
		return c.take(t)
	}
	return c.next()
}

func (c *conn) take(t turns) (msg pgproto3.FrontendMessage, err error) {
	broken := t.turns(func() bool {
		for {
			if msg, err = c.next(); err != nil {
				return err != errSilent
			}
			if c.reads(msg) {
				return true
			}
			if err = c.answer(msg); err != nil {
				return true
			}
		}
	})
	if broken != nil { // while it waited
		c.endIdle()
		err = broken
	}
	return msg, err
}

// reads reports whether the answer to a message may read what the client sends after it.
func (c *conn) reads(msg pgproto3.FrontendMessage) bool {
	switch m := msg.(type) {
	case *pgproto3.Terminate, *pgproto3.Query:
		return true
	case *execution:
		q := c.portals[string(m.portal)]
		return q != nil && q.stmt.st != nil && q.stmt.st.Stream() == db.FromClient
	}
	return false
}

// next reads a message. While the client has sent none, or a part of one, the connection is idle; before it
// waits, answers are sent. After errSilent the next call goes on.
func (c *conn) next() (pgproto3.FrontendMessage, error) {
	if !c.waiting {
		if !c.w.whole() {
			if err := c.flush(); err != nil { // the rest may come after the client has read
				return nil, err
			}
			c.srv.d.Network().Idle(true)
			c.idle = true
		}
		c.waitState.Add(1)
		c.waiting = true
	}
	msg, err := c.w.receive()
	if err == errSilent {
		return nil, err
	}
	c.endIdle()
	if c.waiting = false; err == nil {
		c.waitState.Add(1)
	}
	return msg, err
}

// endIdle ends the idling of the connection.
func (c *conn) endIdle() {
	if c.idle {
		c.idle = false
		c.srv.d.Network().Idle(false)
	}
}

// answer handles one message. An error ends the connection; errors of statements are sent.
func (c *conn) answer(msg pgproto3.FrontendMessage) error {
	if sync, ok := msg.(*pgproto3.Sync); ok {
		return c.sync(sync)
	}
	if c.skipping {
		return nil
	}
	switch m := msg.(type) {
	case *pgproto3.Query:
		return c.simple(m.String)
	case *pgproto3.Parse, *pgproto3.Bind, *execution:
		c.db.BeginGroup()
	}
	switch m := msg.(type) {
	case *pgproto3.Parse:
		return c.extended(c.parse(m))
	case *pgproto3.Bind:
		return c.extended(c.bind(m))
	case *pgproto3.Describe:
		return c.extended(c.describe(m))
	case *execution:
		return c.execute(m)
	case *pgproto3.Close:
		return c.extended(c.close(m))
	case *pgproto3.Flush:
		return c.flush()
	case *pgproto3.CopyData, *pgproto3.CopyDone, *pgproto3.CopyFail:
		return nil // left over from a COPY that failed
	case *pgproto3.FunctionCall:
		c.db.Fail()
		c.fail(&db.Error{Code: "0A000", Message: "the function call message is not supported", Hint: "SELECT f(…)"}, "")
		c.endGroup()
		c.ready()
		return nil
	}
	return fatalf("08P01", "the message %s cannot come here", messageName(msg))
}

// messageName is the name of a message in PostgreSQL's description of the protocol.
func messageName(m pgproto3.FrontendMessage) string {
	switch m.(type) {
	case *saslBody:
		return "PasswordMessage"
	case *execution:
		return "Execute"
	}
	name := fmt.Sprintf("%T", m)
	return name[strings.LastIndexByte(name, '.')+1:]
}

// noBlockTimeout is the patience with a session that is not in a transaction block.
const noBlockTimeout int64 = -2

// ready tells that the next statement may come.
func (c *conn) ready() {
	block, own := c.db.Block(), noBlockTimeout
	if block != db.NoBlock {
		own = int64(c.db.OwnIdleTimeout())
	}
	if c.idleTimeout.Load() != own {
		c.idleTimeout.Store(own)
	}
	switch block {
	case db.OpenBlock:
		c.send(readyInBlock)
	case db.FailedBlock:
		c.send(readyAfterError)
	default:
		c.send(readyOutside)
	}
}

// The states that a client is told; messages are made once.
var (
	readyOutside    = &pgproto3.ReadyForQuery{TxStatus: 'I'}
	readyInBlock    = &pgproto3.ReadyForQuery{TxStatus: 'T'}
	readyAfterError = &pgproto3.ReadyForQuery{TxStatus: 'E'}
)

// send adds a message; a broken connection shows at the next flush.
func (c *conn) send(msg pgproto3.BackendMessage) {
	c.sending.Lock()
	defer c.sending.Unlock()
	_ = c.w.send(msg)
}

// sendEncoded adds a message that is encoded already.
func (c *conn) sendEncoded(msg []byte) {
	c.sending.Lock()
	defer c.sending.Unlock()
	_ = c.w.add(append(c.w.out, msg...))
}

func (c *conn) flush() error {
	c.sending.Lock()
	defer c.sending.Unlock()
	return c.w.flush()
}

// notice tells the client something at once.
func (c *conn) notice(msg string) {
	c.sending.Lock()
	defer c.sending.Unlock()
	_ = c.w.send(&pgproto3.NoticeResponse{Severity: "NOTICE", SeverityUnlocalized: "NOTICE", Code: "00000", Message: msg})
	_ = c.w.flush()
}

// progressEvery is the time between two lines about a training.
const progressEvery = time.Second

// progress tells how a training goes, once a second and at its end.
func (c *conn) progress() func(db.Progress) {
	var mu sync.Mutex
	var last time.Time
	return func(p db.Progress) {
		mu.Lock()
		defer mu.Unlock()
		if now := time.Now(); now.Sub(last) >= progressEvery {
			last = now
			c.notice(p.String())
		}
	}
}

// fail sends an error; text is the statement that its place is in.
func (c *conn) fail(err error, text string) {
	c.send(response("ERROR", err, text))
}

func response(severity string, err error, text string) *pgproto3.ErrorResponse {
	r := &pgproto3.ErrorResponse{Severity: severity, SeverityUnlocalized: severity, Code: "XX000", Message: err.Error()}
	var e *db.Error
	if errors.As(err, &e) {
		r.Code, r.Message, r.Hint = e.Code, e.Message, e.Hint
		if e.Line > 0 && e.Offset <= len(text) {
			r.Position = int32(utf8.RuneCountInString(text[:e.Offset]) + 1)
		}
	}
	return r
}

// clientGone reports whether an error only says that the client went away.
func clientGone(err error) bool {
	var n net.Error
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.As(err, &n)
}

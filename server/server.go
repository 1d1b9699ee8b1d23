// Package server speaks the PostgreSQL wire protocol, version 3, over a database: any client
// of PostgreSQL can send it statements of Parlance.
package server

import (
	"container/list"
	"context"
	"crypto/subtle"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"parlance/db"
	"parlance/server/auth"
)

// Options of New.
type Options struct {
	TLS        *tls.Config  // nil refuses encryption
	Log        *slog.Logger // nil logs nothing
	Statements StatementLog // nil logs none
	Files      db.Files     // of statements, nil for none
	Backups    db.Files     // of BACKUP, nil for none; what Files reaches would be no place for them
	// other machines may connect without TLS, and without a password where there are no users
	Insecure        bool
	MaxMessageBytes int           // of a client's message, 0 for the setting max_message_bytes
	LoginTimeout    time.Duration // until a client is known, 0 for the setting login_timeout

	watch time.Duration // between looks at all connections, 0 for 1 s
}

// StatementLog gives what is told the ends of a connection's statements; the logger adds the
// connection, its client and user. nil is told nothing.
type StatementLog func(*slog.Logger) func(db.StatementInfo)

// Server serves one database to any number of listeners.
type Server struct {
	d        *db.DB
	o        Options
	throttle auth.Throttle

	mu     sync.Mutex
	conns  map[uint32]*conn
	next   uint32
	closed bool
	// sessions are the connections that have logged in; those that have not wait in a list, the oldest first.
	sessions int
	unknown  list.List
	lists    map[net.Listener]struct{}
	wait     sync.WaitGroup // connections
	ctx      context.Context
	cancel   context.CancelCauseFunc

	watchOnce sync.Once
	watching  sync.WaitGroup
}

// ErrClosed is returned by Serve after Shutdown.
var ErrClosed = errors.New("the server is closed")

// New returns a server for a database, which the caller closes after Shutdown.
func New(d *db.DB, o Options) *Server {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.watch == 0 {
		o.watch = time.Second
	}
	if o.Files == nil {
		o.Files = db.NoFiles
	}
	if o.Backups == nil {
		o.Backups = db.NoBackups
	}
	s := &Server{d: d, o: o, conns: map[uint32]*conn{}, lists: map[net.Listener]struct{}{}}
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	return s
}

// Serve accepts connections until Shutdown, which makes it return ErrClosed, or until the
// listener fails.
func (s *Server) Serve(l net.Listener) error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return errors.Join(ErrClosed, l.Close())
	}
	s.lists[l] = struct{}{}
	s.watchOnce.Do(func() { s.watching.Go(s.watch) })
	s.mu.Unlock()
	var want shortage
	for {
		c, err := l.Accept()
		if err == nil {
			s.accept(c)
			continue
		}
		s.mu.Lock()
		closed := s.closed
		delete(s.lists, l)
		s.mu.Unlock()
		if closed {
			return ErrClosed
		}
		if !exhausted(err) {
			return err
		}
		s.mu.Lock()
		s.dropOldestLogin()
		s.mu.Unlock()
		want.wait(s.ctx, s.o.Log, err)
	}
}

// accept starts a connection.
func (s *Server) accept(nc net.Conn) {
	if t, ok := nc.(*net.TCPConn); ok {
		_ = t.SetKeepAliveConfig(net.KeepAliveConfig{Enable: true, Idle: 30 * time.Second,
			Interval: 10 * time.Second, Count: 3})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		nc.Close()
		return
	}
	if s.tooManyLogins() {
		s.dropOldestLogin()
	}
	c := s.register(nc)
	s.wait.Add(1)
	go func() {
		defer s.wait.Done()
		s.serve(c)
	}()
}

// register gives a connection its number.
func (s *Server) register(nc net.Conn) *conn {
	for s.next++; s.next == 0 || s.conns[s.next] != nil; s.next++ {
	}
	nc = directSocket(nc)
	c := &conn{srv: s, w: newWire(nc, s.d.Network()), socket: nc, id: s.next, statements: map[string]*prepared{},
		portals: map[string]*portal{}}
	c.log = s.o.Log.With("connection", c.id, "client", address(nc.RemoteAddr()))
	c.base, c.abandon = context.WithCancelCause(s.ctx)
	s.conns[c.id] = c
	c.waits = s.unknown.PushBack(c)
	s.d.Network().Opened()
	return c
}

// serve is the life of a connection.
func (s *Server) serve(c *conn) {
	defer func() {
		if v := recover(); v != nil {
			c.log.Error("a fault of the program ended the connection", "panic", v, "stack", string(debug.Stack()))
		}
		for name := range c.portals {
			c.drop(name)
		}
		if c.db.Conn != nil {
			c.db.Release()
		}
		c.abandon(nil)
		c.w.net.Close()
		s.d.Network().Closed()
		s.mu.Lock()
		delete(s.conns, c.id)
		c.leave()
		s.mu.Unlock()
	}()
	if ok, err := s.login(c); err != nil || !ok {
		s.refused(err)
		s.part(c, err)
		return
	}
	c.log = c.log.With("user", c.user)
	if s.o.Statements != nil {
		c.db.OnStatement(s.o.Statements(c.log))
	}
	c.log.Debug("connected")
	s.part(c, c.loop())
}

// login runs the startup of a connection against the clock.
func (s *Server) login(c *conn) (bool, error) {
	most := s.limits().LoginTimeout
	ctx, cancel := context.WithTimeout(c.base, most)
	defer cancel()
	_ = c.w.net.SetDeadline(time.Now().Add(most))
	if c.endReason.Load() != nil { // whose deadline this has replaced
		return false, net.ErrClosed
	}
	ok, err := c.startup(ctx)
	if errors.Is(err, os.ErrDeadlineExceeded) && c.endReason.Load() == nil {
		err = fatalf("57014", "no login within login_timeout, %v", most)
	}
	if err == nil {
		err = c.w.net.SetDeadline(time.Time{})
	}
	return ok, err
}

// refused counts a connection that does not come to its session for a reason with a code.
func (s *Server) refused(err error) {
	var e *db.Error
	if !errors.As(err, &e) {
		return
	}
	s.d.Network().Refused(e.Code)
	if strings.HasPrefix(e.Code, "28") {
		s.d.Network().LoginFailed()
	}
}

// part tells the client, if it is still there, and the log why a connection ends.
func (s *Server) part(c *conn, err error) {
	if v := c.endReason.Load(); v != nil {
		err = fatal{v}
	} else if s.closing() {
		err = fatal{&db.Error{Code: "57P01", Message: "the server is shutting down"}}
	}
	switch {
	case err == nil:
		c.log.Debug("disconnected")
		return
	case clientGone(err):
		_ = c.w.net.SetWriteDeadline(time.Now().Add(time.Second))
		_ = c.flush() // it may have ended its side only
		level := slog.LevelInfo
		if !c.admitted && c.user != "" {
			level = slog.LevelDebug // when it was asked for its password: balancers check servers so, once a second
		}
		c.log.Log(context.Background(), level, "the client went away", "error", err.Error())
		return
	}
	c.log.Warn("connection ended", "error", err.Error())
	_ = c.w.net.SetWriteDeadline(time.Now().Add(time.Second))
	if f, ok := err.(foreign); ok {
		_, _ = io.WriteString(c.w.net, f.answer)
		return
	}
	c.send(response("FATAL", err, ""))
	_ = c.flush()
}

func (s *Server) closing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// interrupt answers a CancelRequest.
func (s *Server) interrupt(id uint32, secret []byte) {
	s.d.Network().CancelRequested()
	s.mu.Lock()
	c := s.conns[id]
	known := c != nil && len(c.secret) > 0 && subtle.ConstantTimeCompare(c.secret, secret) == 1
	s.mu.Unlock()
	if known {
		c.interrupt()
	}
}

// Shutdown stops accepting, lets running statements end until the context does, then cancels
// them, and waits for all connections. Waiting connections are closed at once.
func (s *Server) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	for l := range s.lists {
		l.Close()
	}
	s.mu.Unlock()
	done := make(chan struct{})
	go func() {
		s.wait.Wait()
		close(done)
	}()
	defer s.watching.Wait()
	defer func() { <-done }()
	defer s.end()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		s.closeIdle()
		select {
		case <-done:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// closeIdle wakes connections that wait for their client, which makes them end.
func (s *Server) closeIdle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		if !c.busy() {
			_ = c.socket.SetReadDeadline(time.Unix(1, 0))
		}
	}
}

// end cancels what runs and unblocks what waits for a client.
func (s *Server) end() {
	s.cancel(db.ErrShutdown)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		_ = c.socket.SetDeadline(time.Now().Add(time.Second))
	}
}

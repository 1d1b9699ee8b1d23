package server

import (
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parlance/db"

	"github.com/jackc/pgx/v5/pgproto3"
)

// TestBoundsOfTheWatch looks at a connection at times of the test's own: it ends beyond its bound, not at it, and a
// state that changed in between counts from there.
func TestBoundsOfTheWatch(t *testing.T) {
	d, err := db.Open(":memory:", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	const bound = 10 * time.Second
	waiting := func(c *conn) { c.waitState.Store(1) }
	answering := func(c *conn) { c.waitState.Store(2) }
	for _, x := range []struct {
		name   string
		state  func(*conn)
		change func(*conn) // after 9 s
		limits db.Limits
		code   string
		at     time.Duration // of the verdict, 0 for never within 30 s
	}{
		{"idle", waiting, nil, db.Limits{IdleTimeout: bound}, "57P05", 11 * time.Second},
		{"idle without a bound", waiting, nil, db.Limits{}, "", 0},
		{"idle again", waiting, func(c *conn) { c.waitState.Add(2) }, db.Limits{IdleTimeout: bound}, "57P05",
			20 * time.Second},
		{"not known yet", func(*conn) {}, nil, db.Limits{IdleTimeout: bound, WriteTimeout: bound}, "", 0},
		{"in a block", func(c *conn) { waiting(c); c.idleTimeout.Store(bound.Milliseconds()) }, nil, db.Limits{}, "25P03",
			11 * time.Second},
		{"in no block", func(c *conn) { waiting(c); c.idleTimeout.Store(noBlockTimeout) }, nil, db.Limits{}, "", 0},
		{"half a message", func(c *conn) { answering(c); c.w.half.Store(1) }, nil, db.Limits{ReadTimeout: bound}, "08P01",
			11 * time.Second},
		{"half a message, more of it", func(c *conn) { waiting(c); c.w.half.Store(1) }, func(c *conn) { c.w.half.Add(1) },
			db.Limits{ReadTimeout: bound}, "08P01", 20 * time.Second},
		{"half a message without a bound", func(c *conn) { waiting(c); c.w.half.Store(1) }, nil, db.Limits{}, "", 0},
		{"answering", answering, nil, db.Limits{IdleTimeout: bound, WriteTimeout: bound}, "", 0},
		{"stuck", func(c *conn) { answering(c); c.w.writes.Store(1) }, nil, db.Limits{WriteTimeout: bound}, "08006",
			11 * time.Second},
		{"stuck again", func(c *conn) { answering(c); c.w.writes.Store(1) }, func(c *conn) { c.w.writes.Add(2) },
			db.Limits{WriteTimeout: bound}, "08006", 20 * time.Second},
		{"stuck without a bound", func(c *conn) { answering(c); c.w.writes.Store(1) }, nil, db.Limits{}, "", 0},
	} {
		near, far := net.Pipe()
		c := &conn{srv: &Server{o: Options{watch: time.Second}}, w: newWire(near, d.Network()), socket: near,
			db: d.Guest("ann").Wire(), abandon: func(error) {}}
		x.state(c)
		start, at := time.Now(), time.Duration(0)
		for s := time.Duration(0); s <= 30*time.Second && c.endReason.Load() == nil; s += time.Second {
			if at = s; s == 9*time.Second && x.change != nil {
				x.change(c)
			}
			c.look(start.Add(s), x.limits)
		}
		code := ""
		if v := c.endReason.Load(); v != nil {
			code = v.Code
		} else {
			at = 0
		}
		if code != x.code || at != x.at {
			t.Errorf("%s: %q at %v, want %q at %v", x.name, code, at, x.code, x.at)
		}
		c.db.Release()
		near.Close()
		far.Close()
	}
}

// TestFaultsOfTheProgram end a connection, not the server, and are told to the log.
func TestFaultsOfTheProgram(t *testing.T) {
	log := &journal{}
	d, s, addr := start(t, Options{Log: log.logger(), Statements: func(*slog.Logger) func(db.StatementInfo) {
		return func(i db.StatementInfo) {
			if i.Text() == "SELECT 13" {
				panic("unlucky")
			}
		}
	}})
	other, r := loginRaw(t, addr), loginRaw(t, addr)
	r.send(&pgproto3.Query{String: "SELECT 13"})
	r.until("")
	freed(t, d, s, 1)
	if got := other.query("SELECT 14"); got != "(column) 14 SELECT_1 I" {
		t.Error(got)
	}
	if text := log.String(); strings.Count(text, "a fault of the program ended the connection") != 1 ||
		!strings.Contains(text, "panic=unlucky") || !strings.Contains(text, "watchlimits_test.go") {
		t.Errorf("logged %s", text)
	}
}

// dated is a listener whose connections note the deadline that they were given last.
type dated struct {
	net.Listener
	last atomic.Pointer[time.Time]
}

func (l *dated) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &datedConn{c, l}, nil
}

type datedConn struct {
	net.Conn
	l *dated
}

func (c *datedConn) SetDeadline(at time.Time) error {
	c.l.last.Store(&at)
	return c.Conn.SetDeadline(at)
}

// TestDeadlineOfLoginEnds with the login.
func TestDeadlineOfLoginEnds(t *testing.T) {
	_, s, _ := start(t, Options{})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	on := &dated{Listener: l}
	go s.Serve(on)
	dialRaw(t, l.Addr().String())
	eventually(t, "a deadline", func() bool { return on.last.Load() != nil && !on.last.Load().IsZero() })
	if got := loginRaw(t, l.Addr().String()).query("SELECT 1"); got != "(column) 1 SELECT_1 I" ||
		!on.last.Load().IsZero() {
		t.Errorf("%s, and the deadline is %v", got, on.last.Load())
	}
}

// TestShutdownIsTold to those who wait, and settings that never change at the start.
func TestShutdownIsTold(t *testing.T) {
	_, s, addr := start(t, Options{})
	r := loginRaw(t, addr)
	if v := connect(t, addr, "").PgConn().ParameterStatus("server_version"); v == "" {
		t.Error("no version is told")
	}
	go s.Shutdown(t.Context())
	if got := r.until("E"); got != "FATAL_57P01" {
		t.Error(got)
	}
}

package server

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"parlance/db"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"
)

// patience bounds what tests wait for; it is long because machines that test are busy.
const patience = 30 * time.Second

// raw is a client that is free to misbehave.
type raw struct {
	*net.TCPConn
	t   testing.TB
	f   *pgproto3.Frontend
	key pgproto3.CancelRequest
}

// dialRaw connects without logging in.
func dialRaw(t testing.TB, addr string) *raw {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	r := &raw{TCPConn: c.(*net.TCPConn), t: t, f: pgproto3.NewFrontend(c, c)}
	r.wait()
	return r
}

// loginRaw connects and logs in.
func loginRaw(t testing.TB, addr string) *raw {
	t.Helper()
	r := dialRaw(t, addr)
	r.send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30,
		Parameters: map[string]string{"user": "admin"}})
	r.until("Z")
	return r
}

func (r *raw) send(list ...pgproto3.FrontendMessage) {
	r.t.Helper()
	r.wait()
	for _, m := range list {
		r.f.Send(m)
	}
	if err := r.f.Flush(); err != nil {
		r.t.Fatal(err)
	}
}

// wait bounds what the client waits for next.
func (r *raw) wait() { _ = r.SetDeadline(time.Now().Add(patience)) }

// query runs a statement and returns its answers in words.
func (r *raw) query(text string) string {
	r.t.Helper()
	r.send(&pgproto3.Query{String: text})
	return r.until("Z")
}

// until reads messages until one of the type (Z, E, G, D; "" for the end of the connection) and
// tells them in words.
func (r *raw) until(kind string) string {
	r.t.Helper()
	r.wait()
	var out []string
	for {
		msg, err := r.f.Receive()
		if err != nil {
			if kind != "" || strings.Contains(err.Error(), "timeout") {
				r.t.Fatalf("after %v: %v", out, err)
			}
			return strings.Join(out, " ")
		}
		w, _ := word(msg)
		switch m := msg.(type) {
		case *pgproto3.BackendKeyData:
			r.key = pgproto3.CancelRequest{ProcessID: m.ProcessID, SecretKey: append([]byte(nil), m.SecretKey...)}
		case *pgproto3.ErrorResponse:
			if w = m.Severity + "_" + m.Code; kind == "E" {
				return strings.Join(append(out, w), " ")
			}
		case *pgproto3.DataRow:
			if kind == "D" {
				return strings.Join(out, " ")
			}
		case *pgproto3.CopyInResponse:
			if kind == "G" {
				return strings.Join(out, " ")
			}
		case *pgproto3.ReadyForQuery:
			if kind == "Z" {
				return strings.Join(append(out, w), " ")
			}
		}
		if w != "" {
			out = append(out, w)
		}
	}
}

// cancel sends a CancelRequest on a connection of its own and waits until it was handled.
func cancel(t testing.TB, addr string, key pgproto3.CancelRequest) {
	t.Helper()
	c := dialRaw(t, addr)
	b, err := key.Encode(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Write(b); err != nil {
		t.Fatal(err)
	}
	_, _ = c.Read(b)
	c.Close()
}

// journal is a log that tests read.
type journal struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.b.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.b.String()
}

func (j *journal) logger() *slog.Logger { return slog.New(slog.NewTextHandler(j, nil)) }

// eventually waits until a condition holds.
func eventually(t testing.TB, what string, f func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	late := time.NewTimer(patience)
	defer late.Stop()
	for i := 0; !f(); i++ {
		if i < 50 {
			runtime.Gosched()
			continue
		}
		select {
		case <-tick.C:
		case <-late.C:
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

// connections is the number of connections that a server has.
func (s *Server) connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns)
}

// metric is a figure of a database.
func metric(t testing.TB, d *db.DB, name string) int {
	t.Helper()
	for _, m := range d.Metrics() {
		if m.Name == name {
			return int(m.Value)
		}
	}
	t.Fatal("no metric", name)
	return 0
}

// wide fills a corpus with n documents of about 1 kB.
func wide(t testing.TB, addr string, n int) {
	t.Helper()
	c := connect(t, addr, "")
	if _, err := c.Exec(context.Background(), "CREATE CORPUS docs"); err != nil {
		t.Fatal(err)
	}
	load(t, c, strings.Repeat(strings.Repeat("Ann Lee flew to Oslo. ", 45)+"\n", n))
}

func load(t testing.TB, c *pgx.Conn, lines string) {
	t.Helper()
	if _, err := c.PgConn().CopyFrom(context.Background(), strings.NewReader(lines),
		"LOAD STDIN INTO docs FORMAT lines"); err != nil {
		t.Fatal(err)
	}
}

// endless is a statement over docs that runs for hours with n documents.
const endless = "SELECT count(*) FROM docs.tokens AS a CROSS JOIN docs.tokens AS b WHERE a.form || b.form = 'x'"

// flood is a statement over wide that gives n² rows of 1 kB.
const flood = "SELECT a.text FROM docs AS a CROSS JOIN docs AS b"

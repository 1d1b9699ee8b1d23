package server

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parlance/db"

	"github.com/jackc/pgx/v5/pgproto3"
)

// arena is a server that input of any kind is thrown at.
type arena struct {
	dir    string
	d      *db.DB
	s      *Server
	served chan error
	faults atomic.Pointer[string]
	uses   int
}

// Handle notes faults of the program; nothing else matters here.
func (a *arena) Handle(_ context.Context, r slog.Record) error {
	if r.Level >= slog.LevelError {
		text := r.Message
		r.Attrs(func(x slog.Attr) bool {
			text += "\n" + x.String()
			return true
		})
		a.faults.Store(&text)
	}
	return nil
}

// Enabled, WithAttrs and WithGroup make an arena a slog.Handler.
func (a *arena) Enabled(context.Context, slog.Level) bool { return true }
func (a *arena) WithAttrs([]slog.Attr) slog.Handler       { return a }
func (a *arena) WithGroup(string) slog.Handler            { return a }

func (a *arena) socket() string { return filepath.Join(a.dir, "s") }

func newArena(t testing.TB) *arena {
	t.Helper()
	a := &arena{served: make(chan error, 1)}
	var err error
	if a.dir, err = os.MkdirTemp("", "wire"); err != nil { // names of sockets must be short
		t.Fatal(err)
	}
	if a.d, err = db.Open(":memory:", db.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := a.d.Conn().Script(context.Background(),
		"CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'Ann Lee flew to Oslo.'), ('b', 'Bob.')",
		nil); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", a.socket())
	if err != nil {
		t.Fatal(err)
	}
	a.s = New(a.d, Options{watch: 10 * time.Millisecond, MaxMessageBytes: 1 << 16, Log: slog.New(a)})
	go func() { a.served <- a.s.Serve(l) }()
	return a
}

func (a *arena) close(t testing.TB) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := a.s.Shutdown(ctx); err != nil {
		t.Error(err)
	}
	if err := errors.Join(a.d.Close(), os.RemoveAll(a.dir)); err != nil {
		t.Error(err)
	}
	<-a.served
}

// throw sends input as a client that sends nothing more, and returns what the server answers.
func (a *arena) throw(t testing.TB, input []byte) []byte {
	t.Helper()
	nc, err := net.Dial("unix", a.socket())
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	_ = nc.SetDeadline(time.Now().Add(patience))
	got := make(chan []byte, 1)
	go func() {
		var out bytes.Buffer
		_, err := io.Copy(&out, nc)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			buf := make([]byte, 1<<20)
			panic(fmt.Sprintf("the server is stuck on %q\n%s", input, buf[:runtime.Stack(buf, true)]))
		}
		got <- out.Bytes()
	}()
	_, _ = nc.Write(input) // the server may have ended it already
	_ = nc.(*net.UnixConn).CloseWrite()
	return <-got
}

// check wants answers that are messages, and no fault of the program among them.
func (a *arena) check(t testing.TB, input, out []byte) {
	t.Helper()
	for len(out) > 0 && (out[0] == 'N' && (len(out) == 1 || out[1] != 0)) {
		out = out[1:] // there is no encryption
	}
	for len(out) > 0 {
		if len(out) < 5 || int(binary.BigEndian.Uint32(out[1:])) < 4 || int(binary.BigEndian.Uint32(out[1:])) > len(out)-1 {
			t.Fatalf("half a message: %q", out)
		}
		n := 1 + int(binary.BigEndian.Uint32(out[1:]))
		if out[0] == 'E' {
			var e pgproto3.ErrorResponse
			if err := e.Decode(out[5:n]); err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(e.Code, "XX") || len(e.Code) != 5 {
				t.Fatalf("a fault: %s %s", e.Code, e.Message)
			}
		}
		out = out[n:]
	}
	if fault := a.faults.Load(); fault != nil {
		t.Fatal(*fault)
	}
}

// fresh wants a new client to be answered.
func (a *arena) fresh(t testing.TB) {
	t.Helper()
	var b []byte
	for _, m := range []pgproto3.FrontendMessage{&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30,
		Parameters: map[string]string{"user": "admin"}}, &pgproto3.Query{String: "SELECT 42"}, &pgproto3.Terminate{}} {
		b, _ = m.Encode(b)
	}
	if out := a.throw(t, b); !bytes.Contains(out, []byte("42C\x00\x00\x00\rSELECT 1\x00")) {
		t.Fatalf("a new client is answered %q", out)
	}
}

// FuzzWire throws bytes at a server, as they come and behind a login.
func FuzzWire(f *testing.F) {
	list, err := filepath.Glob("testdata/wire/*")
	if err != nil || len(list) == 0 {
		f.Fatal("no recorded sessions", err)
	}
	for _, p := range list {
		b, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	a := newArena(f)
	f.Cleanup(func() { a.close(f) })
	goroutines := 0
	f.Fuzz(func(t *testing.T, input []byte) {
		if a.uses++; a.uses%2000 == 0 { // what input has loaded makes it slow
			a.close(t)
			a = newArena(t)
		}
		a.check(t, input, a.throw(t, input))
		a.fresh(t)
		eventually(t, "connections end", func() bool { return a.s.connections() == 0 })
		if goroutines == 0 {
			goroutines = runtime.NumGoroutine() + 5
		}
		eventually(t, "goroutines end", func() bool { return runtime.NumGoroutine() <= goroutines })
	})
}

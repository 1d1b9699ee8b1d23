package server

import (
	"bytes"
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"parlance/db"

	"github.com/jackc/pgx/v5/pgconn"
)

// TestSocket serves a folder's socket to clients that name the folder as their host.
func TestSocket(t *testing.T) {
	dir := t.TempDir()
	d, err := db.Open(":memory:", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	l, err := Listen(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, SocketName)
	if i, err := os.Stat(path); err != nil || i.Mode().Perm() != socketMode {
		t.Errorf("%v, %v", i, err)
	}
	s, served := New(d, Options{watch: 10 * time.Millisecond}), make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	c, err := pgconn.Connect(t.Context(), "host="+dir+" port=5477 user=ann dbname=x")
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Exec(t.Context(),
		"SELECT user, inet_client_addr() IS NULL, inet_server_addr() IS NULL, (SELECT client FROM system.activity)").ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if row := bytes.Join(got[0].Rows[0], []byte("|")); string(row) != "ann|t|t|local" {
		t.Errorf("%s", row)
	}
	gone := make(chan error, 1)
	go func() {
		_, err := c.Exec(t.Context(),
			"SELECT count(*) FROM generate_series(1, 1000000) AS a(x), generate_series(1, 1000000) AS b(y) WHERE x "+
				"* y % 7 = 3").ReadAll()
		gone <- err
	}()
	for n := 0; n == 0; {
		for _, c := range listOf(s) {
			c.mu.Lock()
			if c.running {
				n++
			}
			c.mu.Unlock()
		}
	}
	c.Conn().Close()
	if err := <-gone; err == nil {
		t.Error("a statement of days ended")
	}
	if err := s.Shutdown(t.Context()); err != nil { // waits for the statement, which ends with its client
		t.Error(err)
	}
	if err := <-served; !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket stays: %v", err)
	}
}

func listOf(s *Server) (out []*conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		out = append(out, c)
	}
	return out
}

// TestSocketsLeftBehind: what a killed server left is replaced, a file or the socket of a living one is not.
func TestSocketsLeftBehind(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	l, err := Listen(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(t.Context(), path); !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("a second listener: %v", err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	l.Close()
	again, err := Listen(t.Context(), path)
	if err != nil {
		t.Fatalf("after one that was killed: %v", err)
	}
	again.Close()
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(t.Context(), path); !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("over a file: %v", err)
	}
	if b, _ := os.ReadFile(path); string(b) != "mine" {
		t.Errorf("the file has %q", b)
	}
	for _, at := range []string{"5477", "s", "", "unix:/s", "/none/here"} {
		if l, err := Listen(t.Context(), at); err == nil {
			l.Close()
			t.Errorf("%q is listened at", at)
		}
	}
}

package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parlance/db"
	"parlance/server"
)

// TestGenerator counts what it sends against what the server has executed.
func TestGenerator(t *testing.T) {
	d, err := db.Open("", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := server.New(d, server.Options{})
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	defer func() {
		if err := s.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		if err := <-served; !errors.Is(err, server.ErrClosed) {
			t.Error(err)
		}
	}()
	executed := func() (n float64) {
		for _, m := range d.Metrics() {
			if m.Name == "parlance_statements_total" {
				n += m.Value
			}
		}
		return n
	}
	before := executed()
	var got load
	for seconds := 1; got.statements == 0 && err == nil && seconds < 100; seconds *= 2 {
		// the machine may pause for a second
		got, err = measured(os.Getpid(), func() (load, error) {
			return generate(context.Background(), l.Addr().String(), seconds, "SELECT upper($1)", func(r *rand.Rand) string {
				return sentence([]string{"a", "b"}, r)
			})
		})
	}
	if n := executed() - before; err != nil || float64(got.statements) != n || n == 0 {
		t.Errorf("%v statements were executed, %+v, %v", n, got.statements, err)
	}
	if got.seconds < 1 || got.rate() > float64(got.statements) || got.percentile(0.5) > got.percentile(0.99) ||
		got.percentile(0.5) <= 0 {
		t.Error(got.seconds, got.rate(), got.note())
	}
	if _, err := generate(context.Background(), l.Addr().String(), 1, "SELECT nothing",
		func(*rand.Rand) string { return "" }); err == nil || !strings.Contains(err.Error(), "42703") {
		t.Error("a statement that fails:", err)
	}
}

// TestPgbenchIsRead reads what pgbench 15 says and logs.
func TestPgbenchIsRead(t *testing.T) {
	l, err := pgbenchSays("number of transactions actually processed: 93414\nnumber of failed transactions: 0 " +
		"(0.000%)\nlatency average = 0.256 ms\ninitial connection time = 13.563 ms\ntps = 31224.967890 (without initial " +
		"connection time)\n")
	if err != nil || l.statements != 93414 || int(l.rate()) != 31224 {
		t.Error(l, err)
	}
	for _, bad := range []string{"",
		"number of transactions actually processed: 1\nnumber of failed transactions: 1 (100%)\ntps = 1 (without"} {
		if _, err := pgbenchSays(bad); err == nil {
			t.Errorf("%q is no error", bad)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "log.7"), []byte("0 0 150 0 1 2\n1 0 90 3 1 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := pgbenchDelays(dir)
	if err != nil || len(d) != 2 || d[0] != 90*time.Microsecond {
		t.Error(d, err)
	}
}

func TestComputed(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("no processor times in /proc here:", err)
	}
	if s, ok := computed(os.Getpid()); !ok || s < 0 {
		t.Error(s, ok)
	}
	if _, ok := computed(-1); ok {
		t.Error("times of no process")
	}
}

package server

import (
	"context"
	"database/sql"
	"flag"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	_ "github.com/lib/pq"
)

var record = flag.Bool("record", false, "write what real clients send to testdata/wire")

// TestRecord lets real clients speak to a server through a proxy and keeps what they sent.
func TestRecord(t *testing.T) {
	if !*record {
		t.Skip("records sessions of clients, with -record only")
	}
	_, _, addr := start(t, Options{})
	wide(t, addr, 3)
	for name, session := range map[string]func(t *testing.T, addr string){
		"psql":        psqlSession,
		"psql_copy":   psqlCopy,
		"pgbench":     pgbenchSession,
		"pgx":         pgxSession,
		"pgx_simple":  func(t *testing.T, addr string) { pgxStatements(t, addr, "&default_query_exec_mode=simple_protocol") },
		"pgx_exec":    func(t *testing.T, addr string) { pgxStatements(t, addr, "&default_query_exec_mode=exec") },
		"libpq_go":    libpqSession,
		"unencrypted": func(t *testing.T, addr string) { run(t, "psql", url(addr, "prefer"), "-c", "SELECT 1") },
	} {
		t.Run(name, func(t *testing.T) {
			for i, b := range recorded(t, addr, session) {
				path := filepath.Join("testdata", "wire", name)
				if i > 0 {
					path += "_" + string(rune('0'+i))
				}
				if err := os.WriteFile(path, b, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// recorded runs a session through a proxy and returns what was sent on each connection.
func recorded(t *testing.T, addr string, session func(*testing.T, string)) [][]byte {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var all [][]byte
	var work sync.WaitGroup
	work.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			s, err := net.Dial("tcp", addr)
			if err != nil {
				t.Error(err)
				return
			}
			work.Go(func() { _, _ = io.Copy(c, s); c.Close() })
			work.Go(func() {
				var b strings.Builder
				_, _ = io.Copy(io.MultiWriter(s, &b), c)
				s.Close()
				mu.Lock()
				defer mu.Unlock()
				all = append(all, []byte(b.String()))
			})
		}
	})
	session(t, l.Addr().String())
	l.Close()
	work.Wait()
	return all
}

func url(addr, mode string) string { return "postgres://admin@" + addr + "/parlance?sslmode=" + mode }

func run(t *testing.T, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Stdin = strings.NewReader("one line\nanother\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Logf("%s: %v: %s", name, err, out)
	}
}

func psqlSession(t *testing.T, addr string) {
	run(t, "psql", "-X", url(addr, "disable"), "-c", "SELECT 1 AS one; SELECT 'two'", "-c", `\d`, "-c", `\d docs`, "-c",
		"BEGIN", "-c", "SELEC", "-c", "ROLLBACK",
		"-c", `SELECT id, text FROM docs \gdesc`, "-c", `\l`, "-c", `\set FETCH_COUNT 2`, "-c", "SELECT id FROM docs",
		"-c", `\conninfo`)
}

func psqlCopy(t *testing.T, addr string) {
	run(t, "psql", "-X", url(addr, "disable"), "-c", "LOAD STDIN INTO docs FORMAT lines", "-c",
		"COPY (SELECT id FROM docs) TO STDOUT FORMAT csv", "-c", "DELETE FROM docs WHERE text = 'another'")
}

func pgbenchSession(t *testing.T, addr string) {
	host, port, _ := net.SplitHostPort(addr)
	script := filepath.Join(t.TempDir(), "script.sql")
	if err := os.WriteFile(script, []byte("\\set n random(1, 100)\nSELECT text FROM docs WHERE length(text) > :n;\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PGSSLMODE", "disable")
	run(t, "pgbench", "-n", "-M", "prepared", "-t", "3", "-h", host, "-p", port, "-U", "admin", "-f", script, "parlance")
}

func pgxSession(t *testing.T, addr string) {
	pgxStatements(t, addr, "")
	c, err := pgx.Connect(context.Background(), url(addr, "disable"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	b := &pgx.Batch{}
	b.Queue("SELECT $1 + 1", 1)
	b.Queue("SELECT upper($1)", "x")
	b.Queue("SELECT nothing")
	if err := c.SendBatch(context.Background(), b).Close(); err == nil {
		t.Error("no error")
	}
	_, _ = c.PgConn().CopyFrom(context.Background(), strings.NewReader("one\ntwo\n"), "LOAD STDIN INTO docs FORMAT lines")
	_, _ = c.PgConn().CopyTo(context.Background(), io.Discard, "COPY (SELECT id FROM docs) TO STDOUT FORMAT csv")
}

func pgxStatements(t *testing.T, addr, options string) {
	c, err := pgx.Connect(context.Background(), url(addr, "disable")+options)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	for _, s := range []struct {
		sql  string
		args []any
	}{{"SELECT id FROM docs WHERE length(text) > $1", []any{3}},
		{"SELECT $1 || 'x', $2 / 2, $3::boolean", []any{"é", 2.5, true}}, {"SELECT uper('x')", nil}, {"BEGIN", nil},
		{"SELECT 1", nil}, {"COMMIT", nil},
		{"INSERT INTO docs (id, text) VALUES ($1, $2)", []any{"new", "Bob."}},
		{"DELETE FROM docs WHERE id = $1", []any{"new"}}} {
		_, _ = c.Exec(context.Background(), s.sql, s.args...)
	}
}

func libpqSession(t *testing.T, addr string) {
	d, err := sql.Open("postgres", url(addr, "disable"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	d.SetMaxOpenConns(1)
	var n int
	for _, q := range []string{"SELECT count(*) FROM docs WHERE text <> $1", "SELECT length($1)"} {
		if err := d.QueryRow(q, "x").Scan(&n); err != nil {
			t.Log(err)
		}
	}
	tx, err := d.Begin()
	if err != nil {
		t.Fatal(err)
	}
	_, _ = tx.Exec("SELECT nothing")
	_ = tx.Rollback()
	st, err := d.Prepare("SELECT id FROM docs LIMIT $1")
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	for range 2 {
		rows, err := st.Query(2)
		if err != nil {
			t.Fatal(err)
		}
		rows.Close()
	}
}

package server

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parlance/db"
	"parlance/db/reloadtest"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// startReplica serves a copy of a file read-only.
func startReplica(t *testing.T, file string) (d *db.DB, s *Server, addr, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "replica.parlance")
	reloadtest.Put(t, file, path)
	d, s, addr = startAt(t, path, db.Options{ReadOnly: true}, Options{})
	return d, s, addr, path
}

// says returns the text of the document that a connection sees.
func says(t *testing.T, c interface {
	QueryRow(context.Context, string, ...any) pgx.Row
}) string {
	t.Helper()
	s := ""
	if err := c.QueryRow(context.Background(), reloadtest.Word).Scan(&s); err != nil {
		t.Error(err)
	}
	return s
}

func reload(t *testing.T, d *db.DB, file, path string) {
	t.Helper()
	reloadtest.Put(t, file, path)
	if done, err := d.Reload(t.Context()); err != nil || done.Same {
		t.Fatalf("%+v, %v", done, err)
	}
}

// TestReloadKeepsWhatRuns lets a transaction, a stream of rows and a pipeline of a client end on the old file.
func TestReloadKeepsWhatRuns(t *testing.T) {
	old, fresh := reloadtest.Copies(t, "")
	d, _, addr, path := startReplica(t, old)
	streams, transacts := connect(t, addr, ""), connect(t, addr, "")
	rows, err := streams.Query(t.Context(), "SELECT d.text, x FROM docs AS d, generate_series(1, 300000) AS s(x)")
	if err != nil {
		t.Fatal(err)
	}
	tx, err := transacts.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	pipeline := loginRaw(t, addr)
	ask := []pgproto3.FrontendMessage{&pgproto3.Parse{Query: reloadtest.Word}, &pgproto3.Bind{}, &pgproto3.Execute{}}
	pipeline.send(append(ask, &pgproto3.Flush{})...)
	pipeline.until("D")
	waiting := loginRaw(t, addr)
	waiting.send(&pgproto3.Parse{Name: "p", Query: reloadtest.Word}, &pgproto3.Sync{})
	waiting.until("Z")

	reload(t, d, fresh, path)
	if got := says(t, connect(t, addr, "")); got != "new" {
		t.Errorf("a new connection sees %s", got)
	}
	pipeline.send(append(ask, &pgproto3.Sync{})...)
	if got := rowOf(pipeline); got != "old" {
		t.Errorf("the pipeline goes on with %s", got)
	}
	pipeline.send(append(ask, &pgproto3.Sync{})...)
	if got := rowOf(pipeline); got != "new" {
		t.Errorf("the next pipeline sees %s", got)
	}
	waiting.send(&pgproto3.Bind{PreparedStatement: "p"}, &pgproto3.Execute{}, &pgproto3.Sync{})
	if got := rowOf(waiting); got != "new" {
		t.Errorf("the prepared statement sees %s", got)
	}
	if got := says(t, tx); got != "old" {
		t.Errorf("the transaction sees %s", got)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Error(err)
	}
	if got := says(t, transacts); got != "new" {
		t.Errorf("after the transaction %s is seen", got)
	}
	if got := metric(t, d, "parlance_files_open"); got != 2 {
		t.Errorf("%d files are open while rows stream", got)
	}
	n := 0
	for rows.Next() {
		n++
		if v := rows.RawValues(); string(v[0]) != "old" {
			t.Fatalf("row %d is %s", n, v[0])
		}
	}
	if err := rows.Err(); err != nil || n != 300_000 {
		t.Errorf("%d rows, %v", n, err)
	}
	eventually(t, "the old file is closed", func() bool { return metric(t, d, "parlance_files_open") == 1 })
}

// rowOf reads answers until ReadyForQuery and returns the value of the last row.
func rowOf(r *raw) string {
	r.t.Helper()
	r.wait()
	last := ""
	for {
		msg, err := r.f.Receive()
		if err != nil {
			r.t.Fatal(err)
		}
		switch m := msg.(type) {
		case *pgproto3.DataRow:
			last = string(m.Values[0])
		case *pgproto3.ErrorResponse:
			return m.Message
		case *pgproto3.ReadyForQuery:
			return last
		}
	}
}

// TestReloadUnderClients exchanges the file many times while clients read in all modes of a driver.
func TestReloadUnderClients(t *testing.T) {
	old, fresh := reloadtest.Copies(t, "")
	d, _, addr, path := startReplica(t, old)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var clients sync.WaitGroup
	var seen [2]atomic.Int64
	for _, mode := range modes {
		c := connect(t, addr, "&default_query_exec_mode="+mode)
		clients.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				word, err := reads(c, i%3, mode == "simple_protocol")
				if err != nil {
					t.Errorf("%s, way %d: %v", mode, i%3, err)
					return
				}
				seen[map[string]int{"old": 0, "new": 1}[word]].Add(1)
			}
		})
	}
	for i := range 10 {
		reload(t, d, []string{fresh, old}[i%2], path)
		time.Sleep(20 * time.Millisecond)
	}
	cancel()
	clients.Wait()
	if seen[0].Load() == 0 || seen[1].Load() == 0 {
		t.Errorf("old was seen %d times, new %d times", seen[0].Load(), seen[1].Load())
	}
	if got := metric(t, d, "parlance_files_open"); got != 1 {
		t.Errorf("%d files are open", got)
	}
}

// reads reads both relations in one of three ways, and returns the word that they have in common: in a statement, in a
// transaction, and in a batch, which is a pipeline or one message.
func reads(c *pgx.Conn, way int, simple bool) (string, error) {
	ctx := context.Background()
	var a, b, z string
	var n int
	switch way {
	case 0:
		if err := c.QueryRow(ctx, reloadtest.Both).Scan(&a, &b, &z, &n); err != nil || n != 3000 || a != z {
			return a, fmt.Errorf("%s %s %s %d: %w", a, b, z, n, err)
		}
	case 1:
		err := pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error {
			return errors.Join(tx.QueryRow(ctx, reloadtest.Word).Scan(&a),
				tx.QueryRow(ctx, "SELECT max(term) FROM terms").Scan(&b))
		})
		if err != nil {
			return a, err
		}
	case 2:
		batch := &pgx.Batch{}
		batch.Queue(reloadtest.Word)
		batch.Queue("SELECT max(term) FROM terms")
		r := c.SendBatch(ctx, batch)
		if err := errors.Join(r.QueryRow().Scan(&a), r.QueryRow().Scan(&b), r.Close()); err != nil {
			return a, err
		}
	}
	if a != b {
		return a, fmt.Errorf("%s and %s are seen at once", a, b)
	}
	return a, nil
}

// TestReloadOtherColumns answers prepared statements as after ALTER and DROP.
func TestReloadOtherColumns(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for i, script := range []string{"CREATE LEXICON a (w TEXT, x TEXT); CREATE LEXICON b (x TEXT)",
		"CREATE LEXICON a (w TEXT, x INTEGER)"} {
		d, err := db.Open(filepath.Join(dir, fmt.Sprint("primary", i)), db.Options{})
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, filepath.Join(dir, fmt.Sprint(i)))
		err = d.Conn().Script(t.Context(), script+"; BACKUP TO '"+files[i]+"'", nil)
		if err := errors.Join(err, d.Close()); err != nil {
			t.Fatal(err)
		}
	}
	d, _, addr, path := startReplica(t, files[0])
	c := connect(t, addr, "")
	for _, name := range []string{"a", "b"} {
		if _, err := c.Prepare(t.Context(), name, "SELECT x FROM "+name); err != nil {
			t.Fatal(err)
		}
	}
	reload(t, d, files[1], path)
	for name, code := range map[string]string{"a": "0A000", "b": "42P01"} {
		_, err := c.Exec(t.Context(), name)
		var e *pgconn.PgError
		if !errors.As(err, &e) || e.Code != code {
			t.Errorf("the statement %s: %v, want %s", name, err, code)
		}
	}
	if _, err := c.Exec(t.Context(), "SELECT x + 1 FROM a"); err != nil {
		t.Error(err)
	}
}

// TestReloadEndsStrangers ends the session of a user whom the new file lacks after its statement.
func TestReloadEndsStrangers(t *testing.T) {
	const users = "CREATE USER boss PASSWORD 'x' ROLE admin; "
	old, _ := reloadtest.Copies(t, users+"CREATE USER ann PASSWORD 'y'")
	_, fresh := reloadtest.Copies(t, users)
	d, _, addr, path := startReplica(t, old)
	reads, waits := connectAs(t, addr, "ann", "y"), connectAs(t, addr, "ann", "y")
	rows, err := reads.Query(t.Context(), "SELECT d.text, x FROM docs AS d, generate_series(1, 300000) AS s(x)")
	if err != nil {
		t.Fatal(err)
	}
	reload(t, d, fresh, path)
	n := 0
	for rows.Next() {
		n++
	}
	if err := rows.Err(); err != nil || n != 300_000 {
		t.Errorf("%d rows, %v", n, err)
	}
	for _, c := range []*pgx.Conn{reads, waits} {
		_, err := c.Exec(t.Context(), "SELECT 1")
		var e *pgconn.PgError
		if err == nil || errors.As(err, &e) && e.Code != "28000" {
			t.Errorf("a stranger: %v", err)
		}
	}
	if _, err := tryConnect(addr, "ann", "y", ""); err == nil || !strings.Contains(err.Error(), "28P01") {
		t.Errorf("a stranger logs in: %v", err)
	}
	eventually(t, "the old file is closed", func() bool { return metric(t, d, "parlance_files_open") == 1 })
}

// TestShutdownAfterReload ends clients that still use the old file.
func TestShutdownAfterReload(t *testing.T) {
	old, fresh := reloadtest.Copies(t, "")
	d, s, addr, path := startReplica(t, old)
	r := loginRaw(t, addr)
	r.query("BEGIN")
	r.query(reloadtest.Word)
	r.send(&pgproto3.Parse{Query: "SELECT x FROM generate_series(1, 1000000) AS s(x)"}, &pgproto3.Bind{},
		&pgproto3.Execute{MaxRows: 1}, &pgproto3.Flush{})
	r.until("D")
	reload(t, d, fresh, path)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	if err := s.Shutdown(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("the server ends after %v", took)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// TestTargetSessionAttrs has drivers choose between a server that writes and a replica.
func TestTargetSessionAttrs(t *testing.T) {
	old, _ := reloadtest.Copies(t, "")
	_, _, replica, _ := startReplica(t, old)
	_, _, primary := start(t, Options{})
	for attr, want := range map[string]string{"read-write": primary, "primary": primary, "read-only": replica,
		"standby": replica, "prefer-standby": replica} {
		for _, hosts := range []string{replica + "," + primary, primary + "," + replica} {
			c, err := pgx.Connect(t.Context(), "postgres://admin@"+hosts+"/x?sslmode=disable&target_session_attrs="+attr)
			if err != nil {
				t.Errorf("%s of %s: %v", attr, hosts, err)
				continue
			}
			if got := c.PgConn().Conn().RemoteAddr().String(); got != want {
				t.Errorf("%s of %s: connected to %s", attr, hosts, got)
			}
			c.Close(context.Background())
		}
	}
}

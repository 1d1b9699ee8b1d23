package server

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// connectAs connects as a user with a password.
func connectAs(t testing.TB, addr, user, password string) *pgx.Conn {
	t.Helper()
	c, err := tryConnect(addr, user, password, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(context.Background()) })
	return c
}

func tryConnect(addr, user, password, options string) (*pgx.Conn, error) {
	return pgx.Connect(context.Background(), "postgres://"+user+":"+password+"@"+addr+"/parlance?sslmode=disable"+options)
}

func hintOf(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Hint
	}
	return ""
}

// TestEndSession ends sessions in every state, in every way that clients have: the client is told, what it has changed
// is undone, and who waits for it goes on.
func TestEndSession(t *testing.T) {
	d, s, addr := start(t, Options{})
	wide(t, addr, 100)
	freed(t, d, s, 1)
	states := map[string]func(r *raw){
		"idle in transaction": func(r *raw) { r.query("BEGIN; DELETE FROM docs") },
		"idle":                func(r *raw) {},
		"aborted":             func(r *raw) { r.query("BEGIN; DELETE FROM docs; SELECT 1/0") },
		"running": func(r *raw) {
			r.query("BEGIN; DELETE FROM docs WHERE id = ''")
			r.send(&pgproto3.Query{String: endless})
			s.running(t, 1)
		},
		"copying": func(r *raw) {
			r.query("BEGIN; DELETE FROM docs")
			r.send(&pgproto3.Query{String: "COPY docs FROM STDIN FORMAT lines"})
			r.until("G")
		},
		"cursor": func(r *raw) {
			r.query("BEGIN; DECLARE c CURSOR FOR SELECT text FROM docs; FETCH c")
		},
	}
	ways := []string{
		"CANCEL SESSION %d", "SELECT pg_terminate_backend(%d)", "SELECT pg_terminate_backend(%d, 20000)",
		"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid = %d AND pid <> " +
			"pg_backend_pid()",
	}
	for state, begin := range states {
		for _, way := range ways {
			r := loginRaw(t, addr)
			begin(r)
			if _, err := d.Exec(context.Background(), fmt.Sprintf(way, r.key.ProcessID)); err != nil {
				t.Fatal(way, err)
			}
			if got := r.until(""); !strings.HasSuffix(got, "FATAL_57P01") || strings.Contains(got, "ERROR") ||
				strings.Contains(got, " I") {
				t.Errorf("%s, %s: %s", state, way, got)
			}
			freed(t, d, s, 1)
		}
		if n, err := d.Exec(context.Background(), "UPDATE docs SET text = text"); err != nil || n.Tag != "UPDATE 100" {
			t.Errorf("%s: %v, %v", state, n, err)
		}
	}
}

// TestEndOwnSession ends the session that asks for it.
func TestEndOwnSession(t *testing.T) {
	_, _, addr := start(t, Options{})
	r := loginRaw(t, addr)
	r.send(&pgproto3.Query{String: "SELECT pg_terminate_backend(pg_backend_pid())"})
	if got := r.until(""); !strings.HasSuffix(got, "FATAL_57P01") {
		t.Error(got)
	}
}

// TestSessionsOfOthers lets users end sessions of their own and nothing else; administrators end all.
func TestSessionsOfOthers(t *testing.T) {
	d, _, addr := start(t, Options{})
	ctx := context.Background()
	if err := d.Conn().Script(ctx,
		`CREATE USER root PASSWORD 'r' ROLE admin; CREATE USER ann PASSWORD 'a' ROLE writer; CREATE USER bea PASSWORD 'b'; CREATE CORPUS docs`, nil); err != nil {
		t.Fatal(err)
	}
	root, ann, again, bea := connectAs(t, addr, "root", "r"), connectAs(t, addr, "ann", "a"),
		connectAs(t, addr, "ann", "a"), connectAs(t, addr, "bea", "b")
	for _, sql := range []string{"BEGIN", "INSERT INTO docs (id, text) VALUES ('a', 'x')"} {
		if _, err := ann.Exec(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
	pid := ann.PgConn().PID()
	for _, way := range []string{"CANCEL SESSION %d", "SELECT pg_terminate_backend(%d)", "SELECT pg_cancel_backend(%d)"} {
		if _, err := bea.Exec(ctx, fmt.Sprintf(way, pid)); codeOf(err) != "42501" {
			t.Errorf("%s of another user: %v", way, err)
		}
	}
	const list = "SELECT usename, state, query, xact_start IS NULL FROM pg_stat_activity WHERE pid = "
	if got := all(t, bea, fmt.Sprint(list, pid)); got != "" {
		t.Errorf("a reader sees %s", got)
	}
	if got := all(t, bea, "SELECT usename FROM pg_stat_activity"); got != `"bea"|`+"\n" {
		t.Errorf("a reader sees %s", got)
	}
	if _, err := d.Exec(ctx, "ALTER USER bea ROLE writer"); err != nil {
		t.Fatal(err)
	}
	const names = ", usesysid IS NULL, application_name IS NULL, client_addr IS NULL, client_port IS NULL FROM "
	if got := all(t, bea, strings.Replace(fmt.Sprint(list, pid), " FROM ", names, 1)); got !=
		`NULL|"idle in transaction"|"<insufficient privilege>"|"f"|"t"|"t"|"t"|"t"|`+"\n" {
		t.Errorf("a writer sees %s", got)
	}
	if _, err := d.Exec(ctx, "ALTER USER bea ROLE reader"); err != nil {
		t.Fatal(err)
	}
	if got := all(t, root, "SELECT session, state FROM system.activity WHERE \"user\" = 'ann'"); got != fmt.Sprintf(
		"\"%d\"|\"idle in transaction\"|\n", pid) {
		t.Error(got)
	}
	var id int64
	if err := root.QueryRow(ctx, "SELECT id FROM system.activity WHERE session = $1", int64(pid)).Scan(&id); err != nil {
		t.Fatal(err)
	}
	if _, err := root.Exec(ctx, fmt.Sprint("CANCEL STATEMENT ", id)); codeOf(err) != "42704" ||
		!strings.Contains(hintOf(err), fmt.Sprintf("CANCEL SESSION %d ends", pid)) {
		t.Errorf("%v, %s", err, hintOf(err))
	}
	if _, err := again.Exec(ctx, fmt.Sprintf("CANCEL SESSION %d", pid)); err != nil {
		t.Error(err)
	}
	if _, err := ann.Exec(ctx, "COMMIT"); codeOf(err) != "57P01" && !ann.IsClosed() {
		t.Error(err)
	}
	for statement, want := range map[string]string{"SELECT pg_terminate_backend(12345)": "\"f\"|\n",
		"SELECT pg_cancel_backend(12345)": "\"f\"|\n", "SELECT count(*) FROM docs": "\"0\"|\n"} {
		if got := all(t, root, statement); got != want {
			t.Errorf("%s: %s", statement, got)
		}
	}
	if _, err := root.Exec(ctx, "CANCEL SESSION 12345"); codeOf(err) != "42704" {
		t.Error(err)
	}
}

// TestCancelBackend cancels what a session runs, and leaves one alone that runs nothing.
func TestCancelBackend(t *testing.T) {
	d, s, addr := start(t, Options{})
	wide(t, addr, 100)
	r := loginRaw(t, addr)
	way := fmt.Sprintf("SELECT pg_cancel_backend(%d)", r.key.ProcessID)
	for _, sql := range []string{"BEGIN", ""} {
		r.query(sql)
		if _, err := d.Exec(context.Background(), way); err != nil {
			t.Fatal(err)
		}
		if got := r.query("SELECT 1"); !strings.HasPrefix(got, "(column) 1 SELECT_1") {
			t.Error(got)
		}
	}
	r.send(&pgproto3.Query{String: endless})
	s.running(t, 1)
	c := connect(t, addr, "")
	eventually(t, "the statement is listed", func() bool {
		return all(t, c,
			fmt.Sprintf("SELECT query LIKE '%%CROSS JOIN%%' FROM pg_stat_activity WHERE state = 'active' AND pid = %d",
				r.key.ProcessID)) == "\"t\"|\n"
	})
	if _, err := d.Exec(context.Background(), way); err != nil {
		t.Fatal(err)
	}
	if got := r.until("Z"); !strings.HasSuffix(got, "ERROR_57014 E") {
		t.Error(got)
	}
}

// TestDropUserEndsSessions ends the sessions of a user who is dropped, with what they run and have not committed; those
// of others go on, and so does one of a new user of the same name.
func TestDropUserEndsSessions(t *testing.T) {
	d, s, addr := start(t, Options{watch: time.Hour})
	ctx := context.Background()
	script := func(text string) {
		t.Helper()
		if err := d.Conn().Script(ctx, text, nil); err != nil {
			t.Fatal(err)
		}
	}
	script(`CREATE USER root PASSWORD 'r' ROLE admin; CREATE USER ann PASSWORD 'a' ROLE admin; CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'x')`)
	root, idle, running, own := connectAs(t, addr, "root", "r"), connectAs(t, addr, "ann", "a"),
		connectAs(t, addr, "ann", "a"), connectAs(t, addr, "ann", "a")
	for _, sql := range []string{"BEGIN", "DELETE FROM docs"} {
		if _, err := idle.Exec(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
	done := make(chan error)
	go func() {
		_, err := running.Exec(ctx, "DELETE FROM docs") // which waits for the block
		done <- err
	}()
	s.running(t, 1)
	if _, err := own.Exec(ctx, "DROP USER ann"); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-done:
		if codeOf(err) != "28000" {
			t.Errorf("a statement of the user: %v", err)
		}
	case <-time.After(patience):
		t.Fatal("a statement of the user goes on")
	}
	eventually(t, "the sessions end", func() bool { return s.connections() == 1 })
	if got := all(t, root, "DELETE FROM docs RETURNING id"); got != "\"a\"|\n" {
		t.Error(got)
	}
	script("CREATE USER ann PASSWORD 'b'")
	if got := all(t, connectAs(t, addr, "ann", "b"), "SELECT count(*) FROM docs"); got != "\"0\"|\n" {
		t.Error(got)
	}
}

package db_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/db"
)

// gated opens a database with a kind that waits at the gate, a corpus docs and a corpus gold.
func gated(t *testing.T) (*db.DB, *kindtest.Gate) {
	t.Helper()
	g := kindtest.NewGate(16)
	d, err := db.Open("", db.Options{Kinds: []kind.Kind{kindtest.SlowKind(g)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	script(t, d.Conn(),
		"CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'one'), ('b', 'two'); SET statement_timeout = 0")
	return d, g
}

// later runs a statement in a session of its own and returns what receives its error.
func later(c *db.Conn, statement string) chan error {
	done := make(chan error, 1)
	go func() {
		_, err := c.Exec(context.Background(), statement)
		done <- err
	}()
	return done
}

// TestActivity lists what runs, with who runs it, and nothing of what has ended.
func TestActivity(t *testing.T) {
	d, g := gated(t)
	script(t, d.Conn(),
		"CREATE USER root PASSWORD 'r' ROLE admin; CREATE USER ann PASSWORD 'a' ROLE writer; CREATE USER bea PASSWORD 'b'; "+
			"CREATE USER cid PASSWORD 'c' ROLE writer")
	c := as(t, d, "ann")
	c.Wire().Identify("ann", "10.0.0.1:5000", "psql")
	done := later(c, "TRAIN slow AS s ON docs")
	<-g.Entered
	got := text(t, d.Conn(),
		`SELECT "user", client, application, state, kind, rows, statement, seconds >= 0 FROM system.activity ORDER BY id`)
	for _, want := range []string{"ann\t10.0.0.1:5000\tpsql\trunning\tTRAIN\t0\tTRAIN slow AS s ON docs\ttrue",
		"∅\t∅\t∅\trunning\tSELECT\t0\tSELECT"} {
		if !strings.Contains(got, want) {
			t.Errorf("want %s in\n%s", want, got)
		}
	}
	other := as(t, d, "bea")
	if got := text(t, other, "SELECT count(*), max(kind) FROM system.activity"); got != "count\tmax\n1\tSELECT\n" {
		t.Errorf("a reader sees %s", got)
	}
	if got := text(t, other, "SELECT count(*) FROM system.jobs"); got != "count\n0\n" {
		t.Errorf("a reader sees jobs of others: %s", got)
	}
	for who, want := range map[string]string{
		"cid": "∅\t∅\t∅\tTRAIN\t∅\n", "ann": "ann\t10.0.0.1:5000\tpsql\tTRAIN\tTRAIN slow AS s ON docs\n",
		"root": "ann\t10.0.0.1:5000\tpsql\tTRAIN\tTRAIN slow AS s ON docs\n",
	} {
		got := text(t, as(t, d, who),
			`SELECT "user", client, application, kind, statement FROM system.activity WHERE kind = 'TRAIN'`)
		if got != "user\tclient\tapplication\tkind\tstatement\n"+want {
			t.Errorf("%s sees %s", who, got)
		}
	}
	for who, want := range map[string]string{
		"cid": "running\t∅\t∅\n", "ann": "running\tTRAIN slow AS s ON docs\tann\n",
		"root": "running\tTRAIN slow AS s ON docs\tann\n",
	} {
		got := text(t, as(t, d, who), `SELECT state, statement, "user" FROM system.jobs`)
		if got != "state\tstatement\tuser\n"+want {
			t.Errorf("%s sees the jobs %s", who, got)
		}
	}
	g.Open()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	rows, err := d.Query(context.Background(), "SELECT id FROM docs")
	if err != nil {
		t.Fatal(err)
	}
	rows.Next()
	if got := text(t, d.Conn(),
		"SELECT state, rows, kind FROM system.activity WHERE kind = 'SELECT' ORDER BY id LIMIT 1"); got !=
		"state\trows\tkind\nsending\t2\tSELECT\n" {
		t.Errorf("open rows: %s", got)
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	if got := text(t, d.Conn(), "SELECT count(*) FROM system.activity"); got != "count\n1\n" {
		t.Errorf("what has ended stays: %s", got)
	}
}

// TestActivityOfBlocks lists a transaction block that keeps others waiting, from its first change to its end.
func TestActivityOfBlocks(t *testing.T) {
	d, _ := gated(t)
	const list = "SELECT state, kind, client, statement, seconds >= 0 FROM system.activity WHERE kind <> 'SELECT'"
	for _, end := range []func(*db.Conn){
		func(c *db.Conn) { script(t, c, "COMMIT") }, func(c *db.Conn) { script(t, c, "ROLLBACK") },
		func(c *db.Conn) { c.Wire().Release() },
	} {
		c := d.Conn()
		c.Wire().Identify("ann", "10.0.0.1:5000", "psql")
		script(t, c, "BEGIN; SELECT 1")
		if got := text(t, d.Conn(), list); strings.Contains(got, "idle") {
			t.Errorf("a block that only reads is listed: %s", got)
		}
		script(t, c, "UPDATE docs SET text = text WHERE id = 'a'")
		if got := text(t, d.Conn(), list); !strings.Contains(got,
			"idle in transaction\tBEGIN\t10.0.0.1:5000\tBEGIN\ttrue\n") {
			t.Errorf("the block is not listed: %s", got)
		}
		if got := text(t, c, "SELECT count(*) FROM system.activity"); got != "count\n1\n" {
			t.Errorf("beside its own statement: %s", got)
		}
		end(c)
		if got := text(t, d.Conn(), list); strings.Contains(got, "idle") {
			t.Errorf("after its end: %s", got)
		}
	}
}

// TestActivityText cuts long statements and hides passwords.
func TestActivityText(t *testing.T) {
	d, _ := gated(t)
	got := text(t, d.Conn(), "SELECT length(statement) FROM system.activity WHERE '"+strings.Repeat("ä", 3000)+"' <> ''")
	if got != "length\n"+fmt.Sprint(text1kB())+"\n" {
		t.Errorf("the text has %s code points", got)
	}
}

// text1kB is the number of code points of 1 kB of the statement above with what shows that it was cut.
func text1kB() int {
	head := "SELECT length(statement) FROM system.activity WHERE '"
	return len(head) + (1024-len(head))/2 + 1
}

// TestCancelStatement ends statements of the own user, and as an admin those of all.
func TestCancelStatement(t *testing.T) {
	d, g := gated(t)
	admin := d.Conn()
	id := func() string {
		return strings.TrimSpace(strings.TrimPrefix(text(t, admin, "SELECT id FROM system.activity WHERE kind = 'TRAIN'"),
			"id\n"))
	}
	script(t, admin,
		"CREATE USER root PASSWORD 'r' ROLE admin; CREATE USER ann PASSWORD 'a' ROLE writer; CREATE USER bea PASSWORD 'b'")
	c := as(t, d, "ann")
	done := later(c, "TRAIN slow AS s ON docs")
	<-g.Entered
	other := as(t, d, "bea")
	n := id()
	if _, err := other.Exec(context.Background(), "CANCEL STATEMENT "+n); code(err) != "42501" {
		t.Errorf("another user cancels: %v", err)
	}
	own := as(t, d, "ann")
	if _, err := own.Exec(context.Background(), "CANCEL STATEMENT $1", n); code(err) != "42804" && err != nil {
		t.Errorf("a number as text: %v", err)
	} else if err != nil {
		script(t, own, "CANCEL STATEMENT "+n)
	}
	if err := <-done; code(err) != "57014" || !strings.Contains(err.Error(), "by ann") {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := admin.Exec(context.Background(), "CANCEL STATEMENT "+n); code(err) != "42704" {
		t.Errorf("it has ended: %v", err)
	}
	done = later(c, "TRAIN slow AS s ON docs")
	<-g.Entered
	script(t, as(t, d, "root"), "CANCEL STATEMENT "+id())
	if err := <-done; code(err) != "57014" {
		t.Errorf("cancelled by an admin: %v", err)
	}
	if got := text(t, admin, "SELECT state FROM system.jobs"); got != "state\ncancelled\ncancelled\n" {
		t.Errorf("jobs: %s", got)
	}
}

// TestStatementTimeout ends annotations and open rows, and nothing that trains.
func TestStatementTimeout(t *testing.T) {
	d, g := gated(t)
	c := d.Conn()
	script(t, c, "SET statement_timeout = 20")
	training := later(c, "TRAIN slow AS s ON docs")
	g.Let()
	if err := <-training; err != nil {
		t.Fatal(err)
	}
	training = later(c, "TRAIN slow AS s ON docs")
	<-g.Entered
	other := d.Conn()
	script(t, other, "SET statement_timeout = 40")
	rows := opened(t, other, "SELECT a.id FROM docs a, docs b")
	third := d.Conn()
	script(t, third, "SET statement_timeout = 60")
	expired(t, later(third, "SELECT * FROM docs.labels USING s@1"), 60)
	for rows.Next() {
	}
	done := make(chan error, 1)
	done <- rows.Close()
	expired(t, done, 40)
	select {
	case err := <-training:
		t.Fatalf("TRAIN is not exempt: %v", err)
	default:
	}
	g.Open()
	if err := <-training; err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"SET statement_timeout = 0", "SELECT id FROM docs"} {
		if err := opened(t, other, s).Close(); err != nil {
			t.Error(err)
		}
	}
}

// opened begins a statement, again where its time was over before: the machine may pause.
func opened(t *testing.T, c *db.Conn, statement string) *db.Rows {
	t.Helper()
	rows, err := c.Query(context.Background(), statement)
	for tries := 0; code(err) == "57014" && tries < 100; tries++ {
		rows, err = c.Query(context.Background(), statement)
	}
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func expired(t *testing.T, done chan error, ms int) {
	t.Helper()
	var e *db.Error
	if err := <-done; !errors.As(err, &e) || e.Code != "57014" ||
		!strings.Contains(e.Message, fmt.Sprintf("statement_timeout, %d ms", ms)) || e.Hint == "" {
		t.Errorf("after the time: %v", err)
	}
}

// TestDefaultsOfSessions takes settings of sessions from the database unless they are set.
func TestDefaultsOfSessions(t *testing.T) {
	d, _ := gated(t)
	before, own := d.Conn(), d.Conn()
	script(t, own, "SET max_result_rows = 5")
	script(t, d.Conn(), "ALTER SYSTEM SET max_result_rows = 1")
	for _, c := range []*db.Conn{before, d.Conn()} {
		if _, err := c.Exec(context.Background(), "SELECT id FROM docs"); code(err) != "54P02" {
			t.Errorf("the default of the database: %v", err)
		}
	}
	script(t, own, "SELECT id FROM docs")
	script(t, before, "SET max_result_rows = 0; SELECT id FROM docs; RESET max_result_rows")
	if got := text(t, before, "SHOW max_result_rows"); got != "max_result_rows\n1\n" {
		t.Errorf("after RESET: %s", got)
	}
	script(t, before, "ALTER SYSTEM RESET max_result_rows; SELECT id FROM docs")
}

// TestMaxResultRows refuses what is longer, not what is as long.
func TestMaxResultRows(t *testing.T) {
	d, _ := gated(t)
	c := d.Conn()
	script(t, c, "SET max_result_rows = 2; SELECT id FROM docs")
	if _, err := c.Exec(context.Background(), "SELECT a.id FROM docs a, docs b"); code(err) != "54P02" {
		t.Errorf("four rows: %v", err)
	}
	script(t, c, "RESET max_result_rows; SELECT a.id FROM docs a, docs b")
}

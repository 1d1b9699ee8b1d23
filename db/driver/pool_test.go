package driver_test

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parlance/db"
	"parlance/db/driver"
)

// numbers fills a corpus with documents d0, d1, …
func numbers(t *testing.T, pool *sql.DB, n int) {
	t.Helper()
	must(t, pool, "CREATE CORPUS docs (n INTEGER)")
	insert, err := pool.Prepare("INSERT INTO docs (id, text, n) VALUES ($1, $2, $3)")
	if err != nil {
		t.Fatal(err)
	}
	defer insert.Close()
	for i := range n {
		if _, err := insert.Exec(fmt.Sprint("d", i), fmt.Sprintf("Text %d.", i), i); err != nil {
			t.Fatal(err)
		}
	}
}

// TestConcurrency sends statements from more goroutines than the pool has connections.
func TestConcurrency(t *testing.T) {
	pool := open(t, filepath.Join(t.TempDir(), "a.parlance")+"?workers=1")
	pool.SetMaxOpenConns(4)
	must(t, pool, "CREATE CORPUS docs (n INTEGER)")
	find, err := pool.Prepare("SELECT text FROM docs WHERE id = $1 AND n = $2")
	if err != nil {
		t.Fatal(err)
	}
	defer find.Close()
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			for j := range 5 {
				id := fmt.Sprintf("%d-%d", i, j)
				if _, err := pool.ExecContext(ctx, "INSERT INTO docs (id, text, n) VALUES ($1, $1, $2)", id, i); err != nil {
					t.Error(err)
				}
				var got string
				if err := find.QueryRowContext(ctx, id, i).Scan(&got); err != nil || got != id {
					t.Errorf("document %s has the text %q, %v", id, got, err)
				}
				if _, err := pool.ExecContext(ctx, "SELECT nope"); code(err) != "42703" {
					t.Errorf("an unknown name gives %v", err)
				}
			}
		})
	}
	wg.Wait()
	var n int
	if err := pool.QueryRow("SELECT count(*) FROM docs").Scan(&n); err != nil || n != 80 {
		t.Errorf("%d documents, %v", n, err)
	}
	if s := pool.Stats(); s.OpenConnections > 4 || s.InUse != 0 {
		t.Errorf("connections %+v", s)
	}
}

// TestEarlyClose frees the connection and what the statement holds.
func TestEarlyClose(t *testing.T) {
	pool := open(t, ":memory:")
	pool.SetMaxOpenConns(1)
	numbers(t, pool, 50)
	for range 5 {
		rows, err := pool.Query("SELECT a.id FROM docs a, docs b, docs c")
		if err != nil {
			t.Fatal(err)
		}
		if !rows.Next() {
			t.Fatal(rows.Err())
		}
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
	}
	if n := pool.Stats().InUse; n != 0 {
		t.Errorf("%d connections in use", n)
	}
	must(t, pool, "COMPACT") // waits for no reader
}

// TestCancelledRows end, and their connection answers again.
func TestCancelledRows(t *testing.T) {
	pool := open(t, ":memory:")
	pool.SetMaxOpenConns(1)
	numbers(t, pool, 50)
	cancelled, cancel := context.WithCancel(ctx)
	rows, err := pool.QueryContext(cancelled, "SELECT a.id FROM docs a, docs b, docs c, docs d")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if !rows.Next() {
		t.Fatal(rows.Err())
	}
	cancel()
	for rows.Next() {
	}
	if err := rows.Err(); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled rows end with %v", err)
	}
	must(t, pool, "SELECT 1")
}

// TestCancelledStatement ends a training with 57014 and frees its connection.
func TestCancelledStatement(t *testing.T) {
	pool := open(t, ":memory:")
	pool.SetMaxOpenConns(1)
	must(t, pool, "CREATE CORPUS gold")
	must(t, pool,
		"LOAD '../../testdata/quickstart/people.train.conll' INTO gold FORMAT conll WITH (columns = (form, entities))")
	conn, err := pool.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := conn.Raw(func(c any) error {
		c.(*driver.Conn).Session().OnProgress(func(db.Progress) { cancel() })
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(cancelled, "TRAIN crf AS m ON gold WITH (iterations = 100000, epsilon = 0)"); code(
		err) != "57014" || !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled training gives %v", err)
	}
	if err := conn.Close(); err != nil {
		t.Error(err)
	}
	must(t, pool, "SELECT 1")
}

// TestLimits of the data source name hold for every statement.
func TestLimits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parlance")
	fill := open(t, path)
	numbers(t, fill, 50)
	for name, want := range map[string]string{"statement_timeout=500": "57014", "max_result_rows=10": "54P02"} {
		pool := open(t, path+"?"+name)
		rows, err := pool.Query("SELECT a.id FROM docs a, docs b, docs c, docs d, docs e, docs f")
		if err == nil {
			for rows.Next() {
			}
			err = rows.Err()
			rows.Close()
		}
		if code(err) != want {
			t.Errorf("%s gives %v", name, err)
		}
		_, err = pool.Exec("SELECT 1")
		for tries := 0; code(err) == "57014" && tries < 100; tries++ { // the machine may pause for longer than the limit
			_, err = pool.Exec("SELECT 1")
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestClosedPool ends what is under way.
func TestClosedPool(t *testing.T) {
	pool, err := sql.Open("parlance", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	numbers(t, pool, 50)
	rows, err := pool.Query("SELECT a.id FROM docs a, docs b, docs c, docs d")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
	for rows.Next() {
	}
	if rows.Err() == nil {
		t.Error("the rows of a closed pool end without an error")
	}
}

// TestTransaction reads in a transaction, two results at a time.
func TestTransaction(t *testing.T) {
	pool := open(t, ":memory:")
	pool.SetMaxOpenConns(1)
	numbers(t, pool, 3)
	tx, err := pool.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := tx.Query("SELECT id FROM docs ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	n := 0
	for ; rows.Next(); n++ {
		var id string
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		var got int
		own, cancel := context.WithCancel(ctx)
		defer cancel()
		if err := tx.QueryRowContext(own, "SELECT n FROM docs WHERE id = $1", id).Scan(&got); err != nil || got != n {
			t.Errorf("%s is number %d, %v", id, got, err)
		}
	}
	if err := rows.Err(); err != nil || n != 3 {
		t.Errorf("%d documents, %v", n, err)
	}
	if _, err := tx.Exec("DELETE FROM docs WHERE n = 0"); code(err) != "25006" {
		t.Errorf("a change in a transaction that reads: %v", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Error(err)
	}
	must(t, pool, "DELETE FROM docs WHERE n = 0")
}

// TestChangesInTransaction sees its own changes in a transaction, and others see them when it is committed.
func TestChangesInTransaction(t *testing.T) {
	pool := open(t, filepath.Join(t.TempDir(), "f"))
	numbers(t, pool, 3)
	count := func(q interface {
		QueryRowContext(context.Context, string, ...any) *sql.Row
	}) (n int) {
		t.Helper()
		if err := q.QueryRowContext(ctx, "SELECT count(*) FROM docs").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, x := range []struct {
		end   func(*sql.Tx) error
		after int
	}{{(*sql.Tx).Rollback, 3}, {(*sql.Tx).Commit, 4}} {
		tx, err := pool.Begin()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.Exec("INSERT INTO docs (id, text, n) VALUES ('new', 'x', 9)"); err != nil {
			t.Fatal(err)
		}
		if in, out := count(tx), count(pool); in != 4 || out != 3 {
			t.Errorf("%d documents within, %d without", in, out)
		}
		if err := x.end(tx); err != nil {
			t.Error(err)
		}
		if n := count(pool); n != x.after {
			t.Errorf("%d documents afterwards, want %d", n, x.after)
		}
	}
}

// TestFailedTransaction refuses what follows an error, and its connection is free afterwards.
func TestFailedTransaction(t *testing.T) {
	pool := open(t, ":memory:")
	pool.SetMaxOpenConns(1)
	for _, end := range []func(*sql.Tx) error{(*sql.Tx).Rollback, (*sql.Tx).Commit} {
		tx, err := pool.Begin()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.Exec("COMPACT"); code(err) != "25001" {
			t.Errorf("what cannot be undone gives %v", err)
		}
		if _, err := tx.Exec("SELECT 1"); code(err) != "25P02" {
			t.Errorf("a statement after an error gives %v", err)
		}
		if err := end(tx); err != nil && code(err) != "25P02" {
			t.Errorf("ending the transaction gives %v", err)
		}
		must(t, pool, "SELECT 1")
	}
	tx, err := pool.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec("SELECT nope"); code(err) != "42703" {
		t.Errorf("an unknown name gives %v", err)
	}
	if err := tx.Commit(); code(err) != "25P02" {
		t.Errorf("committing a failed transaction gives %v", err)
	}
	if _, err := pool.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelLinearizable}); code(err) != "0A000" {
		t.Errorf("isolation level %s gives %v", sql.LevelLinearizable, err)
	}
	for _, level := range []sql.IsolationLevel{sql.LevelReadCommitted, sql.LevelRepeatableRead, sql.LevelSerializable,
		sql.LevelSnapshot} {
		tx, err := pool.BeginTx(ctx, &sql.TxOptions{Isolation: level, ReadOnly: true})
		if err != nil {
			t.Error(err)
			continue
		}
		var got string
		if err := tx.QueryRow("SELECT current_setting('transaction_isolation')").Scan(&got); err != nil ||
			!strings.EqualFold(got, strings.Replace(level.String(), "Snapshot", "Repeatable Read", 1)) {
			t.Errorf("in a transaction of level %s it is %q: %v", level, got, err)
		}
		if err := tx.Commit(); err != nil {
			t.Error(err)
		}
	}
}

// TestConnLeftInTransaction is as new when it is used again.
func TestConnLeftInTransaction(t *testing.T) {
	pool := open(t, ":memory:")
	pool.SetMaxOpenConns(1)
	conn, err := pool.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	must(t, pool, "CREATE CORPUS docs")
}

// TestClosedConnEndsItsTransaction lets others write what a connection has changed that was closed, to the pool or for
// good.
func TestClosedConnEndsItsTransaction(t *testing.T) {
	d, err := db.Open(":memory:", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, err := d.Exec(ctx, "CREATE CORPUS docs"); err != nil {
		t.Fatal(err)
	}
	for _, idle := range []int{2, -1} {
		pool := driver.OpenDB(d)
		pool.SetMaxIdleConns(idle)
		conn, err := pool.Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []string{"BEGIN", "INSERT INTO docs (id, text) VALUES ('a', 'A.')"} {
			if _, err := conn.ExecContext(ctx, s); err != nil {
				t.Fatal(err)
			}
		}
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
		if err := d.Conn().Script(ctx,
			"SET lock_timeout = 1; INSERT INTO docs (id, text) VALUES ('a', 'A.'); DELETE FROM docs", nil); err != nil {
			t.Errorf("with %d idle connections: %v", idle, err)
		}
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	}
	path := filepath.Join(t.TempDir(), "x.parlance")
	alone, err := driver.Driver{}.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"CREATE CORPUS docs", "BEGIN", "INSERT INTO docs (id, text) VALUES ('a', 'A.')",
		"DECLARE c CURSOR FOR SELECT id FROM docs"} {
		if _, err := alone.(*driver.Conn).ExecContext(ctx, s, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := alone.Close(); err != nil {
		t.Error(err)
	}
	again, err := db.Open(path, db.Options{})
	if err != nil {
		t.Fatalf("the file after its only connection: %v", err)
	}
	again.Close()
}

// TestConnectionsAreKept uses a connection again, as new, unless it has a transaction block or its database is closed.
func TestConnectionsAreKept(t *testing.T) {
	d, err := db.Open(":memory:", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	pool := driver.OpenDB(d)
	defer pool.Close()
	use := func(statement string) (used *driver.Conn, tag string) {
		t.Helper()
		conn, err := pool.Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if err := conn.Raw(func(c any) error {
			used, tag = c.(*driver.Conn),
				c.(*driver.Conn).Tag()
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		_, _ = conn.ExecContext(ctx, statement) // some fail
		return used, tag
	}
	first, _ := use("CREATE CORPUS docs")
	for _, statement := range []string{"SELECT nothing", "SELEKT", "BEGIN"} {
		if c, tag := use(statement); c != first || tag != "" {
			t.Errorf("before %s: another connection, or its last tag %q", statement, tag)
		}
	}
	if c, _ := use("SELECT 1"); c == first {
		t.Error("a connection within a transaction block is used again")
	}
	tx, err := pool.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(); code(err) != "08003" {
		t.Errorf("a transaction of a closed database: %v", err)
	}
	if !first.IsValid() {
		t.Error("a connection knows that its database is closed before it is told")
	}
	if err := first.Ping(ctx); !errors.Is(err, sqldriver.ErrBadConn) || first.IsValid() ||
		!errors.Is(first.ResetSession(ctx), sqldriver.ErrBadConn) {
		t.Errorf("a connection to a closed database: %v", err)
	}
}

// TestSeveralStatements gives each a set of rows; what is not asked for runs as the rows are closed, and nothing
// runs after an error.
func TestSeveralStatements(t *testing.T) {
	pool := open(t, ":memory:")
	res := must(t, pool, "CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'A.'), ('b', 'B.');")
	if n, _ := res.RowsAffected(); n != 2 {
		t.Errorf("the last statement is about %d rows", n)
	}
	rows, err := pool.Query(
		"SELECT id FROM docs; DELETE FROM docs WHERE id = 'a'; SELECT count(*) AS n, 'x' AS x FROM docs; DELETE FROM docs")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for more := true; more; more = rows.NextResultSet() {
		names, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for rows.Next() {
			n++
		}
		got = append(got, fmt.Sprint(names, " ", n))
		if len(got) == 3 {
			break
		}
	}
	if want := "[[id] 2 [] 0 [n x] 1]"; fmt.Sprint(got) != want {
		t.Errorf("sets %v, want %s", got, want)
	}
	count := func() (n int) {
		t.Helper()
		if err := pool.QueryRow("SELECT count(*) FROM docs").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if err := rows.Close(); err != nil || count() != 0 {
		t.Errorf("the last statement has not run: %d documents, %v", count(), err)
	}
	if _, err := pool.Exec(
		"INSERT INTO docs (id, text) VALUES ('c', 'C.'); SELECT 1/0; INSERT INTO docs (id, text) VALUES ('d', 'D.')"); code(
		err) != "22012" || count() != 1 {
		t.Errorf("after an error there are %d documents, %v", count(), err)
	}
	rows, err = pool.Query("SELECT 1; SELECT 1/0; DELETE FROM docs")
	if err != nil {
		t.Fatal(err)
	}
	if rows.NextResultSet() || code(rows.Err()) != "22012" || count() != 1 {
		t.Errorf("the set of a statement that fails: %v, %d documents", rows.Err(), count())
	}
	if _, err := pool.Query("SELECT 1/0; DELETE FROM docs"); code(err) != "22012" || count() != 1 {
		t.Errorf("the first of two statements fails: %v, %d documents", err, count())
	}
	if _, err := pool.Query("SELECT $1; SELECT 2", 1); code(err) != "42601" {
		t.Errorf("two statements with an argument: %v", err)
	}
	if _, err := pool.Query("SELECT 1; SELEC 2"); code(err) != "42601" {
		t.Errorf("two statements with a fault: %v", err)
	}
}

// TestStatementOfPool prepares once and runs on more connections than one at a time.
func TestStatementOfPool(t *testing.T) {
	pool := open(t, ":memory:")
	numbers(t, pool, 50)
	s, err := pool.Prepare("SELECT n FROM docs WHERE id = $1")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			var n int
			if err := s.QueryRow(fmt.Sprint("d", i)).Scan(&n); err != nil || n != i {
				t.Errorf("document %d has %d, %v", i, n, err)
			}
		})
	}
	wg.Wait()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := s.Query("d1"); err == nil {
		t.Error("a closed statement runs")
	}
}

// TestClosedInUse closes a pool while rows are read and statements start.
func TestClosedInUse(t *testing.T) {
	pool, err := sql.Open("parlance", filepath.Join(t.TempDir(), "a.parlance"))
	if err != nil {
		t.Fatal(err)
	}
	numbers(t, pool, 20)
	var wg, reading sync.WaitGroup
	for range 8 {
		reading.Add(1)
		wg.Go(func() {
			first := true
			for {
				rows, err := pool.Query("SELECT a.id FROM docs a CROSS JOIN docs b")
				if first {
					reading.Done()
					first = false
				}
				if err != nil {
					return
				}
				for rows.Next() {
				}
				rows.Close()
			}
		})
	}
	reading.Wait()
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
	wg.Wait()
}

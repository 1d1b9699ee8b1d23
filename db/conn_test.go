package db_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parlance/db"
)

// TestTemporaryDatabaseGoes checks that Close removes the file.
func TestTemporaryDatabaseGoes(t *testing.T) {
	for _, path := range []string{"", ":memory:"} {
		d, err := db.Open(path, db.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(d.Path()); err != nil {
			t.Error(err)
		}
		for range 2 {
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		}
		if _, err := os.Stat(filepath.Dir(d.Path())); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%q leaves %s: %v", path, d.Path(), err)
		}
	}
}

// TestClosedDatabaseRefuses everything.
func TestClosedDatabaseRefuses(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	st, err := c.Prepare("SELECT 1")
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for name, f := range map[string]func() error{
		"Stmt.Query": func() error { _, err := st.Query(ctx); return err },
		"Stmt.Exec":  func() error { _, err := st.Exec(ctx); return err },
		"Conn.Exec":  func() error { _, err := c.Exec(ctx, "SELECT 1"); return err },
		"DB.Query":   func() error { _, err := d.Query(ctx, "SELECT 1"); return err },
		"new Conn":   func() error { _, err := d.Conn().Exec(ctx, "SELECT 1"); return err },
		"Script":     func() error { return c.Script(ctx, "SELECT 1", nil) },
	} {
		if err := f(); !errors.Is(err, db.ErrClosed) || code(err) != "08003" {
			t.Errorf("%s gives %v", name, err)
		}
	}
}

// TestSessionsAreApart: settings, notices and progress belong to their Conn.
func TestSessionsAreApart(t *testing.T) {
	d := open(t, "")
	a, b := d.Conn(), d.Conn()
	script(t, a, "SET cache = off")
	q := "SELECT value FROM system.settings WHERE name = 'cache'"
	if got := text(t, a, q) + text(t, b, q) + text(t, d.Conn(), q); got != "value\noff\nvalue\non\nvalue\non\n" {
		t.Errorf("settings of three sessions: %q", got)
	}
}

// TestConnIsShared: goroutines that share a Conn wait for each other, and all rows come.
func TestConnIsShared(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	script(t, c, "CREATE CORPUS docs")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			shared := c
			if i%2 == 1 {
				shared = d.Conn()
			}
			for j := range 5 {
				if _, err := shared.Exec(context.Background(), "INSERT INTO docs (id, text) VALUES ($1, $2)",
					fmt.Sprintf("%d-%d", i, j), "Ann."); err != nil {
					t.Error(err)
				}
				rows, err := shared.Query(context.Background(), "SELECT id FROM docs WHERE id = $1", fmt.Sprintf("%d-%d", i, j))
				if err != nil {
					t.Error(err)
					return
				}
				if !rows.Next() || rows.Next() {
					t.Errorf("%d-%d is not there once", i, j)
				}
				if err := rows.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got := text(t, c, "SELECT count(*) AS n FROM docs"); got != "n\n40\n" {
		t.Errorf("count: %q", got)
	}
}

// TestCancel ends a training by its context, and the next statement runs.
func TestCancel(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	script(t, c,
		`CREATE CORPUS gold; LOAD '../testdata/quickstart/people.train.conll' INTO gold FORMAT conll WITH (columns = (form, entities))`)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var seen []int
	c.OnProgress(func(p db.Progress) {
		seen = append(seen, p.Step)
		if len(seen) == 3 {
			cancel()
		}
	})
	if _, err := c.Exec(ctx, "TRAIN crf AS m ON gold WITH (iterations = 100000, epsilon = 0)"); code(err) != "57014" ||
		!errors.Is(err, context.Canceled) {
		t.Errorf("cancelled training gives %v", err)
	}
	if len(seen) < 3 || !slices.IsSorted(seen) {
		t.Errorf("progress steps %v", seen)
	}
	if got := text(t, c, "SELECT count(*) AS n FROM system.models"); got != "n\n0\n" {
		t.Errorf("models after the cancelled training: %q", got)
	}
	gone, cancelled := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancelled()
	if _, err := c.Exec(gone, "SELECT 1"); code(err) != "57014" || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("statement after its deadline gives %v", err)
	}
}

// TestCloseCancelsTrainings and waits for them.
func TestCloseCancelsTrainings(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	script(t, c,
		`CREATE CORPUS gold; LOAD '../testdata/quickstart/people.train.conll' INTO gold FORMAT conll WITH (columns = (form, entities))`)
	started, closing := make(chan struct{}), make(chan struct{})
	var once sync.Once
	c.OnProgress(func(db.Progress) {
		once.Do(func() {
			close(started)
			<-closing // the training must not be over before
		})
	})
	failed := make(chan error, 1)
	go func() {
		_, err := c.Exec(context.Background(), "TRAIN crf AS m ON gold WITH (iterations = 100000, epsilon = 0)")
		failed <- err
	}()
	<-started
	closed := make(chan error, 1)
	go func() { closed <- d.Close() }()
	for {
		if _, err := d.Exec(context.Background(), "SELECT 1"); err != nil {
			break
		}
	}
	close(closing)
	if err := <-closed; err != nil {
		t.Error(err)
	}
	if err := <-failed; code(err) != "57014" && code(err) != "57P01" {
		t.Errorf("training of a database that closes gives %v", err)
	}
}

// TestCloseEndsOpenRows, which nobody closes.
func TestCloseEndsOpenRows(t *testing.T) {
	d := open(t, "")
	rows, err := d.Query(context.Background(), "SELECT 1 UNION ALL SELECT 2")
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if rows.Next() || !errors.Is(rows.Err(), db.ErrClosed) || code(rows.Err()) != "08003" {
		t.Errorf("rows of a closed database end with %v", rows.Err())
	}
	if err := rows.Close(); !errors.Is(err, db.ErrClosed) {
		t.Errorf("closing them gives %v", err)
	}
}

// TestWaitForConnEnds with the context, or when the database closes.
func TestWaitForConnEnds(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	rows, err := c.Query(context.Background(), "SELECT 1")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	if _, err := c.Exec(ctx, "SELECT 2"); code(err) != "57014" || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("waiting for open rows ends with %v", err)
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Exec(context.Background(), "SELECT 2"); err != nil {
		t.Errorf("the connection is not free: %v", err)
	}
}

// TestErrorIsToldOnce, though a script meets it in Next and in Close.
func TestErrorIsToldOnce(t *testing.T) {
	c := open(t, "").Conn()
	script(t, c, "CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'Ann.')")
	err := c.Script(context.Background(), "SELECT 1 / (length(id) - 1) FROM docs", func(r *db.Rows) error {
		for r.Next() {
			t.Error("there is a row")
		}
		return r.Err()
	})
	if code(err) != "22012" || strings.Count(err.Error(), "division") != 1 {
		t.Errorf("error of rows: %v", err)
	}
}

// TestScriptStopsAtTheFirstError and places it in the script.
func TestScriptStopsAtTheFirstError(t *testing.T) {
	c := open(t, "").Conn()
	var tags []string
	each := func(r *db.Rows) error { tags = append(tags, r.Tag()); return nil }
	for _, tc := range []struct {
		script, code, tags string
		line, column       int
	}{
		{"CREATE CORPUS a; -- 日本\n\n  SELECT nope\nFROM a; CREATE CORPUS b", "42703", "CREATE CORPUS", 3, 10},
		{"/* x */ SELEC 1", "42601", "", 1, 9},
		{"DROP CORPUS a; SELECT 'open", "42601", "DROP CORPUS", 1, 23},
		{"CREATE CORPUS é; DROP CORPUS é; DROP CORPUS é", "42704", "CREATE CORPUS,DROP CORPUS", 1, 45},
		{"", "", "", 0, 0},
		{" ; -- nothing\n;", "", "", 0, 0},
	} {
		tags = nil
		err := c.Script(context.Background(), tc.script, each)
		var e *db.Error
		if !errors.As(err, &e) {
			e = &db.Error{}
		}
		if e.Code != tc.code || e.Line != tc.line || e.Column != tc.column {
			t.Errorf("%q gives %v at %d:%d, want %s at %d:%d", tc.script, err, e.Line, e.Column, tc.code, tc.line, tc.column)
		}
		if tc.line > 0 && strings.Count(tc.script[:e.Offset], "\n") != tc.line-1 {
			t.Errorf("%q: offset %d is not in line %d", tc.script, e.Offset, tc.line)
		}
		if got := strings.Join(tags, ","); got != tc.tags {
			t.Errorf("%q ran %s, want %s", tc.script, got, tc.tags)
		}
	}
}

// TestScriptPassesTheCallersError on as it is.
func TestScriptPassesTheCallersError(t *testing.T) {
	c := open(t, "").Conn()
	enough := errors.New("enough")
	n := 0
	err := c.Script(context.Background(), "SELECT 1; SELECT 2", func(*db.Rows) error { n++; return enough })
	if !errors.Is(err, enough) || n != 1 {
		t.Errorf("%v after %d statements", err, n)
	}
	if _, err := c.Exec(context.Background(), "SELECT 1"); err != nil {
		t.Errorf("the connection is not free: %v", err)
	}
}

// TestRowsEnd: reading on after the end or after Close gives nothing.
func TestRowsEnd(t *testing.T) {
	c := open(t, "").Conn()
	rows, err := c.Query(context.Background(), "SELECT 1 AS a UNION ALL SELECT 2")
	if err != nil {
		t.Fatal(err)
	}
	if cols := rows.Columns(); len(cols) != 1 || cols[0] != (db.Column{Name: "a", Type: "integer"}) {
		t.Errorf("columns %v", cols)
	}
	var got []int64
	for rows.Next() {
		got = append(got, rows.Values()[0].Int())
	}
	for range 2 {
		if rows.Next() || rows.NextBatch() != nil || rows.Err() != nil || rows.Close() != nil {
			t.Errorf("after the end: %v", rows.Err())
		}
	}
	if !slices.Equal(got, []int64{1, 2}) {
		t.Errorf("rows %v", got)
	}
	rows, err = c.Query(context.Background(), "SELECT 1 AS a")
	if err != nil {
		t.Fatal(err)
	}
	if err := rows.Close(); err != nil || rows.Next() {
		t.Errorf("after Close: %v", err)
	}
}

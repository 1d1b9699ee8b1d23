package db_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"parlance/db"
)

// TestFilesInFrom asks a file again after it was replaced: no plan and no result of the former one is used. A scan is
// cancelled, and groups of rows are left out by parameters too.
func TestFilesInFrom(t *testing.T) {
	dir := t.TempDir()
	path := dir + "/t.csv"
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := open(t, "").Conn()
	q := "SELECT a FROM '" + path + "' ORDER BY a"
	for _, step := range []struct{ file, want string }{{"a\n1\n2\n", "[[1] [2]]"}, {"a\n3\nx\n", "[[3] [x]]"},
		{"b,a\n3,007\n", "[[007]]"}} {
		write(step.file)
		if got := fmt.Sprint(rowsOf(t, c, q, nil)); got != step.want {
			t.Errorf("%s, want %s", got, step.want)
		}
	}
	script(t, c, "COPY (SELECT i AS n FROM generate_series(1, 200000) AS g (i)) TO '"+dir+"/n.parquet' FORMAT parquet")
	rows, err := c.Query(context.Background(), "SELECT count(*), min(n) FROM '"+dir+"/n.parquet' WHERE n > $1", 199990)
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		if got := fmt.Sprint(rows.Values()); !strings.Contains(got, "10") || !strings.Contains(got, "199991") {
			t.Error(got)
		}
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err = c.Exec(ctx, "SELECT count(*) FROM '"+dir+"/n.parquet' AS a, '"+dir+"/n.parquet' AS b")
	var e *db.Error
	if err == nil || !errors.As(err, &e) && !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > latency {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}

package db_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parlance/db"
)

// TestFunctionLimits compares values of expressions at the limits of functions and operators with those that their
// definitions say, worked out by hand: a line of testdata/functionlimits.txt is an expression, →, and its value as a
// text, or the code of its error.
func TestFunctionLimits(t *testing.T) {
	d, err := db.Open(filepath.Join(t.TempDir(), "a.parlance"), db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	conn := d.Conn()
	arrows(t, "functionlimits.txt", 300, func(expr, want string) {
		if got := evaluated(conn, expr); got != want {
			t.Errorf("%s is %s, not %s", expr, got, want)
		}
	})
}

// arrows reads the lines of a file of testdata, at least so many: what stands on the left of → and on its right. Lines
// that begin with # are comments.
func arrows(t *testing.T, file string, least int, check func(left, right string)) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		left, right, ok := strings.Cut(line, " → ")
		if !ok {
			t.Fatalf("no → in %q", line)
		}
		check(left, right)
		n++
	}
	if n < least {
		t.Errorf("%s has %d lines, where %d are the least", file, n, least)
	}
}

// evaluated is the value of an expression as a text, or the code of its error.
func evaluated(conn *db.Conn, expr string) string {
	rows, err := conn.Query(context.Background(), "SELECT ("+expr+")::text")
	if err == nil {
		value := "no row"
		for rows.Next() {
			if v := rows.Values()[0]; v.IsNull() {
				value = "NULL"
			} else {
				value = v.String()
			}
		}
		if err = errors.Join(rows.Err(), rows.Close()); err == nil {
			return value
		}
	}
	var e *db.Error
	if errors.As(err, &e) {
		return "error " + e.Code
	}
	return err.Error()
}

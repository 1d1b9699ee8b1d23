package db_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"parlance/db"
)

// TestRefused compares the errors of statements that are refused with what stands in testdata/refused.txt: a line is a
// statement, →, the code of its error and the place, if it has one.
func TestRefused(t *testing.T) {
	d, err := db.Open(filepath.Join(t.TempDir(), "a.parlance"), db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Conn().Script(context.Background(), `CREATE TABLE t (n integer, s text);
CREATE TABLE u (n integer, s text); INSERT INTO t VALUES (1, 'a'), (3, 'b'); INSERT INTO u VALUES (1, 'a'), (3, 'b');
CREATE CORPUS docs (n integer, year integer); INSERT INTO docs (id, text) VALUES ('d1', 'Ann met Bob.'), ('d2', 'Yes.');
INSERT INTO docs.entities (doc, char_start, char_end, label) VALUES ('d1', 0, 3, 'PER'); CREATE KB fam`,
		func(r *db.Rows) error { return r.Close() }); err != nil {
		t.Fatal(err)
	}
	arrows(t, "refused.txt", 250, func(statement, want string) {
		if got := refusal(d, statement); got != want {
			t.Errorf("%s\nis refused with %s, not %s", statement, got, want)
		}
	})
}

// refusal is the code and the place of the error of a statement.
func refusal(d *db.DB, statement string) string {
	conn := d.Conn()
	rows, err := conn.Query(context.Background(), statement)
	if err == nil {
		for rows.Next() {
			rows.Values()
		}
		err = errors.Join(rows.Err(), rows.Close())
	}
	var e *db.Error
	switch {
	case err == nil:
		return "nothing"
	case !errors.As(err, &e):
		return err.Error()
	case e.Line == 0:
		return e.Code
	}
	return fmt.Sprintf("%s %d:%d", e.Code, e.Line, e.Column)
}

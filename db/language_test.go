package db_test

import (
	"context"
	"io"
	"testing"

	"parlance/algo/testutil/testtime"
	"parlance/db"
	"parlance/db/languagetest"
)

// TestLanguage runs the tests of the language in a session of db, where literals are taken out of each query that
// allows it. Behind the other drivers they stay, as queries come once.
func TestLanguage(t *testing.T) {
	if testing.Short() && testtime.Race {
		t.Skip("all statements, as by the extended protocol, behind which more goroutines are: left out by -short under " +
			"the race detector")
	}
	languagetest.Run(t, ".", func(_ *testing.T, d *db.DB) languagetest.Driver { return session{d.Conn(), d} })
}

// session is the driver of Go programs.
type session struct {
	*db.Conn
	d *db.DB
}

func (s session) Script(ctx context.Context, script string, show func(*languagetest.Result)) error {
	s.d.Foresee(script)
	return s.Conn.Script(ctx, script, func(rows *db.Rows) error {
		show(result(rows))
		return rows.Err()
	})
}

// result reads rows to their end.
func result(rows *db.Rows) *languagetest.Result {
	r := &languagetest.Result{Columns: rows.Columns(), Tag: rows.Tag()}
	for rows.Next() {
		r.Rows = append(r.Rows, rows.Values())
	}
	return r
}

func (s session) Streams(in io.Reader, out io.Writer) {
	s.Stdin(in)
	s.Stdout(out)
}

func open(t testing.TB, path string) *db.DB { return languagetest.Open(t, path) }

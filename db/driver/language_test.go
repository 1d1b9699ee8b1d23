package driver_test

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"testing"
	"time"

	"parlance/db"
	"parlance/db/driver"
	"parlance/db/languagetest"
	"parlance/storage/value"
)

// TestLanguage runs the tests of the language through database/sql.
func TestLanguage(t *testing.T) {
	if testing.Short() {
		t.Skip("all statements, as in TestLanguage of db: left out by -short")
	}
	languagetest.Run(t, "..", func(t *testing.T, d *db.DB) languagetest.Driver {
		pool := driver.OpenDB(d)
		conn, err := pool.Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := errors.Join(conn.Close(), pool.Close()); err != nil {
				t.Error(err)
			}
		})
		return &session{t, conn}
	})
}

// session is the driver of database/sql.
type session struct {
	t    *testing.T
	conn *sql.Conn
}

func (s *session) raw(f func(*driver.Conn)) {
	if err := s.conn.Raw(func(c any) error { f(c.(*driver.Conn)); return nil }); err != nil {
		s.t.Fatal(err)
	}
}

func (s *session) Streams(in io.Reader, out io.Writer) {
	s.raw(func(c *driver.Conn) {
		c.Session().Stdin(in)
		c.Session().Stdout(out)
	})
}

func (s *session) OnNotice(f func(string)) {
	s.raw(func(c *driver.Conn) { c.Session().OnNotice(f) })
}

func (s *session) Script(ctx context.Context, script string, show func(*languagetest.Result)) error {
	return languagetest.Each(script, func(statement string) error { return s.statement(ctx, statement, show) })
}

func (s *session) statement(ctx context.Context, statement string, show func(*languagetest.Result)) error {
	rows, err := s.conn.QueryContext(ctx, statement)
	if err != nil {
		return err
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return err
	}
	r := &languagetest.Result{}
	dst := make([]any, len(types))
	for i, c := range types {
		name, _ := value.ParseType(c.DatabaseTypeName())
		r.Columns = append(r.Columns, db.Column{Name: c.Name(), Type: name.String()})
		dst[i] = new(any)
	}
	for rows.Next() {
		if err := rows.Scan(dst...); err != nil {
			return err
		}
		row := make([]value.Value, len(dst))
		for i, d := range dst {
			row[i] = typed(*d.(*any), r.Columns[i].Type)
		}
		r.Rows = append(r.Rows, row)
	}
	err = errors.Join(rows.Err(), rows.Close())
	s.raw(func(c *driver.Conn) { r.Tag = c.Tag() })
	if err == nil || len(types) > 0 {
		show(r)
	}
	return err
}

// typed is a value as the column has it.
func typed(v any, typ string) value.Value {
	switch v := v.(type) {
	case int64:
		return value.Int(v)
	case float64:
		return value.Real(v)
	case bool:
		return value.Bool(v)
	case string:
		return value.Str(v)
	case time.Time:
		return value.Time(v)
	case []float32:
		return value.Vec32(v)
	case []byte:
		if typ == "json" {
			return value.Str(string(v))
		}
		return value.Blob(v)
	}
	return value.Value{}
}

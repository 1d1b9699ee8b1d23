package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"parlance/algo/kind"
	"parlance/db"
	"parlance/db/languagetest"
	"parlance/repl/remote"
	"parlance/server"
	"parlance/storage/value"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// TestLanguageSimple runs the tests of the language over the wire, by the simple protocol.
func TestLanguageSimple(t *testing.T) {
	if testing.Short() {
		t.Skip("all statements, as by the extended protocol: left out by -short")
	}
	languagetest.Run(t, "../db", func(t *testing.T, d *db.DB) languagetest.Driver {
		c, err := remote.Connect(context.Background(), listen(t, d), nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
		return simple{c}
	})
}

// TestLanguageExtended runs them by the extended protocol, with results in binary format.
func TestLanguageExtended(t *testing.T) {
	languagetest.Run(t, "../db", func(t *testing.T, d *db.DB) languagetest.Driver {
		driver := &extended{d: d, notice: func(string) {}}
		config, err := pgx.ParseConfig(listen(t, d))
		if err != nil {
			t.Fatal(err)
		}
		config.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { driver.notice(n.Message) }
		config.DefaultQueryExecMode = pgx.QueryExecModeDescribeExec
		if driver.conn, err = pgx.ConnectConfig(context.Background(), config); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := driver.conn.Close(context.Background()); err != nil {
				t.Error(err)
			}
		})
		return driver
	})
}

// listen serves a database until the test ends and returns its address.
func listen(t testing.TB, d *db.DB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := server.New(d, server.Options{Files: db.AllFiles})
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	t.Cleanup(func() {
		if err := s.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		if err := <-served; !errors.Is(err, server.ErrClosed) {
			t.Error(err)
		}
	})
	return fmt.Sprintf("postgres://parlance@%s/x?sslmode=disable&application_name=", l.Addr())
}

// simple is the driver of the shell on a server.
type simple struct{ *remote.Conn }

func (s simple) Streams(in io.Reader, out io.Writer) {
	s.Stdin(in)
	s.Stdout(out)
}

// OnNotice leaves out the progress of trainings, which comes once a second.
func (s simple) OnNotice(f func(string)) { s.Conn.OnNotice(withoutProgress(f)) }

func withoutProgress(f func(string)) func(string) {
	return func(msg string) {
		if !kind.IsProgress(msg) {
			f(msg)
		}
	}
}

func (s simple) Script(ctx context.Context, script string, show func(*languagetest.Result)) error {
	return languagetest.Each(script, func(statement string) error {
		rows, err := s.Query(ctx, statement)
		if err != nil {
			return err
		}
		r := &languagetest.Result{Columns: rows.Columns()}
		for rows.Next() {
			r.Rows = append(r.Rows, rows.Values())
		}
		r.Tag = rows.Tag()
		if err = rows.Close(); err == nil || len(r.Columns) > 0 {
			show(r)
		}
		return err
	})
}

// extended is the driver of programs that use pgx.
type extended struct {
	d      *db.DB
	conn   *pgx.Conn
	notice func(string)
	in     io.Reader
	out    io.Writer
}

func (e *extended) Streams(in io.Reader, out io.Writer) { e.in, e.out = in, out }

func (e *extended) OnNotice(f func(string)) { e.notice = withoutProgress(f) }

func (e *extended) Script(ctx context.Context, script string, show func(*languagetest.Result)) error {
	return languagetest.Each(script, func(statement string) error {
		r, err := e.statement(ctx, statement)
		if r != nil {
			show(r)
		}
		return asError(err, statement)
	})
}

// Headless: pgx keeps columns to itself when the first thing that comes is an error.
func (e *extended) Headless() {}

// statement runs a statement; there is a result with an error where rows came before it.
func (e *extended) statement(ctx context.Context, statement string) (*languagetest.Result, error) {
	if st, err := e.d.Prepare(statement); err == nil {
		switch st.Stream() {
		case db.FromClient:
			return tagged(e.conn.PgConn().CopyFrom(ctx, e.in, statement))
		case db.ToClient:
			return tagged(e.conn.PgConn().CopyTo(ctx, e.out, statement))
		}
	}
	rows, err := e.conn.Query(ctx, statement)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	r := &languagetest.Result{}
	for _, f := range rows.FieldDescriptions() {
		name := "text"
		if f.DataTypeOID == pgtype.Float8OID {
			name = "float"
		}
		r.Columns = append(r.Columns, db.Column{Name: f.Name, Type: name})
	}
	for rows.Next() {
		values, err := rows.Values()
		if err != nil {
			return r, err
		}
		row := make([]value.Value, len(values))
		for i, v := range values {
			if row[i] = asValue(v); rows.FieldDescriptions()[i].DataTypeOID == pgtype.JSONOID && rows.RawValues()[i] != nil {
				row[i] = value.Str(string(rows.RawValues()[i])) // as it came
			}
		}
		r.Rows = append(r.Rows, row)
	}
	if rows.Close(); rows.Err() != nil {
		if len(r.Columns) == 0 {
			r = nil
		}
		return r, rows.Err()
	}
	r.Tag = tag(rows.CommandTag())
	return r, nil
}

func tagged(t pgconn.CommandTag, err error) (*languagetest.Result, error) {
	if err != nil {
		return nil, err
	}
	return &languagetest.Result{Tag: tag(t)}, nil
}

// tag is a tag without the number that INSERT has for clients of PostgreSQL.
func tag(t pgconn.CommandTag) string {
	return strings.Replace(t.String(), "INSERT 0 ", "INSERT ", 1)
}

// asValue is a value as pgx decodes it.
func asValue(v any) value.Value {
	switch v := v.(type) {
	case nil:
		return value.Value{}
	case int64:
		return value.Int(v)
	case float64:
		return value.Real(v)
	case bool:
		return value.Bool(v)
	case time.Time:
		return value.Time(v)
	case pgtype.Interval:
		return value.Period{Months: int64(v.Months), Days: int64(v.Days), Micros: v.Microseconds}.Value()
	case []byte:
		return value.Blob(v)
	case []any:
		if len(v) > 0 {
			if _, number := v[0].(float32); !number { // an array of the catalog
				raw, _ := json.Marshal(v)
				return value.Str(string(raw))
			}
		}
		out := make([]float32, len(v))
		for i := range v {
			out[i], _ = v[i].(float32)
		}
		return value.Vec32(out)
	}
	return value.Str(fmt.Sprint(v))
}

// asError is an error of the server with its place in the statement.
func asError(err error, statement string) error {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return err
	}
	out := &db.Error{Code: e.Code, Message: e.Message, Hint: e.Hint}
	if e.Position > 0 {
		before := string([]rune(statement)[:e.Position-1])
		line := strings.LastIndex(before, "\n") + 1
		out.Line, out.Column = strings.Count(before, "\n")+1, len([]rune(before[line:]))+1
	}
	return out
}

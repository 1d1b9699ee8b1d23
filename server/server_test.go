package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"parlance/db"
	"parlance/storage/value/pg"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// start serves a new database and returns its address.
func start(t testing.TB, o Options) (*db.DB, *Server, string) {
	t.Helper()
	return startOver(t, db.Options{}, o)
}

// startOver is start with options of the database.
func startOver(t testing.TB, of db.Options, o Options) (*db.DB, *Server, string) {
	t.Helper()
	return startAt(t, ":memory:", of, o)
}

// startAt is startOver of a file.
func startAt(t testing.TB, path string, of db.Options, o Options) (*db.DB, *Server, string) {
	t.Helper()
	d, err := db.Open(path, of)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := New(d, o)
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := s.Shutdown(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if err := <-served; !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d, s, l.Addr().String()
}

func connect(t testing.TB, addr, options string) *pgx.Conn {
	t.Helper()
	c, err := pgx.Connect(context.Background(), "postgres://admin@"+addr+"/parlance?sslmode=disable"+options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(context.Background()) })
	return c
}

var modes = []string{"cache_statement", "cache_describe", "describe_exec", "exec", "simple_protocol"}

func TestTypesInAllModes(t *testing.T) {
	_, _, addr := start(t, Options{})
	for _, mode := range modes {
		t.Run(mode, func(t *testing.T) {
			c := connect(t, addr, "&default_query_exec_mode="+mode)
			var (
				i  int64
				f  float64
				s  string
				b  bool
				ts time.Time
				n  *string
				v  []float32
				j  map[string]int
				bs []byte
			)
			now := time.Date(2026, 11, 21, 12, 30, 1, 250000000, time.UTC)
			err := c.QueryRow(context.Background(),
				`SELECT 7, 2.5, 'Łódź', true, CAST($1 AS timestamp), NULL, CAST('[1,2.5]' AS vector), CAST('{"a":1}' AS json), CAST('\x000102' AS bytes)`, now).Scan(&i, &f, &s, &b, &ts, &n, &v, &j, &bs)
			if err != nil {
				t.Fatal(err)
			}
			if i != 7 || f != 2.5 || s != "Łódź" || !b || !ts.Equal(now) || n != nil || len(v) != 2 || v[1] != 2.5 ||
				j["a"] != 1 || string(bs) != "\x00\x01\x02" {
				t.Error(i, f, s, b, ts, n, v, j, bs)
			}
		})
	}
}

func TestParametersAreInferred(t *testing.T) {
	_, _, addr := start(t, Options{})
	c := connect(t, addr, "")
	ctx := context.Background()
	exec := func(sql string, args ...any) {
		t.Helper()
		if _, err := c.Exec(ctx, sql, args...); err != nil {
			t.Fatal(err)
		}
	}
	exec("CREATE CORPUS docs (split TEXT, year INTEGER, score FLOAT)")
	exec("INSERT INTO docs (id, text, year, score) VALUES ($1, $2, $3, $4)", "a", "Ann.", 2020, 0.5)
	exec("UPDATE docs SET year = $1 WHERE id = $2", 2021, "a")
	var year int
	var id string
	if err := c.QueryRow(ctx, "SELECT id, year FROM docs WHERE year > $1 AND score < $2 LIMIT $3", 2000, 0.75, 1).Scan(&id,
		&year); err != nil || year != 2021 || id != "a" {
		t.Error(id, year, err)
	}
	exec("DELETE FROM docs WHERE year = $1", 2021)
	d, err := c.Prepare(ctx, "p", "SELECT $1 + 1, upper($2), $3::boolean, $4 FROM docs WHERE year IN ($5, 3) OFFSET $6")
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(d.ParamOIDs); got != "[20 25 16 25 20 20]" {
		t.Error(got)
	}
}

// TestCastsTellTypesOfParameters are types that clients write values of, though the language lacks them.
func TestCastsTellTypesOfParameters(t *testing.T) {
	_, _, addr := start(t, Options{})
	d, err := connect(t, addr, "").Prepare(context.Background(), "p",
		"SELECT $1::oid, $2::uuid, $3::time, $4::interval, 1 = ANY ($5::oid[]), $6::uuid[], $7::numeric, $8::date")
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(d.ParamOIDs); got != "[26 2950 1083 1186 1028 2951 701 1184]" {
		t.Error(got)
	}
}

// TestDeclaredParametersAreColumns repeats arguments as columns of the types that the client declares.
func TestDeclaredParametersAreColumns(t *testing.T) {
	_, _, addr := start(t, Options{})
	c := connect(t, addr, "").PgConn()
	values := [][]byte{[]byte("7"), []byte("t"), []byte(`\x00ff`), []byte("2026-01-02 +00"), []byte("x"), nil,
		[]byte("{1,2}")}
	oids := []uint32{pg.Int4OID, pg.BoolOID, pg.ByteaOID, pg.DateOID, 0, pg.Int8OID, 1007}
	rr := c.ExecParams(context.Background(), "SELECT $1, $2, $3, $4, $5, $6, $7 LIMIT 1", values, oids, nil, nil).Read()
	if rr.Err != nil {
		t.Fatal(rr.Err)
	}
	var told []uint32
	for _, f := range rr.FieldDescriptions {
		told = append(told, f.DataTypeOID)
	}
	if got := fmt.Sprint(told); got != "[20 16 17 1184 25 20 25]" {
		t.Error(got)
	}
	if got := fmt.Sprintf("%s", rr.Rows[0]); got != `[7 t \x00ff 2026-01-02 00:00:00+00 x  {1,2}]` {
		t.Error(got)
	}
}

func TestFloatArgumentsDecideArithmetic(t *testing.T) {
	_, _, addr := start(t, Options{})
	c := connect(t, addr, "")
	rr := c.PgConn().ExecParams(context.Background(), "SELECT $1 + 1", [][]byte{[]byte("2.5")}, []uint32{pg.Float8OID},
		nil, []int16{1}).Read()
	if rr.Err != nil || rr.FieldDescriptions[0].DataTypeOID != pg.Float8OID || len(rr.Rows[0][0]) != 8 {
		t.Error(rr)
	}
}

func TestErrorsHaveCodePositionAndHint(t *testing.T) {
	_, _, addr := start(t, Options{})
	for _, mode := range modes {
		c := connect(t, addr, "&default_query_exec_mode="+mode)
		_, err := c.Exec(context.Background(), "SELECT 'é', uper('x')")
		var e *pgconn.PgError
		if !errors.As(err, &e) || e.Code != "42883" || e.Position != 13 || !strings.Contains(e.Hint, "upper") {
			t.Errorf("%s: %+v", mode, e)
		}
		var one int
		if err := c.QueryRow(context.Background(), "SELECT 1").Scan(&one); err != nil {
			t.Errorf("%s: %v", mode, err)
		}
	}
}

func TestPortalsSuspend(t *testing.T) {
	_, _, addr := start(t, Options{})
	c := connect(t, addr, "")
	ctx := context.Background()
	p, err := c.PgConn().Prepare(ctx, "p", "SELECT 1 AS n UNION ALL SELECT 2 UNION ALL SELECT 3", nil)
	if err != nil || len(p.Fields) != 1 {
		t.Fatal(p, err)
	}
	f := c.PgConn().Frontend()
	got := speak(t, f, "Q:BEGIN B:x:p E:x:2 S B::p E::1 S E:x:2 S E:x:0 S Q:COMMIT E:x:0 S")
	want := "BEGIN T bound 1 2 suspended T bound 1 suspended T 3 SELECT_1 T SELECT_0 T COMMIT I 34000 I"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestCopyBothWays(t *testing.T) {
	_, _, addr := start(t, Options{})
	c := connect(t, addr, "")
	ctx := context.Background()
	if _, err := c.Exec(ctx, "CREATE CORPUS docs"); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("Ann lives in Oslo. ", 10_000) + "\n"
	tag, err := c.PgConn().CopyFrom(ctx, strings.NewReader(long+"Bob.\n"), "LOAD STDIN INTO docs FORMAT lines")
	if err != nil || !strings.HasPrefix(tag.String(), "LOAD 2 documents") {
		t.Fatal(tag, err)
	}
	var out strings.Builder
	if _, err := c.PgConn().CopyTo(ctx, &out, "COPY (SELECT text FROM docs) TO STDOUT FORMAT tsv"); err != nil ||
		out.String() != "text\n"+long+"Bob.\n" {
		t.Error(len(out.String()), err)
	}
	// Errors before, within and by the client leave the connection usable.
	for _, sql := range []string{"LOAD STDIN INTO nowhere FORMAT lines", "LOAD STDIN INTO docs FORMAT jsonl"} {
		if _, err := c.PgConn().CopyFrom(ctx, strings.NewReader("{"+long), sql); err == nil {
			t.Errorf("%s: no error", sql)
		}
		var n int
		if err := c.QueryRow(ctx, "SELECT count(*) FROM docs").Scan(&n); err != nil || n != 2 {
			t.Error(n, err)
		}
	}
	if _, err := c.PgConn().CopyFrom(ctx, &failing{}, "LOAD STDIN INTO docs FORMAT lines"); err == nil {
		t.Error("no error of a client that gave up")
	}
	var n int
	if err := c.QueryRow(ctx, "SELECT count(*) FROM docs").Scan(&n); err != nil || n != 2 {
		t.Error(n, err)
	}
}

type failing struct{ n int }

func (f *failing) Read(p []byte) (int, error) {
	if f.n++; f.n > 3 {
		return 0, os.ErrInvalid
	}
	return copy(p, "a line\n"), nil
}

func TestCancel(t *testing.T) {
	_, _, addr := start(t, Options{})
	c := connect(t, addr, "")
	ctx := context.Background()
	if _, err := c.Exec(ctx, "CREATE CORPUS docs"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.PgConn().CopyFrom(ctx, strings.NewReader(strings.Repeat("a b c d e f g h\n", 3000)),
		"LOAD STDIN INTO docs FORMAT lines"); err != nil {
		t.Fatal(err)
	}
	slow := "SELECT count(*) FROM docs.tokens AS a CROSS JOIN docs.tokens AS b WHERE a.form || b.form = 'x'"
	for range 3 {
		done := make(chan error, 1)
		started := time.Now()
		go func() {
			_, err := c.Exec(ctx, slow)
			done <- err
		}()
		var err error
		for tick := time.NewTicker(50 * time.Millisecond); ; {
			select {
			case err = <-done:
			case <-tick.C:
				if e := c.PgConn().CancelRequest(ctx); e != nil {
					t.Fatal(e)
				}
				continue
			}
			tick.Stop()
			break
		}
		var e *pgconn.PgError
		if !errors.As(err, &e) || e.Code != "57014" {
			t.Fatal(err)
		}
		if took := time.Since(started); took > patience/2 {
			t.Error(took)
		}
		var one int
		if err := c.QueryRow(ctx, "SELECT 1").Scan(&one); err != nil {
			t.Fatal(err)
		}
	}
}

package driver_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"parlance/db"
	"parlance/db/driver"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var ctx = context.Background()

func open(t testing.TB, name string) *sql.DB {
	t.Helper()
	pool, err := sql.Open("parlance", name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	})
	return pool
}

func must(t testing.TB, pool *sql.DB, statement string, args ...any) sql.Result {
	t.Helper()
	res, err := pool.ExecContext(ctx, statement, args...)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func code(err error) string {
	var e *db.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return fmt.Sprint(err)
}

// TestNames refuses data source names that are wrong, when they are given.
func TestNames(t *testing.T) {
	for _, tc := range []struct{ name, code, text string }{
		{"?read_only=true", "22023", "cannot be read-only"},
		{"a?cache=off&nope=1&workers=2", "42704", "unknown option nope"},
		{"a?raed_only=true", "42704", "did you mean read_only?"},
		{"a?workesr=2", "42704", "did you mean workers?"},
		{"a?read_only=maybe", "22023", "neither true nor false"},
		{"a?cache=often", "22023", "not one of on, off"},
		{"a?workers=-1", "22023", "outside [0, 1024]"},
		{"a?workers=two", "22023", ""},
		{"a?rules_off=nope", "22023", "there is no rule nope"},
		{"a?cache=on&cache=off", "22023", "given twice"},
		{"a?cache=%zz", "22023", "invalid URL escape"},
		{":memory:?read_only=true", "22023", "cannot be read-only"},
	} {
		_, err := sql.Open("parlance", tc.name)
		if code(err) != tc.code || !strings.Contains(err.Error(), tc.text) {
			t.Errorf("%s gives %v with code %s, want %s with %q", tc.name, err, code(err), tc.code, tc.text)
		}
	}
	pool := open(t, filepath.Join(t.TempDir(), "no", "folder"))
	if err := pool.Ping(); code(err) != "58P01" {
		t.Errorf("a missing folder gives %v", err)
	}
}

// FuzzNames never panic, and errors are those of the database.
func FuzzNames(f *testing.F) {
	for _, name := range []string{"", ":memory:?cache=off", "a?workers=2&rules_off=push,limit", "a?timezone=UTC", "a?&&=",
		"a?read_only=%31"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		_, err := driver.Driver{}.OpenConnector(name)
		var e *db.Error
		if err != nil && (!errors.As(err, &e) || e.Code == "" || e.Message == "") {
			t.Errorf("%q gives %v", name, err)
		}
	})
}

// TestSettings of the name are those of every connection, whatever a statement sets.
func TestSettings(t *testing.T) {
	pool := open(t, ":memory:?cache=off&workers=2&rules_off=push,%20limit")
	pool.SetMaxOpenConns(1)
	want := func(setting, value string) {
		t.Helper()
		var got string
		if err := pool.QueryRow("SELECT value FROM system.settings WHERE name = $1", setting).Scan(&got); err != nil ||
			got != value {
			t.Errorf("%s is %q, want %q, error %v", setting, got, value, err)
		}
	}
	want("cache", "off")
	want("workers", "2")
	conn, err := pool.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"SET cache = 'on'", "SET workers = 3", "RESET workers"} {
		if _, err := conn.ExecContext(ctx, s); err != nil {
			t.Fatal(err)
		}
	}
	var cache, workers string
	if err := conn.QueryRowContext(ctx,
		"SELECT max(value) FILTER (WHERE name = 'cache'), max(value) FILTER (WHERE name = 'workers') FROM "+
			"system.settings").Scan(&cache, &workers); err != nil {
		t.Fatal(err)
	}
	if cache != "on" || workers != "2" {
		t.Errorf("after SET and RESET cache is %s, workers %s", cache, workers)
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	want("cache", "off")
}

// TestPoolsShareAFile, which is closed with the last of them.
func TestPoolsShareAFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.parlance")
	link := filepath.Join(dir, "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	first, second := open(t, path), open(t, filepath.Join(link, "a.parlance")+"?cache=off")
	must(t, first, "CREATE CORPUS docs")
	must(t, second, "INSERT INTO docs (id, text) VALUES ('a', 'Ann.')")
	if err := open(t, path+"?read_only=true").Ping(); code(err) != "55006" {
		t.Errorf("reading a file that is open for writing gives %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Open(path, db.Options{}); code(err) != "55006" {
		t.Errorf("the file is closed with the first pool: %v", err)
	}
	must(t, second, "INSERT INTO docs (id, text) VALUES ('b', 'Bob.')")
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	reader := open(t, path+"?read_only=1")
	var n int
	if err := reader.QueryRow("SELECT count(*) FROM docs").Scan(&n); err != nil || n != 2 {
		t.Errorf("%d documents, %v", n, err)
	}
	if _, err := reader.Exec("INSERT INTO docs (id, text) VALUES ('c', 'Cy.')"); code(err) != "25006" {
		t.Errorf("writing to a reader gives %v", err)
	}
	if err := open(t, path).Ping(); code(err) != "55006" || !strings.Contains(err.Error(), "read_only=true") {
		t.Errorf("writing to a file that is open for reading gives %v", err)
	}
}

// TestPoolsShareWhatLinksLeadTo, whether the file is there yet or not, and after some of them have gone.
func TestPoolsShareWhatLinksLeadTo(t *testing.T) {
	dir := t.TempDir()
	folder, file := filepath.Join(dir, "folder"), filepath.Join(dir, "file")
	path := filepath.Join(dir, "a.parlance")
	if err := errors.Join(os.Symlink(dir, folder), os.Symlink(path, file)); err != nil {
		t.Fatal(err)
	}
	first := open(t, filepath.Join(folder, "a.parlance"))
	must(t, first, "CREATE CORPUS docs")
	for _, name := range []string{path, file} {
		pool := open(t, name)
		must(t, pool, "INSERT INTO docs (id, text) VALUES ($1, 'Ann.')", name)
		if err := pool.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if n, _ := must(t, first, "DELETE FROM docs").RowsAffected(); n != 2 {
		t.Errorf("two pools have written %d documents", n)
	}
}

// TestTemporaryDatabases are those of one pool each.
func TestTemporaryDatabases(t *testing.T) {
	for range 2 {
		for _, name := range []string{"", ":memory:"} {
			must(t, open(t, name), "CREATE CORPUS docs")
		}
	}
}

// TestClosedConnector makes no connections, whether it has made one before or not.
func TestClosedConnector(t *testing.T) {
	for _, used := range []bool{false, true} {
		c, err := driver.Driver{}.OpenConnector(":memory:")
		if err != nil {
			t.Fatal(err)
		}
		if used {
			conn, err := c.Connect(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if err := conn.Close(); err != nil {
				t.Error(err)
			}
		}
		for range 2 {
			if err := c.(io.Closer).Close(); err != nil {
				t.Errorf("used %v: %v", used, err)
			}
		}
		if _, err := c.Connect(ctx); code(err) != "08003" {
			t.Errorf("used %v: a closed connector gives %v", used, err)
		}
	}
}

// TestFilesOpenAndClose many times at once.
func TestFilesOpenAndClose(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parlance")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 5 {
				pool, err := sql.Open("parlance", path)
				if err == nil {
					err = errors.Join(pool.Ping(), pool.Close())
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// TestOpenDB leaves the database open.
func TestOpenDB(t *testing.T) {
	d, err := db.Open("", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	pool := driver.OpenDB(d)
	must(t, pool, "CREATE CORPUS docs")
	if err := pool.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Exec(ctx, "DROP CORPUS docs"); err != nil {
		t.Error(err)
	}
	pool = driver.OpenDB(d)
	defer pool.Close()
	if err := pool.Ping(); err != nil {
		t.Error(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := pool.Exec("SELECT 1"); !errors.Is(err, db.ErrClosed) {
		t.Errorf("a statement on a closed database gives %v", err)
	}
	if err := pool.Ping(); err == nil {
		t.Error("a closed database answers")
	}
}

// TestArguments come back as they were sent.
func TestArguments(t *testing.T) {
	pool := open(t, ":memory:")
	at := time.Date(2024, 2, 29, 23, 59, 58, 123456000, time.UTC)
	seven := 7
	for _, tc := range []struct{ arg, want any }{
		{nil, nil}, {(*int)(nil), nil}, {&seven, int64(7)}, {int8(-8), int64(-8)}, {uint16(9), int64(9)}, {2.5, 2.5},
		{float32(0.5), 0.5},
		{true, true}, {"é", "é"}, {[]byte{0, 255}, []byte{0, 255}}, {at, at}, {[]float32{1, -2.5}, []float32{1, -2.5}},
		{json.RawMessage(`{"a": 1}`), []byte(`{"a": 1}`)}, {sql.NullString{}, nil},
		{sql.NullInt64{Int64: 3, Valid: true}, int64(3)},
		{[]string{"a", "é"}, []byte(`["a","é"]`)}, {[]int{}, []byte("[]")}, {[]string(nil), nil},
		{[2]float64{1, 2.5}, []byte("[1.0,2.5]")}, {[]*int{&seven, nil}, []byte("[7,null]")},
	} {
		var got any
		if err := pool.QueryRow("SELECT $1", tc.arg).Scan(&got); err != nil || !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%T %v comes back as %T %v, error %v", tc.arg, tc.arg, got, got, err)
		}
	}
	for _, tc := range []struct {
		arg  any
		code string
	}{{struct{}{}, "22023"}, {[]any{1, struct{}{}}, "22023"}, {json.RawMessage("{"), "22023"},
		{sql.Named("id", 1), "0A000"}, {sql.Out{Dest: &seven}, "0A000"}, {uint64(1 << 63), "22023"}} {
		if _, err := pool.Exec("SELECT $1", tc.arg); code(err) != tc.code {
			t.Errorf("%T gives %v", tc.arg, err)
		}
	}
	if _, err := pool.Exec("SELECT $1", 1, 2); code(err) != "08P01" {
		t.Errorf("an argument too many gives %v", err)
	}
	var among bool
	if err := pool.QueryRow("SELECT 2 = ANY ($1) AND 'b' <> ALL ($2)", []int{1, 2},
		[]string{"a"}).Scan(&among); err != nil || !among {
		t.Errorf("slices as arrays: %v, %v", among, err)
	}
	s, err := pool.Prepare("SELECT $1 + $2")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Query(1); err == nil || !strings.Contains(err.Error(), "expected 2 arguments, got 1") {
		t.Errorf("an argument too few gives %v", err)
	}
	for i := range 3 {
		var n int
		if err := s.QueryRow(i, 10).Scan(&n); err != nil || n != i+10 {
			t.Errorf("%d + 10 is %d, %v", i, n, err)
		}
	}
}

// TestColumnTypes tells the types of columns, and destinations of these types take them.
func TestColumnTypes(t *testing.T) {
	pool := open(t, ":memory:")
	rows, err := pool.Query("SELECT 'a' AS t, 1 AS i, 1.5 AS f, true AS b, now() AS at, $1::bytes AS y, $2::vector AS v,"+
		" $3::json AS j, NULL AS n", []byte("x"), []float32{1}, json.RawMessage("[1]"))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	var dst []any
	for _, c := range types {
		nullable, ok := c.Nullable()
		got = append(got, fmt.Sprint(c.Name(), " ", c.DatabaseTypeName(), " ", c.ScanType(), " ", nullable && ok))
		dst = append(dst, reflect.New(c.ScanType()).Interface())
	}
	want := []string{"t TEXT string true", "i INTEGER int64 true", "f FLOAT float64 true", "b BOOLEAN bool true",
		"at TIMESTAMP time.Time true",
		"y BYTES []uint8 true", "v VECTOR []float32 true", "j JSON json.RawMessage true", "n NULL interface {} true"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("column types\n%q, want\n%q", got, want)
	}
	if !rows.Next() {
		t.Fatal(rows.Err())
	}
	if err := rows.Scan(dst...); err != nil {
		t.Fatal(err)
	}
	if v := *dst[6].(*[]float32); len(v) != 1 || v[0] != 1 {
		t.Errorf("vector %v", v)
	}
}

// TestRowsAffected is the number that the tag begins with.
func TestRowsAffected(t *testing.T) {
	pool := open(t, ":memory:")
	for _, tc := range []struct {
		statement string
		want      int64
	}{
		{"CREATE CORPUS docs", 0},
		{"INSERT INTO docs (id, text) VALUES ('a', 'Ann.'), ('b', 'Bob.')", 2},
		{"LOAD '../../testdata/quickstart/people.train.conll' INTO docs FORMAT conll WITH (columns = (form, entities))", 1},
		{"DELETE FROM docs WHERE id = 'a'", 1},
		{"SELECT 1 UNION ALL SELECT 2", 2},
	} {
		res := must(t, pool, tc.statement)
		if n, err := res.RowsAffected(); n < tc.want || err != nil ||
			n != tc.want && !strings.HasPrefix(tc.statement, "LOAD") {
			t.Errorf("%s is about %d rows, want %d, error %v", tc.statement, n, tc.want, err)
		}
		if _, err := res.LastInsertId(); code(err) != "0A000" {
			t.Errorf("last insert id: %v", err)
		}
	}
}

// TestErrors carry code and place.
func TestErrors(t *testing.T) {
	pool := open(t, ":memory:")
	_, err := pool.Query("SELECT 1,\n  nope")
	var e *db.Error
	if !errors.As(err, &e) || e.Code != "42703" || e.Line != 2 || e.Column != 3 {
		t.Errorf("an unknown name gives %v", err)
	}
	if _, err := pool.Prepare("SELEC 1"); code(err) != "42601" {
		t.Errorf("a misspelt statement gives %v", err)
	}
	must(t, pool, "CREATE CORPUS docs")
	must(t, pool, "INSERT INTO docs (id, text) VALUES ('a', 'Ann.')")
	rows, err := pool.Query("SELECT 1 / (length(id) - 1) FROM docs")
	if err == nil {
		defer rows.Close()
		if rows.Next() {
			t.Error("a division by zero gives a row")
		}
		err = rows.Err()
	}
	if code(err) != "22012" {
		t.Errorf("a division by zero gives %v", err)
	}
}

// TestStreams gives notices, tags and what COPY writes to programs that ask for them.
func TestStreams(t *testing.T) {
	pool := open(t, ":memory:")
	conn, err := pool.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	raw := func(f func(*driver.Conn)) {
		t.Helper()
		if err := conn.Raw(func(c any) error { f(c.(*driver.Conn)); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	raw(func(c *driver.Conn) {
		c.Session().Stdin(strings.NewReader("word\nOslo\nRome\n"))
		c.Session().Stdout(&out)
	})
	for _, s := range []string{"CREATE LEXICON cities (word TEXT)", "LOAD STDIN INTO cities FORMAT csv"} {
		if _, err := conn.ExecContext(ctx, s); err != nil {
			t.Fatal(err)
		}
	}
	raw(func(c *driver.Conn) {
		if c.Tag() != "LOAD 2 rows" {
			t.Errorf("tag %q", c.Tag())
		}
	})
	if _, err := conn.ExecContext(ctx, "COPY cities TO STDOUT FORMAT csv"); err != nil ||
		out.String() != "word\nOslo\nRome\n" {
		t.Errorf("COPY writes %q, %v", out.String(), err)
	}
}

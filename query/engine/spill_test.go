package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parlance/query/fn"
	"parlance/query/fn/builtin"
	"parlance/query/operator"
	"parlance/query/parse"
	"parlance/storage"
	"parlance/storage/value"
)

// database opens an empty database and returns what runs statements in it.
func database(t *testing.T) (*Session, func(string) ([]string, error)) {
	t.Helper()
	return over(t, emptyStore(t))
}

// emptyEngine is an engine over a store without anything.
func emptyEngine(t *testing.T) *Engine {
	t.Helper()
	funcs, err := builtin.NewTable()
	if err != nil {
		t.Fatal(err)
	}
	e, err := NewEngine(emptyStore(t), nil, funcs, "test")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func emptyStore(t *testing.T) *storage.Store {
	t.Helper()
	s, err := storage.Open(filepath.Join(t.TempDir(), "x"), storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// over returns what runs statements in a store, with more functions.
func over(t *testing.T, s *storage.Store, more ...fn.Func) (*Session, func(string) ([]string, error)) {
	t.Helper()
	funcs, err := builtin.NewTable(more...)
	if err != nil {
		t.Fatal(err)
	}
	e, err := NewEngine(s, nil, funcs, "test")
	if err != nil {
		t.Fatal(err)
	}
	return sessionOf(e)
}

// sessionOf returns a session of an engine and what runs statements in it.
func sessionOf(e *Engine) (*Session, func(string) ([]string, error)) {
	ses := NewSession()
	return ses, func(text string) ([]string, error) {
		stmt, err := parse.Parse(text)
		if err != nil {
			return nil, err
		}
		ctx := context.Background()
		res, err := e.Execute(ctx, ses, stmt, nil)
		if err != nil || res.Rows == nil {
			return nil, err
		}
		var out []string
		for {
			b, err := res.Rows.Next(ctx)
			if err != nil {
				return nil, errors.Join(err, res.Rows.Close())
			}
			if b == nil {
				return out, res.Rows.Close()
			}
			for i := range b.N {
				out = append(out, fmt.Sprint(b.Row(nil, i)))
			}
		}
	}
}

// TestTemporaryFiles runs queries in memory, and with so little of it that every batch goes to
// files; both must give the same rows.
func TestTemporaryFiles(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	ses, run := database(t)
	rng := rand.New(rand.NewPCG(1, 2))
	must := func(text string) []string {
		t.Helper()
		rows, err := run(text)
		if err != nil {
			t.Fatalf("%.200s: %v", text, err)
		}
		return rows
	}
	size := 3000
	if testing.Short() {
		size = 1000
	}
	for _, name := range []string{"a", "b"} {
		must("CREATE LEXICON " + name + " (k TEXT, n INTEGER, x FLOAT)")
		var rows []string
		for range size {
			k := fmt.Sprintf("'w%d'", rng.IntN(400))
			if rng.IntN(50) == 0 {
				k = "NULL"
			}
			rows = append(rows, fmt.Sprintf("(%s, %d, %d.5)", k, rng.IntN(100)-50, rng.IntN(30)))
		}
		for some := range slices.Chunk(rows, 400) { // a statement a batch: groups come again in later ones
			must("INSERT INTO " + name + " VALUES " + strings.Join(some, ", "))
		}
	}
	for _, q := range []struct {
		text    string
		ordered bool
	}{
		{"SELECT k, n, x FROM a ORDER BY k DESC NULLS LAST, n, x", true},
		{"SELECT k, n FROM a ORDER BY n, k NULLS FIRST LIMIT 20000 OFFSET 17", true},
		{"SELECT k, n, sum(n), count(*), avg(x), min(k), max(x) FROM a GROUP BY k, n", false},
		{"SELECT k, count(DISTINCT n), count(DISTINCT x), sum(DISTINCT n) FROM a GROUP BY k", false},
		{"SELECT count(DISTINCT k), count(DISTINCT n + x), string_agg(DISTINCT k, ',' ORDER BY k) FROM a", false},
		{"SELECT n, string_agg(k, ',' ORDER BY x, k) FROM a GROUP BY n", false},
		{"SELECT DISTINCT k, n FROM a", false},
		{"SELECT a.k, a.n, b.n FROM a JOIN b ON a.k = b.k AND a.n < b.n", false},
		{"SELECT a.k, a.n, b.n FROM a LEFT JOIN b ON a.k = b.k AND a.n = b.n", false},
		{"SELECT a.k, b.k FROM a LEFT JOIN b ON a.n > b.n + 90", false},
		{"SELECT a.k, b.k FROM (SELECT k, n FROM a WHERE n = 3) a JOIN b ON a.n = b.n", false},
		{"SELECT k, n, row_number() OVER (PARTITION BY k ORDER BY n, x), sum(n) OVER (PARTITION BY n, k), lag(x) OVER " +
			"(PARTITION BY k ORDER BY x, n) FROM a", true},
		{"SELECT k, n FROM a INTERSECT SELECT k, n FROM b", false},
		{"SELECT k, n FROM a EXCEPT SELECT k, n FROM b", false},
		{"SELECT k FROM a UNION SELECT k FROM b", false},
		{"WITH RECURSIVE t (k, n, d) AS (SELECT k, n, 0 FROM a UNION ALL SELECT k, n, d + 1 FROM t WHERE d < 3) SELECT k, " +
			"n, d FROM t", true},
		{"WITH s AS (SELECT k, n FROM a) SELECT x.k, y.n FROM s x JOIN s y ON x.k = y.k AND x.n = 7", false},
	} {
		ses.Settings.WorkMemory = 256
		want := must(q.text)
		ses.Settings.WorkMemory = 0
		got := must(q.text)
		if len(want) < 1 {
			t.Errorf("%s gives no rows", q.text)
		}
		if !q.ordered {
			slices.Sort(want)
			slices.Sort(got)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d rows from files, %d from memory", q.text, len(got), len(want))
		}
	}
	if _, err := run("SELECT sum(n) OVER (ORDER BY k) FROM a"); !errors.Is(err, operator.ErrMemory) {
		t.Errorf("a window without partitions in no memory: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("temporary files stay: %v %v", left, err)
	}
}

// TestGrouperAgainstKeys numbers random rows as a map of their keys does.
func TestGrouperAgainstKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	draw := func() value.Value {
		switch rng.IntN(8) {
		case 0:
			return value.Value{}
		case 1:
			return value.Int(rng.Int64())
		case 2:
			return value.Real(float64(rng.IntN(5)) / 2)
		case 3:
			return value.Str(fmt.Sprint(rng.IntN(5)))
		case 4:
			return value.Real(float64(rng.Int64()))
		}
		return value.Int(int64(rng.IntN(7) - 3))
	}
	g, known := operator.NewGroupTable(2), map[string]int32{}
	for range 50 {
		rows := make([][]value.Value, 1+rng.IntN(30))
		for i := range rows {
			rows[i] = []value.Value{draw(), draw()}
		}
		b := value.FromRows([]value.Type{value.Integer, value.Integer}, rows)
		ids, _ := g.Assign(b.Cols, b.N)
		for i, row := range rows {
			key := string(value.AppendKey(value.AppendKey(nil, row[0]), row[1]))
			want, ok := known[key]
			if !ok {
				want = int32(len(known))
				known[key] = want
			}
			if ids[i] != want {
				t.Fatalf("row %v has number %d, want %d", row, ids[i], want)
			}
		}
	}
}

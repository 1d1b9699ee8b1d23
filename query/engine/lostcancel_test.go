package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"parlance/query/parse"
)

// looked is a context that ends when it is looked at for the time with this number, never if 0.
type looked struct {
	context.Context
	end   int64
	looks atomic.Int64
}

// Err counts the look.
func (l *looked) Err() error {
	if n := l.looks.Add(1); l.end > 0 && n >= l.end {
		return context.Canceled
	}
	return nil
}

// ordinary are statements over tables of some batches, of which each operator has its part. What changes something
// stands in a block that is rolled back.
var ordinary = []string{
	"SELECT n, s FROM t WHERE n % 3 = 0",
	"SELECT s, n FROM t ORDER BY s, n DESC",
	"SELECT s, n FROM t ORDER BY s, n DESC LIMIT 5",
	"SELECT n FROM t ORDER BY s FETCH FIRST 7 ROWS WITH TIES",
	"SELECT s, sum(n), count(DISTINCT n), string_agg(s, ',' ORDER BY n) FROM t GROUP BY s",
	"SELECT count(DISTINCT n), sum(DISTINCT n) FILTER (WHERE n > 5) FROM t",
	"SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY n), mode() WITHIN GROUP (ORDER BY s) FROM t",
	"SELECT count(*) FROM t",
	"SELECT DISTINCT s FROM t",
	"SELECT DISTINCT ON (s) s, n FROM t ORDER BY s, n DESC",
	"SELECT t.n FROM t JOIN u ON t.n = u.n",
	"SELECT t.n FROM t JOIN u ON t.n = u.n AND t.s < u.s",
	"SELECT t.n FROM t LEFT JOIN u ON t.n = u.n + 1000",
	"SELECT t.n FROM t FULL JOIN u ON t.n = u.n + 1000",
	"SELECT t.n FROM t RIGHT JOIN few ON t.n < few.n",
	"SELECT t.n FROM t JOIN few ON t.n < few.n",
	"SELECT few.n FROM few CROSS JOIN LATERAL (SELECT t.n FROM t WHERE t.n < few.n) AS v",
	"SELECT n FROM t WHERE n IN (SELECT n FROM u)",
	"SELECT n FROM t WHERE n NOT IN (SELECT n FROM few)",
	"SELECT n FROM few WHERE EXISTS (SELECT 1 FROM t WHERE t.n = few.n AND t.s > few.s)",
	"SELECT (SELECT max(t.n) FROM t WHERE t.n < few.n) FROM few",
	"SELECT n, row_number() OVER (PARTITION BY s ORDER BY n), sum(n) OVER (PARTITION BY s) FROM t",
	"SELECT sum(n) OVER (ORDER BY n ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING) FROM t",
	"SELECT sum(n) FILTER (WHERE n > 3) OVER (ORDER BY n RANGE BETWEEN 2 PRECEDING AND 1 FOLLOWING) FROM t",
	"SELECT lag(n, 2) OVER (ORDER BY s, n), ntile(4) OVER (ORDER BY n), first_value(s) OVER (ORDER BY n) FROM t",
	"SELECT n FROM t UNION SELECT n FROM u",
	"SELECT n FROM t UNION ALL SELECT n FROM u",
	"SELECT n FROM t INTERSECT SELECT n FROM u",
	"SELECT n FROM t EXCEPT ALL SELECT n FROM u",
	"WITH v AS MATERIALIZED (SELECT s, n FROM t) SELECT a.n FROM v AS a JOIN v AS b ON a.n = b.n",
	"WITH RECURSIVE v (n, d) AS (SELECT n, 0 FROM t UNION ALL SELECT n, d + 1 FROM v WHERE d < 2) SELECT * FROM v",
	"WITH RECURSIVE v (n) AS (SELECT 1 UNION SELECT n % 5 + 1 FROM v) SELECT * FROM v",
	"SELECT unnest(ARRAY[n, n + 1]) FROM t",
	"SELECT x FROM generate_series(1, 3000) AS x WHERE x % 7 = 0",
	"SUMMARIZE t",
	"SELECT id, text FROM docs WHERE length(text) > 3",
	"SELECT t.form, d.n FROM docs.tokens AS t JOIN docs AS d ON d.id = t.doc",
	"SELECT form, count(*) FROM docs.tokens GROUP BY form",
	"SELECT * FROM docs.sentences",
	"SELECT * FROM kwic(docs, 'ann')",
	"SELECT * FROM extract_regex(docs, 'b.b')",
	"SELECT table_name, column_name FROM information_schema.columns",
	"CREATE TABLE made AS SELECT s, n FROM t",
	"INSERT INTO t SELECT n + 10000, s FROM u",
	"INSERT INTO t SELECT n + 10000, s FROM u RETURNING n",
	"INSERT INTO t SELECT n, s FROM few ON CONFLICT (n) DO UPDATE SET s = 'x' RETURNING s",
	"UPDATE t SET s = 'x' WHERE n % 2 = 0",
	"UPDATE t SET s = u.s FROM u WHERE t.n = u.n RETURNING t.n",
	"DELETE FROM t WHERE n % 2 = 0 RETURNING n",
	"DELETE FROM t USING u WHERE t.n = u.n",
	"INSERT INTO docs (id, text) SELECT 'x' || n::text, 'Ann met Bob.' FROM few",
	"INSERT INTO docs (id, text) SELECT id, text FROM docs ON CONFLICT (id) DO UPDATE SET n = 7 RETURNING n",
	"UPDATE docs SET n = 7 RETURNING id",
	"UPDATE docs SET n = few.n FROM few WHERE docs.n = few.n",
	"DELETE FROM docs WHERE n = 3 RETURNING id",
	"INSERT INTO docs.entities (doc, char_start, char_end, label) SELECT id, 0, 3, 'PER' FROM docs",
	"UPDATE docs.labels SET label = 'x'",
	"DELETE FROM docs.labels AS l USING docs AS d WHERE l.doc = d.id AND d.n = 2 RETURNING l.label",
}

// filled runs statements in a database with tables of some batches.
func filled(t *testing.T) (*Session, func(context.Context, string) error) {
	t.Helper()
	e := emptyEngine(t)
	ses := NewSession()
	ses.Settings.Workers = 1
	run := func(ctx context.Context, text string) error {
		stmt, err := parse.Parse(text)
		if err != nil {
			return err
		}
		res, err := e.Execute(ctx, ses, stmt, nil)
		if err != nil || res.Rows == nil {
			return err
		}
		for {
			b, err := res.Rows.Next(ctx)
			if err != nil || b == nil {
				return errors.Join(err, res.Rows.Close())
			}
		}
	}
	for _, s := range []string{"CREATE TABLE t (n integer, s text)", "CREATE TABLE u (n integer, s text)",
		"CREATE TABLE few (n integer, s text)", "CREATE CORPUS docs (n integer)",
		"INSERT INTO t SELECT x, 's' || (x % 9)::text FROM generate_series(1, 2500) AS x",
		"INSERT INTO u SELECT x * 2, 's' || (x % 5)::text FROM generate_series(1, 1500) AS x",
		"INSERT INTO few SELECT x, 's' FROM generate_series(1, 5) AS x",
		"INSERT INTO docs (id, text, n) SELECT 'd' || n::text, repeat('ann met bob ', 40), n FROM few",
		"INSERT INTO docs.labels (doc, label) SELECT id, 'L' FROM docs"} {
		if err := run(context.Background(), s); err != nil {
			t.Fatal(s, err)
		}
	}
	return ses, run
}

// TestLostCancels ends the context of a statement at one look at it after the other: the first and last ones, and some
// between. Whoever goes on after that gives half an answer for a whole one. It is done in memory and in temporary
// files.
func TestLostCancels(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	ses, run := filled(t)
	background := context.Background()
	for _, memory := range []int{256, 0} {
		for _, s := range ordinary {
			if memory == 0 && !strings.HasPrefix(s, "SELECT") && !strings.HasPrefix(s, "WITH") {
				continue
			}
			changes := !strings.HasPrefix(s, "SELECT") && !strings.HasPrefix(s, "WITH")
			attempt := func(end int64) (int64, error) {
				ctx := &looked{Context: background, end: end}
				if changes {
					if err := run(background, "BEGIN"); err != nil {
						t.Fatal(err)
					}
				}
				ses.Settings.WorkMemory = memory
				err := run(ctx, s)
				ses.Settings.WorkMemory = 256
				if changes {
					if err := run(background, "ROLLBACK"); err != nil {
						t.Fatal(s, err)
					}
				}
				return ctx.looks.Load(), err
			}
			n, err := attempt(0)
			if err != nil {
				if memory > 0 {
					t.Errorf("%s: %v", s, err)
				}
				continue // some need more memory than none
			}
			for k := int64(1); k <= n; k++ {
				if k > 6 && k <= n-5 && k%max(1, n/5) != 0 {
					continue
				}
				looks, err := attempt(k)
				if looks >= k && !errors.Is(err, context.Canceled) {
					t.Errorf("%s, with %d MB, cancelled at look %d of %d: %v", s, memory, k, n, err)
				}
			}
		}
	}
}

// TestNoTemporaryFiles: where temporary files cannot be made, statements that need them say so.
func TestNoTemporaryFiles(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	ses, run := filled(t)
	files := 0
	for _, s := range ordinary {
		if !strings.HasPrefix(s, "SELECT") && !strings.HasPrefix(s, "WITH") {
			continue
		}
		ses.Settings.WorkMemory = 0
		t.Setenv("TMPDIR", dir)
		before := run(context.Background(), s)
		t.Setenv("TMPDIR", filepath.Join(dir, "nowhere"))
		err := run(context.Background(), s)
		switch {
		case before != nil: // needs memory
		case errors.Is(err, os.ErrNotExist):
			files++
		case err != nil:
			t.Errorf("%s without temporary files: %v", s, err)
		}
	}
	if files < 8 {
		t.Errorf("%d statements need temporary files", files)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("temporary files stay: %v %v", fmt.Sprint(left), err)
	}
}

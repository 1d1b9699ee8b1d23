package db_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parlance/db"
)

// failingPlaces are statements with an expression at @, which reads the integer column n of a row. Each place where a
// statement may have an expression stands here once.
var failingPlaces = []string{
	"SELECT @ FROM t",
	"SELECT 1 FROM t WHERE @ > 0",
	"SELECT 1 FROM t WHERE n > 0 AND @ > 0",
	"SELECT 1 FROM t WHERE n < 0 OR @ > 0",
	"SELECT DISTINCT @ FROM t",
	"SELECT DISTINCT ON (@) n FROM t",
	"SELECT DISTINCT ON (n) @ FROM t ORDER BY n",
	"SELECT n FROM t ORDER BY @",
	"SELECT n FROM t ORDER BY n, @ DESC",
	"SELECT n FROM t ORDER BY @ LIMIT 2",
	"SELECT n FROM t ORDER BY @ FETCH FIRST 2 ROWS WITH TIES",
	"SELECT count(*) FROM t GROUP BY @",
	"SELECT count(*) FROM t GROUP BY s, @",
	"SELECT n FROM t GROUP BY n HAVING @ > 0",
	"SELECT n FROM t GROUP BY n ORDER BY @",
	"SELECT n, @ FROM t GROUP BY n",
	"SELECT sum(@) FROM t",
	"SELECT sum(@) FROM t GROUP BY s",
	"SELECT sum(DISTINCT @) FROM t",
	"SELECT sum(DISTINCT @) FROM t GROUP BY s",
	"SELECT sum(n) FILTER (WHERE @ > 0) FROM t",
	"SELECT count(*) FILTER (WHERE @ > 0) FROM t GROUP BY s",
	"SELECT sum(DISTINCT n) FILTER (WHERE @ > 0) FROM t",
	"SELECT string_agg(s, ',' ORDER BY @) FROM t",
	"SELECT array_agg(@ ORDER BY n) FROM t",
	"SELECT array_agg(n ORDER BY n) FILTER (WHERE @ > 0) FROM t",
	"SELECT json_object_agg(s, @) FROM t",
	"SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY @) FROM t",
	"SELECT mode() WITHIN GROUP (ORDER BY @) FROM t GROUP BY s",
	"SELECT min(@), max(n) FROM t",
	"SELECT avg(@) + 1 FROM t HAVING count(*) > 0",
	"SELECT corr(n, @) FROM t",
	"SELECT row_number() OVER (ORDER BY @) FROM t",
	"SELECT row_number() OVER (PARTITION BY @) FROM t",
	"SELECT rank() OVER (PARTITION BY s ORDER BY n, @) FROM t",
	"SELECT sum(@) OVER () FROM t",
	"SELECT sum(@) OVER (ORDER BY n) FROM t",
	"SELECT sum(@) OVER (ORDER BY n ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM t",
	"SELECT sum(@) OVER (ORDER BY n RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t",
	"SELECT sum(n) FILTER (WHERE @ > 0) OVER (ORDER BY n) FROM t",
	"SELECT lag(@) OVER (ORDER BY n) FROM t",
	"SELECT lag(n, 1, @) OVER (ORDER BY n) FROM t",
	"SELECT lead(n, @) OVER (ORDER BY n) FROM t",
	"SELECT first_value(@) OVER (ORDER BY n) FROM t",
	"SELECT nth_value(@, 2) OVER (ORDER BY n) FROM t",
	"SELECT rank() OVER w FROM t WINDOW w AS (ORDER BY @)",
	"SELECT rank() OVER (ORDER BY n) + @ FROM t",
	"SELECT t.n FROM t JOIN u ON t.n = u.n AND @t > 0",
	"SELECT t.n FROM t JOIN u ON t.n = u.n + @t",
	"SELECT t.n FROM t JOIN u ON @t = u.n",
	"SELECT t.n FROM t JOIN u ON t.n = @u",
	"SELECT t.n FROM t JOIN u ON t.n < @u",
	"SELECT t.n FROM t LEFT JOIN u ON t.n = u.n AND @u > 0",
	"SELECT t.n FROM t LEFT JOIN u ON @t > 0",
	"SELECT t.n FROM t RIGHT JOIN u ON t.n = u.n AND @t > 0",
	"SELECT t.n FROM t FULL JOIN u ON t.n = @u",
	"SELECT t.n FROM t, u WHERE t.n + u.n = @t",
	"SELECT t.n FROM t CROSS JOIN LATERAL (SELECT @t AS x) AS v",
	"SELECT t.n FROM t JOIN (SELECT @ AS x FROM u) AS v ON v.x = t.n",
	"SELECT n FROM t WHERE n IN (SELECT @ FROM u)",
	"SELECT n FROM t WHERE @ IN (SELECT n FROM u)",
	"SELECT n FROM t WHERE n NOT IN (SELECT @ FROM u)",
	"SELECT n FROM t WHERE n IN (7, 8, @)",
	"SELECT n FROM t WHERE @ IN (7, 8)",
	"SELECT n FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.n = @t)",
	"SELECT n FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.n = t.n AND @u > 9)",
	"SELECT n FROM t WHERE n > ALL (SELECT @ FROM u)",
	"SELECT n FROM t WHERE n = ANY (ARRAY[7, @])",
	"SELECT (SELECT @t) FROM t",
	"SELECT (SELECT max(@) FROM u) FROM t",
	"SELECT ARRAY(SELECT @ FROM u) FROM t",
	"SELECT ARRAY[n, @] FROM t",
	"SELECT (ARRAY[1, 2])[@] FROM t",
	"SELECT (n, @) = (3, 2) FROM t",
	"SELECT CASE WHEN n > 9 THEN 1 WHEN @ > 0 THEN 2 END FROM t",
	"SELECT CASE WHEN n > 0 THEN @ ELSE 0 END FROM t",
	"SELECT CASE WHEN n > 9 THEN 0 ELSE @ END FROM t",
	"SELECT CASE @ WHEN 1 THEN 2 END FROM t",
	"SELECT CASE n WHEN @ THEN 2 END FROM t",
	"SELECT coalesce(NULL, @) FROM t",
	"SELECT nullif(n, @) FROM t",
	"SELECT greatest(n, @) FROM t",
	"SELECT n BETWEEN @ AND 9 FROM t",
	"SELECT n BETWEEN 1 AND @ FROM t",
	"SELECT @ BETWEEN 1 AND 9 FROM t",
	"SELECT -(@) FROM t",
	"SELECT NOT (@ > 0) FROM t",
	"SELECT @ IS NULL FROM t",
	"SELECT (@ > 0) IS TRUE FROM t",
	"SELECT @ IS DISTINCT FROM 1 FROM t",
	"SELECT n FROM t WHERE (@ > 0) IS NOT NULL",
	"SELECT (@)::text FROM t",
	"SELECT s || (@)::text FROM t",
	"SELECT s LIKE (@)::text FROM t",
	"SELECT (@)::text LIKE '1%' FROM t",
	"SELECT repeat(s, @) FROM t",
	"SELECT substr(s, @, 1) FROM t",
	"SELECT extract(year FROM make_date(2000 + @, 1, 1)) FROM t",
	"SELECT n + @ FROM t",
	"SELECT @ * n FROM t",
	"SELECT @ = 1 FROM t",
	"SELECT 1 < @ FROM t",
	"SELECT unnest(ARRAY[n, @]) FROM t",
	"SELECT generate_series(1, @) FROM t",
	"SELECT x FROM t, generate_series(1, @) AS x",
	"SELECT x FROM t, unnest(ARRAY[@]) AS x",
	"SELECT n FROM (SELECT @ AS n FROM t) AS v",
	"SELECT n FROM (SELECT n FROM t ORDER BY @ LIMIT 3) AS v",
	"WITH v AS (SELECT @ AS x FROM t) SELECT * FROM v",
	"WITH v AS MATERIALIZED (SELECT @ AS x FROM t) SELECT * FROM v AS a, v AS b",
	"WITH RECURSIVE v AS (SELECT n FROM t WHERE n = 3 UNION ALL SELECT @ FROM v WHERE n < 9) SELECT * FROM v",
	"WITH RECURSIVE v AS (SELECT @ AS x FROM t UNION SELECT x + 1 FROM v WHERE x < 3) SELECT * FROM v",
	"SELECT @ FROM t UNION SELECT 1",
	"SELECT 1 UNION ALL SELECT @ FROM t",
	"SELECT 1 UNION SELECT @ FROM t",
	"SELECT n FROM u INTERSECT SELECT @ FROM t",
	"SELECT @ FROM t INTERSECT SELECT n FROM u",
	"SELECT n FROM u INTERSECT ALL SELECT @ FROM t",
	"SELECT n FROM u EXCEPT SELECT @ FROM t",
	"SELECT @ FROM t EXCEPT SELECT n FROM u",
	"SELECT @ FROM t EXCEPT ALL SELECT n FROM u",
	"SELECT 1 UNION SELECT n FROM u INTERSECT SELECT @ FROM t",
	"SELECT n FROM t UNION SELECT n FROM u EXCEPT SELECT n FROM u INTERSECT SELECT @ FROM t",
	"SELECT v.x FROM t, LATERAL (VALUES (1), (@t)) AS v(x)",
	"SELECT n FROM t WHERE n > 0 LIMIT (SELECT max(@) FROM u)",
	"SELECT n FROM t OFFSET (SELECT max(@) FROM u)",
	"SELECT id FROM docs WHERE year = @",
	"SELECT id FROM docs WHERE id = (@)::text",
	"UPDATE docs SET n = 1 WHERE year >= @",
	"SELECT s FROM u WHERE n = @",
	"UPDATE u SET s = 'x' WHERE n = @",
	"DELETE FROM u WHERE n IN (7, @)",
	"SELECT object FROM fam.triples WHERE subject = (SELECT max(@) FROM t)::text",
	"EXPLAIN ANALYZE SELECT @ FROM t",
	"SUMMARIZE (SELECT @ AS x FROM t)",
	"CREATE TABLE made AS SELECT @ AS x FROM t",
	"INSERT INTO t (n, s) SELECT @ + 100, s FROM u",
	"INSERT INTO t SELECT n + 100, s FROM u WHERE @ > 0",
	"INSERT INTO t SELECT n, s FROM u RETURNING @",
	"INSERT INTO t SELECT n, s FROM u ON CONFLICT (n) DO UPDATE SET s = (@t)::text",
	"INSERT INTO t SELECT n, s FROM u ON CONFLICT (n) DO UPDATE SET s = 'x' WHERE @t > 0",
	"INSERT INTO t SELECT n, s FROM u ON CONFLICT (n) DO UPDATE SET s = 'x' RETURNING @",
	"UPDATE t SET n = @ + 100",
	"UPDATE t SET (n, s) = (n + 100, (@)::text)",
	"UPDATE t SET s = 'x' WHERE @ > 0",
	"UPDATE t SET s = 'x' RETURNING @",
	"UPDATE t SET s = 'x' FROM u WHERE t.n = u.n AND @u > 0",
	"UPDATE t SET s = (@u)::text FROM u WHERE t.n = u.n",
	"UPDATE t SET s = 'x' FROM u WHERE t.n = @u",
	"UPDATE t SET s = 'x' FROM u WHERE t.n = u.n RETURNING @u",
	"UPDATE t SET s = (SELECT max(@) FROM u)::text",
	"DELETE FROM t WHERE @ > 0",
	"DELETE FROM t RETURNING @",
	"DELETE FROM t USING u WHERE t.n = u.n AND @u > 0",
	"DELETE FROM t USING u WHERE t.n = u.n RETURNING @u",
	"COPY (SELECT @ FROM t) TO '{file}' FORMAT csv",
	"COPY (SELECT n FROM t ORDER BY @) TO '{file}' FORMAT jsonl",
	"SELECT @ FROM docs",
	"SELECT id FROM docs WHERE @ > 0",
	"SELECT id FROM docs ORDER BY @",
	"SELECT d.id FROM docs AS d JOIN t ON t.n = d.n AND @t > 0",
	"SELECT e.label FROM docs.entities AS e JOIN docs AS d ON d.id = e.doc AND @d > 0",
	"SELECT e.label FROM docs.entities AS e, docs AS d WHERE d.id = e.doc AND e.label = (@d)::text",
	"INSERT INTO docs (id, text) SELECT 'x' || (@)::text, 'Text.' FROM t",
	"INSERT INTO docs (id, text) SELECT id, text FROM docs ON CONFLICT (id) DO UPDATE SET n = @docs",
	"INSERT INTO docs (id, text) SELECT id, text FROM docs ON CONFLICT (id) DO UPDATE SET year = 1 WHERE @docs > 0",
	"INSERT INTO docs (id, text) SELECT id, text FROM docs ON CONFLICT (id) DO UPDATE SET year = 1 RETURNING @",
	"INSERT INTO docs (id, text, n) SELECT 'x' || n::text, 'Text.', n FROM t RETURNING @",
	"INSERT INTO docs.entities (doc, sent, tok_start, tok_end, label) SELECT 'd3', 1, 1, 2, (@)::text FROM t",
	"UPDATE docs SET n = @",
	"UPDATE docs SET year = 1 WHERE @ > 0",
	"UPDATE docs SET year = 1 RETURNING @",
	"UPDATE docs SET year = 1 FROM t WHERE t.n = docs.n AND @t > 0",
	"UPDATE docs SET year = @t FROM t WHERE t.n = docs.n",
	"UPDATE docs.entities AS e SET label = (@d)::text FROM docs AS d WHERE d.id = e.doc",
	"UPDATE docs.entities AS e SET label = 'X' FROM docs AS d WHERE d.id = e.doc AND @d > 0",
	"UPDATE docs.entities AS e SET label = 'X' FROM docs AS d WHERE d.id = e.doc RETURNING @d",
	"DELETE FROM docs WHERE @ > 0",
	"DELETE FROM docs RETURNING @",
	"DELETE FROM docs USING t WHERE t.n = docs.n AND @t > 0",
	"DELETE FROM docs.entities AS e USING docs AS d WHERE d.id = e.doc AND @d > 0",
	"DELETE FROM docs.entities AS e USING docs AS d WHERE d.id = e.doc RETURNING @d",
	"COPY (SELECT id, @ AS x FROM docs) TO '{file}' FORMAT csv",
	"INSERT INTO fam.triples (subject, relation, object) SELECT 's' || (@)::text, 'r', 'o' FROM t",
	"INSERT INTO fam.triples (subject, relation, object, weight) SELECT 'ann', 'parent_of', 'bob', n FROM t WHERE n = 3 " +
		"ON CONFLICT (subject, relation, object) DO UPDATE SET weight = (SELECT max(@) FROM t)",
	"UPDATE fam.triples SET weight = (SELECT max(@) FROM t)",
	"DELETE FROM fam.triples WHERE weight > (SELECT max(@) FROM t)",
}

// TestFailingPlaces lets the expression at each place fail: by the name of no column, which is told with its place; in
// the row where n is 3; and by a subselect of more than a row. No statement may go on after that, and what changes
// tables leaves them as they were.
func TestFailingPlaces(t *testing.T) {
	dir := t.TempDir()
	d, err := db.Open(filepath.Join(dir, "a.parlance"), db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	conn := d.Conn()
	must := func(script string) {
		t.Helper()
		if err := conn.Script(context.Background(), script, func(r *db.Rows) error {
			for r.Next() {
				r.Values()
			}
			return r.Err()
		}); err != nil {
			t.Fatal(err)
		}
	}
	must(`CREATE TABLE t (n integer, s text); CREATE TABLE u (n integer, s text);
INSERT INTO t SELECT x, 's' || (x % 2)::text FROM generate_series(1, 5) AS x; INSERT INTO u SELECT n, s FROM t;
CREATE CORPUS docs (n integer, year integer);
INSERT INTO docs (id, text, n) SELECT 'd' || n::text, 'Ann met Bob.', n FROM t;
CREATE INDEX ON docs (year); CREATE INDEX ON u (n);
CREATE KB fam; INSERT INTO fam.triples (subject, relation, object) VALUES ('ann', 'parent_of', 'bob')`)
	must(`INSERT INTO docs.entities (doc, char_start, char_end, label) SELECT id, 0, 3, 'PER' FROM docs`)
	dump := func() string {
		var b strings.Builder
		for _, q := range []string{"t ORDER BY n", "u ORDER BY n", "docs ORDER BY id",
			"docs.entities ORDER BY doc, char_start", "fam.triples",
			"information_schema.tables WHERE table_schema = 'public' ORDER BY table_name"} {
			rows, err := conn.Query(context.Background(), "SELECT * FROM "+q)
			if err != nil {
				t.Fatal(err)
			}
			for rows.Next() {
				fmt.Fprintln(&b, rows.Values())
			}
			if err := errors.Join(rows.Err(), rows.Close()); err != nil {
				t.Fatal(err)
			}
		}
		return b.String()
	}
	before := dump()
	for _, place := range failingPlaces {
		place = strings.ReplaceAll(place, "{file}", filepath.Join(dir, "out"))
		for _, c := range []struct{ expr, code string }{
			{"nix", "42703"}, {"(1/(%sn-3))", "22012"}, {"(SELECT n FROM u)", "21000"},
		} {
			statement, at := inPlace(place, c.expr)
			rows, err := conn.Query(context.Background(), statement)
			if err == nil {
				for rows.Next() {
					rows.Values()
				}
				err = errors.Join(rows.Err(), rows.Close())
			}
			var e *db.Error
			if !errors.As(err, &e) || e.Code != c.code {
				t.Errorf("%s\nanswers %v, not an error %s", statement, err, c.code)
			} else if c.code == "42703" && (e.Line != 1 || e.Column != at+1) {
				t.Errorf("%s\nsays %d:%d, not 1:%d", statement, e.Line, e.Column, at+1)
			}
			if strings.HasPrefix(statement, "SELECT") {
				continue
			}
			if after := dump(); after != before {
				t.Fatalf("%s\nleaves\n%s\nof\n%s", statement, after, before)
			}
			os.Remove(filepath.Join(dir, "out"))
		}
	}
}

// inPlace puts an expression in the place of a statement and says where it stands. A name behind @ is that of the
// table.
func inPlace(place, expr string) (statement string, at int) {
	at = strings.IndexByte(place, '@')
	rest := place[at+1:]
	table := rest[:len(rest)-len(strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyz"))]
	rest = rest[len(table):]
	if table != "" {
		table += "."
	}
	if strings.Contains(expr, "%s") {
		expr = fmt.Sprintf(expr, table)
	}
	return place[:at] + expr + rest, at
}

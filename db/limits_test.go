package db_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"parlance/db"
)

// TestDocumentBytes refuses long texts wherever they come from, and leaves nothing behind.
func TestDocumentBytes(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	script(t, c, "CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'short'); TRAIN length_rank AS m ON "+
		"docs; ALTER SYSTEM SET max_document_bytes = 10")
	long := strings.Repeat("ä", 6)
	c.Stdin(strings.NewReader("short\n\n" + long + "\n"))
	for _, statement := range []string{
		"INSERT INTO docs (id, text) VALUES ('b', 'short'), ('c', '" + long + "')",
		"UPDATE docs SET text = '" + long + "'",
		"LOAD STDIN INTO docs FORMAT lines",
		"SELECT * FROM labels(TEXT '" + long + "') USING m",
	} {
		if _, err := c.Exec(context.Background(), statement); code(err) != "54P01" ||
			!strings.Contains(err.Error(), "12 bytes, more than max_document_bytes, 10") {
			t.Errorf("%s: %v", statement, err)
		}
	}
	if got := text(t, c, "SELECT id, text FROM docs"); got != "id\ttext\na\tshort\n" {
		t.Errorf("documents: %s", got)
	}
	script(t, c, "INSERT INTO docs (id, text) VALUES ('b', 'just right')")
}

// TestStatementBytes refuses long statements, also those that were parsed before.
func TestStatementBytes(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	long := "SELECT '" + strings.Repeat("x", 2000) + "' AS x"
	script(t, c, long+"; ALTER SYSTEM SET max_statement_bytes = 1500")
	if _, err := c.Exec(context.Background(), long); code(err) != "54000" {
		t.Errorf("a long statement: %v", err)
	}
	if _, err := c.Statements(long); code(err) != "54000" {
		t.Errorf("a long script of one statement: %v", err)
	}
	if _, err := c.Exec(context.Background(), "SELECT length($1)", strings.Repeat("x", 2000)); err != nil {
		t.Errorf("a long parameter: %v", err)
	}
}

// TestStatementMemory refuses what would hold more than statement_memory, wherever it is held; what passes by is held
// a part at a time.
func TestStatementMemory(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	script(t, c, "ALTER SYSTEM SET statement_memory = 16")
	const rows = " FROM (SELECT n, repeat('x', 200000) || n AS x FROM generate_series(1, 120) AS t(n)) t"
	for _, statement := range []string{
		"SELECT length(string_agg(x, ','))" + rows,
		"SELECT n % 5, length(array_agg(x)::text)" + rows + " GROUP BY 1",
		"SELECT length(string_agg(x, ',' ORDER BY n DESC))" + rows,
		"SELECT n, length(max(x))" + rows + " GROUP BY n",
		"SELECT length(string_agg(x, ',') OVER (ORDER BY n ROWS BETWEEN 9 PRECEDING AND CURRENT ROW))" + rows +
			" WHERE n < 50",
		"SELECT 'x' IN (SELECT x" + rows + ")",
		"SELECT length(ARRAY(SELECT x" + rows + ")::text)",
		"SELECT count(DISTINCT repeat('x', 200000) || n) FROM generate_series(1, 120) AS t(n)",
		"SELECT count(*) FROM generate_series(1, 1) AS t(n) WHERE (SELECT repeat('x', 20000000) || n) > 'a'",
	} {
		if _, err := c.Exec(context.Background(), statement); code(err) != "53200" ||
			!strings.Contains(err.Error(), "statement_memory") {
			t.Errorf("%s: %v", statement, err)
		}
	}
	for _, tc := range [][2]string{
		{"SELECT count(*) AS n" + rows + " WHERE x LIKE '%9'", "12"},
		{"SELECT n" + rows + " ORDER BY x DESC LIMIT 1 OFFSET 60", "44"},
		{"SELECT max(length(y)) AS n FROM (SELECT string_agg(x, ',') OVER (ORDER BY n) AS y" + rows + " WHERE n < 12) t",
			"2200023"},
		{"SELECT max(k) AS n FROM generate_series(1, 6) g(m), LATERAL (SELECT length(string_agg(x, '')) AS k FROM (SELECT " +
			"repeat('x', 200000) || m AS x FROM generate_series(1, 20) v(u)) t) t", "4000020"},
	} {
		if got := text(t, c, tc[0]); got != "n\n"+tc[1]+"\n" {
			t.Errorf("%s: %.200s", tc[0], got)
		}
	}
}

// TestStatementMemoryOfChanges refuses changes that gather too much, and nothing of them stays.
func TestStatementMemoryOfChanges(t *testing.T) {
	if testing.Short() {
		t.Skip("one session: nothing for a short run")
	}
	d := open(t, "")
	c := d.Conn()
	const rows = " FROM (SELECT n::text AS n, repeat('x', 200000) || n AS x FROM generate_series(1, 88) AS t(n)) t"
	script(t, c,
		"ALTER SYSTEM SET statement_memory = 16; CREATE LEXICON wide (w TEXT, x TEXT); CREATE CORPUS long (m TEXT);"+
			"INSERT INTO wide SELECT n, x"+rows+"; INSERT INTO long (id, text, m) SELECT n, 'a b c', x"+rows+
			"; INSERT INTO long.entities (doc, sent, tok_start, tok_end, label) SELECT id, 1, 1, 2, 'A' FROM long WHERE "+
			"length(id) = 1;"+
			"INSERT INTO long.entities (doc, sent, tok_start, tok_end, label) SELECT id, 1, 1, 2, 'A' FROM long WHERE id IN "+
			"('10', '11')")
	state := func() string {
		return text(t, c, "SELECT count(*), max(length(w)), max(length(x)) FROM wide") +
			text(t, c, "SELECT count(*), max(length(m)) FROM long") +
			text(t, c, "SELECT label, count(*) FROM long.entities GROUP BY label")
	}
	was := state()
	for _, statement := range []string{
		"UPDATE wide SET w = w || 'x' RETURNING x",
		"DELETE FROM wide RETURNING x",
		"INSERT INTO wide SELECT n, x" + rows + " ON CONFLICT (w) DO UPDATE SET x = excluded.x",
		"INSERT INTO wide SELECT n, x" + rows + " ON CONFLICT REPLACE",
		"INSERT INTO wide SELECT n, x" + rows + " RETURNING x",
		"UPDATE long SET m = m || 'y' RETURNING m",
		"INSERT INTO long (id, text, m) SELECT n, 'b', x" + rows + " ON CONFLICT (id) DO UPDATE SET m = excluded.m",
		"INSERT INTO long.entities (doc, sent, tok_start, tok_end, label) SELECT id, 1, 2, 3, 'B' FROM long",
		"INSERT INTO long.entities (doc, sent, tok_start, tok_end, label) SELECT n, 1, 2, 3, x" + rows,
	} {
		if _, err := c.Exec(context.Background(), statement); code(err) != "53200" ||
			!strings.Contains(err.Error(), "statement_memory") {
			t.Errorf("%s: %v", statement, err)
		}
	}
	if now := state(); now != was {
		t.Errorf("refused changes have left\n%s\nof\n%s", now, was)
	}
	script(t, c, "UPDATE long SET m = m || 'y'; UPDATE long.entities SET label = 'B'; UPDATE wide SET w = w || 'x'; "+
		"UPDATE wide SET x = 'x' WHERE w < '2'")
}

// TestServerLimits reads what a server keeps from the settings.
func TestServerLimits(t *testing.T) {
	d := open(t, "")
	if got, want := d.Limits(),
		(db.Limits{MaxConnections: 2500, ReservedConnections: 3, ReadTimeout: time.Minute, WriteTimeout: 10 * time.Minute,
			LoginTimeout: 30 * time.Second, MaxMessageBytes: 64 << 20}); got != want {
		t.Errorf("defaults %+v, want %+v", got, want)
	}
	script(t, d.Conn(),
		"ALTER SYSTEM SET max_connections = 10; ALTER SYSTEM SET idle_timeout = 60; ALTER SYSTEM SET login_timeout = 5")
	if got, want := d.Limits(),
		(db.Limits{MaxConnections: 10, ReservedConnections: 3, IdleTimeout: time.Minute, ReadTimeout: time.Minute,
			WriteTimeout: 10 * time.Minute, LoginTimeout: 5 * time.Second, MaxMessageBytes: 64 << 20}); got != want {
		t.Errorf("set %+v, want %+v", got, want)
	}
	if _, err := d.Exec(context.Background(), "ALTER SYSTEM SET reserved_connections = 10"); code(err) != "22023" {
		t.Errorf("all connections are reserved: %v", err)
	}
	script(t, d.Conn(), "ALTER SYSTEM SET max_connections = 5000; ALTER SYSTEM SET reserved_connections = 3000")
	if _, err := d.Exec(context.Background(), "ALTER SYSTEM RESET max_connections"); code(err) != "22023" {
		t.Errorf("the default is less than what is reserved: %v", err)
	}
	script(t, d.Conn(), "ALTER SYSTEM SET reserved_connections = 10")
	if _, err := d.Exec(context.Background(), "ALTER SYSTEM SET max_connections = 9"); code(err) != "22023" {
		t.Errorf("fewer connections than are reserved: %v", err)
	}
}

// TestSavepointsBounded fills a transaction block with savepoints.
func TestSavepointsBounded(t *testing.T) {
	d := open(t, ":memory:")
	c := d.Conn()
	script(t, c, "BEGIN")
	for range 10_000 {
		script(t, c, "SAVEPOINT s")
	}
	if _, err := c.Exec(context.Background(), "SAVEPOINT s"); code(err) != "54000" {
		t.Errorf("one more: %v", err)
	}
	script(t, c, "ROLLBACK TO s; RELEASE s; SAVEPOINT s; COMMIT; BEGIN; SAVEPOINT s; COMMIT")
}

// TestTimeoutFromArrival counts parsing and planning as part of a statement.
func TestTimeoutFromArrival(t *testing.T) {
	ctx := context.Background()
	d := open(t, ":memory:")
	c := d.Conn()
	script(t, c, "SET statement_timeout = 1")
	names := strings.Repeat("a, ", 20_000) + "a"
	if _, err := c.Exec(ctx, "SET search_path = "+names); code(err) != "57014" {
		t.Errorf("a statement that is long to parse: %v", err)
	}
	if got, _ := c.Setting("search_path"); got != "public" {
		t.Errorf("it was executed: %.100s", got)
	}
	for _, statement := range []string{
		"SELECT repeat('ab ', 1000000) ~ '(a|b|c).*(d|e|f).*x'", // folded while it is planned
		"SELECT $1 IN (" + strings.Repeat("$1, ", 60_000) + "1)",
	} {
		s, err := c.Prepare(statement)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Describe(ctx); code(err) != "57014" {
			t.Errorf("%.50s described: %v", statement, err)
		}
	}
	script(t, d.Conn(), "SET search_path = "+names) // without the limit
}

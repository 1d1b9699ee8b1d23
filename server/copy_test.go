package server

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parlance/db"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
	_ "github.com/lib/pq"
)

// copyScript makes what tests of COPY read and fill.
const copyScript = `CREATE CORPUS docs (year INTEGER, note TEXT);
INSERT INTO docs (id, text, year, note) VALUES ('a', 'Ann flew to Oslo.', 1990, ''), ('b', E'tab\there,\nand "there" \\ \r\n.', NULL, NULL), ('c', '\.', 1, 'NULL'), ('d', '', -5, '\N');
INSERT INTO docs.entities (doc, sent, tok_start, tok_end, label) VALUES ('a', 1, 1, 1, 'PER'), ('a', 1, 4, 4, 'LOC'), ('b', 1, 1, 2, 'x "y"');
CREATE LEXICON lex (word TEXT, pos TEXT, n INTEGER, x FLOAT, ok BOOLEAN, at TIMESTAMP, b BYTES, v VECTOR, j JSON);
INSERT INTO lex VALUES ('run', 'verb', 2, 0.5, true, '2001-02-03 04:05:06'::timestamp, '\x000102'::bytes, '[1,2.5]'::vector, '{"a": [1, null]}'::json), ('Oslo', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE CORPUS docs2 (year INTEGER, note TEXT);
INSERT INTO docs2 (id, text) SELECT id, text FROM docs;
CREATE LEXICON lex2 (word TEXT, pos TEXT, n INTEGER, x FLOAT, ok BOOLEAN, at TIMESTAMP, b BYTES, v VECTOR, j JSON)`

func copyServer(t *testing.T) (*db.DB, string) {
	t.Helper()
	d, _, addr := start(t, Options{})
	if err := d.Conn().Script(t.Context(), copyScript, nil); err != nil {
		t.Fatal(err)
	}
	return d, addr
}

// all is the rows of a query as text, with NULL apart from the empty text.
func all(t *testing.T, c *pgx.Conn, query string) string {
	t.Helper()
	r, err := c.PgConn().Exec(context.Background(), query).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, row := range r[0].Rows {
		for _, v := range row {
			if v == nil {
				b.WriteString("NULL|")
				continue
			}
			fmt.Fprintf(&b, "%q|", v)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// copies are what is copied out and in, and queries whose rows are equal then.
var copies = []struct{ from, into, clear, a, b string }{
	{"docs", "docs2", "DELETE FROM docs2", "SELECT id, text, year, note FROM docs ORDER BY id",
		"SELECT id, text, year, note FROM docs2 ORDER BY id"},
	{"docs.entities", "docs2.entities", "DELETE FROM docs2.entities",
		"SELECT * FROM docs.entities ORDER BY doc, char_start", "SELECT * FROM docs2.entities ORDER BY doc, char_start"},
	{"lex", "lex2", "DELETE FROM lex2", "SELECT * FROM lex ORDER BY word", "SELECT * FROM lex2 ORDER BY word"},
}

// emptied prepares what is copied into.
func emptied(t *testing.T, c *pgx.Conn, k int) {
	t.Helper()
	statements := []string{copies[k].clear}
	if k == 1 {
		statements = []string{"DELETE FROM docs2", "INSERT INTO docs2 (id, text) SELECT id, text FROM docs"}
	}
	for _, s := range statements {
		if _, err := c.Exec(context.Background(), s); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPsqlCopies copies out and in with the real psql, where it is installed.
func TestPsqlCopies(t *testing.T) {
	psql, err := exec.LookPath("psql")
	if err != nil {
		t.Skip("psql is not installed")
	}
	_, addr := copyServer(t)
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	run := func(commands ...string) {
		t.Helper()
		args := []string{"-X", "-h", host, "-p", port, "-U", "ann", "-d", "news"}
		for _, c := range commands {
			args = append(args, "-c", c)
		}
		out, err := exec.CommandContext(t.Context(), psql, args...).CombinedOutput()
		if err != nil || strings.Contains(string(out), "ERROR") || strings.Count(string(out), "COPY ") != len(commands) {
			t.Errorf("%s: %v\n%s", commands, err, out)
		}
	}
	c := connect(t, addr, "")
	file := filepath.Join(t.TempDir(), "rows")
	for _, options := range []string{"", "csv", "csv header", "with (format csv)",
		"(format csv, header true, delimiter ';', null 'NULL')", "with csv delimiter as '|' null as 'none'", "delimiter '|'",
		"(format text, header)", "(format binary)", "with binary", "format csv with (quoted_null = false)"} {
		for k, x := range copies {
			emptied(t, c, k)
			run(fmt.Sprintf(`\copy %s to '%s' %s`, x.from, file, options),
				fmt.Sprintf(`\copy %s from '%s' %s`, x.into, file, options))
			if got, want := all(t, c, x.b), all(t, c, x.a); got != want {
				raw, _ := os.ReadFile(file)
				t.Errorf("%s %q:\n%s\nwant\n%s\n%s", x.from, options, got, want, raw)
			}
		}
	}
}

// TestPsqlInlineData ends data within a script by the line \. as psql's users do.
func TestPsqlInlineData(t *testing.T) {
	psql, err := exec.LookPath("psql")
	if err != nil {
		t.Skip("psql is not installed")
	}
	_, addr := copyServer(t)
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), psql, "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", host, "-p", port, "-U", "ann",
		"-d", "news", "-f", "-")
	cmd.Stdin = strings.NewReader("COPY lex2 (word, pos) FROM stdin;\na\t\\N\nb\t\n\\.\nCOPY lex2 (word, pos) FROM " +
		"stdin WITH CSV;\nc,\nd,\"\"\n\\.\nCOPY public.lex2 (pos, word) TO stdout;\n")
	out, err := cmd.CombinedOutput()
	if want := "\\N\ta\n\tb\n\\N\tc\n\td\n"; err != nil || string(out) != want {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestPgxCopies copies rows in the binary format, as pgx does.
func TestPgxCopies(t *testing.T) {
	_, addr := copyServer(t)
	c := connect(t, addr, "")
	ctx := context.Background()
	for k, x := range copies {
		emptied(t, c, k)
		var b bytes.Buffer
		out, err := c.PgConn().CopyTo(ctx, &b, "COPY "+x.from+" TO STDOUT (FORMAT binary)")
		if err != nil {
			t.Fatal(err)
		}
		in, err := c.PgConn().CopyFrom(ctx, &b, "COPY "+x.into+" FROM STDIN (FORMAT binary)")
		if err != nil || in.String() != out.String() {
			t.Errorf("%s: %v, %v", in, out, err)
		}
		if got, want := all(t, c, x.b), all(t, c, x.a); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", x.from, got, want)
		}
	}
	at := time.Date(2026, 11, 21, 12, 30, 1, 250000000, time.UTC)
	rows := [][]any{{"new", 7, 2.5, true, at, []byte{0, 1}, []float32{1, 2.5}, map[string]int{"a": 1}},
		{"none", nil, nil, nil, nil, nil, nil, nil}}
	if n, err := c.CopyFrom(ctx, pgx.Identifier{"lex2"}, []string{"word", "n", "x", "ok", "at", "b", "v", "j"},
		pgx.CopyFromRows(rows)); err != nil || n != 2 {
		t.Errorf("%d, %v", n, err)
	}
	if got := all(t, c, "SELECT word, pos, n, x, ok, at, b, v, j FROM lex2 WHERE word IN ('new', 'none')"); got !=
		`"new"|NULL|"7"|"2.5"|"t"|"2026-11-21 12:30:01.25+00"|"\\x0001"|"{1,2.5}"|"{\"a\":1}"|`+"\n"+
			`"none"|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|`+"\n" {
		t.Error(got)
	}
	if n, err := c.CopyFrom(ctx, pgx.Identifier{"docs2"}, []string{"id", "text", "year"},
		pgx.CopyFromRows([][]any{{"z", "Zoe left Rome.", 2026}})); err != nil || n != 1 {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := c.CopyFrom(ctx, pgx.Identifier{"docs2", "entities"},
		[]string{"doc", "sent", "tok_start", "tok_end", "label"},
		pgx.CopyFromRows([][]any{{"z", 1, 3, 3, "LOC"}, {"z", 1, 1, 1, "PER"}})); err != nil || n != 2 {
		t.Errorf("%d, %v", n, err)
	}
	if got := all(t, c,
		"SELECT text, label FROM docs2.entities WHERE doc = 'z'"); got != "\"Zoe\"|\"PER\"|\n\"Rome\"|\"LOC\"|\n" {
		t.Error(got)
	}
	var e *pgconn.PgError
	_, err := c.CopyFrom(ctx, pgx.Identifier{"docs2"}, []string{"id", "text"},
		pgx.CopyFromRows([][]any{{"y", "New."}, {"z", "Taken."}}))
	if !errors.As(err, &e) || e.Code != "23505" {
		t.Error(err)
	}
	if got := all(t, c, "SELECT count(*) FROM docs2 WHERE id = 'y'"); got != "\"0\"|\n" {
		t.Errorf("a COPY that failed has left %s", got)
	}
}

// TestLibpqCopies takes the copies of lib/pq, which come within a transaction block only, and what others send.
func TestLibpqCopies(t *testing.T) {
	_, addr := copyServer(t)
	d, err := sql.Open("postgres", "postgres://admin@"+addr+"/parlance?sslmode=disable")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	tx, err := d.Begin()
	if err != nil {
		t.Fatal(err)
	}
	statement := `COPY "docs2" ("id", "text", "year", "note") FROM STDIN`
	rows, err := tx.Prepare(statement)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]any{{"n", "Ned.", 2026, nil}, {"m", "Mia.", nil, "x"}, nil} {
		if _, err := rows.Exec(args...); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(rows.Close(), tx.Commit()); err != nil {
		t.Error(err)
	}
	if got := all(t, connect(t, addr, ""),
		"SELECT * FROM docs2 WHERE id IN ('n', 'm') ORDER BY id"); got != `"m"|"Mia."|NULL|"x"|`+"\n"+
		`"n"|"Ned."|"2026"|NULL|`+"\n" {
		t.Error(got)
	}
	c := connect(t, addr, "")
	tagOf, err := c.PgConn().CopyFrom(context.Background(),
		strings.NewReader("p\tA tab\\tand a \\\\ line\\nend.\t3\t\\N\nq\tQ.\t\\N\t\n"), statement)
	if err != nil || tagOf.RowsAffected() != 2 {
		t.Errorf("%s, %v", tagOf, err)
	}
	if got := all(t, c,
		"SELECT * FROM docs2 WHERE id IN ('p', 'q') ORDER BY id"); got != `"p"|"A tab\tand a \\ line\nend."|"3"|NULL|`+"\n"+
		`"q"|"Q."|NULL|""|`+"\n" {
		t.Error(got)
	}
}

// TestCopyResponses checks what the client is told of the data before they come.
func TestCopyResponses(t *testing.T) {
	_, addr := copyServer(t)
	for statement, want := range map[string]string{
		"COPY lex (word, n) FROM STDIN BINARY":            "in 1 [1 1]",
		"COPY lex (word, n) FROM STDIN":                   "in 0 [0 0]",
		"COPY docs (id, text, year) FROM STDIN CSV":       "in 0 [0 0 0]",
		"COPY docs FROM STDIN FORMAT jsonl":               "in 0 []",
		"COPY lex (word, n) TO STDOUT (FORMAT binary)":    "out 1 [1 1]",
		"COPY (SELECT 1 WHERE false) TO STDOUT":           "out 0 [0]",
		"COPY docs TO STDOUT FORMAT jsonl":                "out 0 []",
		"COPY (SELECT 1, 2 WHERE false) TO STDOUT BINARY": "out 1 [1 1]",
	} {
		r := loginRaw(t, addr)
		r.send(&pgproto3.Query{String: statement})
		got := ""
		for got == "" {
			msg, err := r.f.Receive()
			if err != nil {
				t.Fatal(err)
			}
			switch m := msg.(type) {
			case *pgproto3.CopyInResponse:
				got = fmt.Sprint("in ", m.OverallFormat, " ", m.ColumnFormatCodes)
				r.send(&pgproto3.CopyFail{Message: "enough"})
			case *pgproto3.CopyOutResponse:
				got = fmt.Sprint("out ", m.OverallFormat, " ", m.ColumnFormatCodes)
			case *pgproto3.ErrorResponse:
				got = m.Message
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", statement, got, want)
		}
	}
}

package db

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// answer is what a statement gives: its rows, or its error with code and place.
func answer(t *testing.T, s *Stmt) string {
	t.Helper()
	var b strings.Builder
	rows, err := s.Query(t.Context())
	if err == nil {
		fmt.Fprintln(&b, rows.Columns())
		for rows.Next() {
			fmt.Fprintln(&b, rows.Values())
		}
		err = rows.Close()
	}
	if err != nil {
		b.WriteString(told(err))
	}
	return b.String()
}

func told(err error) string {
	e := asError(err)
	return fmt.Sprint(e.Code, e, e.Hint, e.Line, e.Column, e.Offset)
}

// TestImmediate compares statements whose ad-hoc text is taken out with the same ones parsed as they stand.
func TestImmediate(t *testing.T) {
	d, err := Open("", Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	if err := c.Script(t.Context(),
		`CREATE CORPUS docs; LOAD '../testdata/quickstart/people.train.conll' INTO docs FORMAT conll WITH (columns = (form, entities));
		TRAIN crf AS ner ON docs`, nil); err != nil {
		t.Fatal(err)
	}
	texts := []string{"'Ann flew to Oslo.'", "''", "'It''s\nBob,\té.'", "'Ann ' || 7 || ' b''' || ''", "'Ann' || 007",
		"'Ann' || 1.50", "'Ann' || NULL", "upper('Ann')",
		"'Bob' -- 'x'\n", "'Bob'::TEXT", "E'a\\nb'", "$$Bob$$", "'Bob' 'Ann'", "'\x00'", "'\xff'", "'Bob", "12",
		"NULL", "'a\\n'"}
	shapes := []string{
		"SELECT text, label, tok_start FROM entities(TEXT %s) USING ner",
		"SELECT text, prob > 0.1 FROM entities(TEXT %[1]s) USING ner ORDER BY 1, 2 LIMIT 3",
		"SELECT form FROM tokens(TEXT %s) WHERE form <> 'Bob'",
		"SELECT count(*), 'TEXT', 'a''b' FROM tokens(TEXT %s);",
		"SELECT doc FROM tokens(TEXT %s) GROUP BY doc HAVING count(*) = 1 / 0",
		"SELECT text, none FROM entities(TEXT %s) USING ner",
		"SELECT text\n FROM entities(TEXT %s)\n  USING none",
		"SELECT a.form FROM tokens(TEXT %[1]s) a JOIN tokens(TEXT %[1]s) b ON a.tok = b.tok",
		"SELECT (SELECT count(*) FROM tokens(TEXT %s)) -- it's (TEXT 'a')",
		"WITH x AS (SELECT form FROM tokens(TEXT %s)) SELECT * FROM x UNION ALL SELECT form FROM x",
		"SELECT 1 / (count(*) - count(*)) FROM tokens(TEXT %s)",
		"SELECT form FROM tokens(TEXT %s) WHERE form ~ '('",
		"SELECT * FROM kwic(TEXT %s, 'Ann')",
		"SELECT * FROM kwic(TEXT %s, 'Ann', width => 'x')",
		"SELECT form FROM tokens(TEXT $1) -- (TEXT %s)",
		"SELECT form FROM tokens(TEXT %s) WHERE form = $1",
		"SELECT upper(TEXT %s)",
		"EXPLAIN SELECT form FROM tokens(TEXT %s)",
		"CREATE VIEW x AS SELECT form FROM tokens(TEXT %s)",
		"SELECT form FROM tokens(TEXT %s) SELECT",
	}
	lifted := map[string]int{}
	for _, shape := range shapes {
		for _, again := range []bool{false, true} { // parsed for the first time, and kept
			for i, text := range texts {
				if again && i > 5 {
					continue
				}
				statement := fmt.Sprintf(shape, text)
				if strings.Contains(statement, "EXTRA") {
					statement = statement[:strings.Index(statement, "%!(EXTRA")]
				}
				for _, in := range []string{"%s", "SELECT 1;\n %s ; SELECT 2"} {
					if in != "%s" && (again || i > 3) {
						continue
					}
					script := fmt.Sprintf(in, statement)
					want, wantErr := c.Statements(script)
					got, gotErr := c.Wire().Immediate(script)
					if len(want) != len(got) {
						t.Fatalf("%s: %d statements, want %d", script, len(got), len(want))
					}
					if (wantErr == nil) != (gotErr == nil) || wantErr != nil && told(wantErr) != told(gotErr) {
						t.Errorf("%s: %v, want %v", script, gotErr, wantErr)
					}
					for i := range want {
						if len(got[i].args) > 0 {
							lifted[shape]++
						}
						if diff := cmp.Diff(answer(t, want[i]), answer(t, got[i])); diff != "" {
							t.Errorf("%s: %s", script, diff)
						}
					}
				}
			}
		}
	}
	for i, shape := range shapes {
		if took := lifted[shape] > 0; took != (i < 14) {
			t.Errorf("%s: lifted: %v", shape, took)
		}
	}
}

// TestImmediateCompared compares statements whose literals are taken out with the same ones parsed as they stand:
// literals of the type of their column, of others, and such as no column takes.
func TestImmediateCompared(t *testing.T) {
	d, err := Open("", Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	if err := c.Script(t.Context(),
		`CREATE CORPUS docs (year INTEGER, at TIMESTAMP, ok BOOLEAN, more JSON); CREATE INDEX ON docs (year);
		INSERT INTO docs (id, text, year, at, ok, more) VALUES ('d17', 'Ann.', 1907, '2026-11-21', true, '{"a": 1}'), ('5', 'Bob.', 5, '2026-11-22', false, '5');
		CREATE LEXICON lex (word TEXT, n INTEGER, x FLOAT); CREATE INDEX ON lex (n); INSERT INTO lex VALUES ('a', 5, 5), ('5', 7, 0.5), ('d17', 1907, 1907), ('t', 5, 1)`, nil); err != nil {
		t.Fatal(err)
	}
	literals := []string{"'d17'", "'5'", "5", "1907", "'1907'", "05", "'2026-11-21'", "'t'", "'{\"a\": 1}'", "''",
		"'x''y'", "'[1]'", "123456789012345678", "-5", "5.0", "NULL", "'5'::INTEGER", "5 + 0"}
	shapes := []string{
		"SELECT id FROM docs WHERE id = %s",
		"SELECT id, year FROM docs WHERE year = %s",
		"SELECT count(*), max(year) FROM docs WHERE year > %s AND year < 3000 GROUP BY ok ORDER BY 1",
		"SELECT id FROM docs WHERE at >= %s ORDER BY id",
		"SELECT id FROM docs\n WHERE ok = %s",
		"SELECT id FROM docs WHERE more = %s",
		"SELECT word FROM lex WHERE word = %[1]s OR NOT (n <> %[1]s) ORDER BY word LIMIT 5;",
		"SELECT word, n FROM lex WHERE x = %s",
		"SELECT word, 10 / (n - 5) FROM lex WHERE n = %s ORDER BY 1",
		"SELECT a.word, b.id FROM lex a JOIN docs b ON a.n = b.year WHERE a.n = %[1]s AND b.year = %[1]s",
		"SELECT form FROM docs.tokens WHERE doc = %s AND tok <= 1",
		"SELECT x.n FROM (SELECT n, NULL AS none FROM lex) AS x WHERE none = %s",
		"SELECT none FROM lex WHERE n = %s",
		"SELECT n FROM lex WHERE\n none = %s",
		"SELECT n FROM lex WHERE 'a' = %s",
		"SELECT relname FROM pg_class WHERE relname = 'lex' AND relnatts > %s",
		"SELECT (SELECT max(n) FROM lex) FROM docs WHERE id = %s",
		"SELECT n = %s FROM lex",
		"SELECT n FROM lex WHERE n + 0 = 5 HAVING word = %s",
	}
	lifted := map[string]int{}
	for _, change := range []string{
		`DROP INDEX ON lex (n); ALTER CORPUS docs RENAME COLUMN year TO was; ALTER CORPUS docs ADD COLUMN year TEXT; UPDATE docs SET year = '5' WHERE id = '5'`, ""} {
		for i, shape := range shapes {
			for _, literal := range literals {
				statement := fmt.Sprintf(shape, literal)
				d.Foresee(statement)
				want, wantErr := c.Prepare(statement)
				got, gotErr := c.Wire().Immediate("SELECT 1;\n\n  " + statement)
				if wantErr != nil || gotErr != nil {
					t.Fatal(wantErr, gotErr)
				}
				last := got[len(got)-1]
				lifted[shape] += len(last.args)
				if in, ok := last.at.(inScript); ok {
					last.at = in.statement
				} else {
					last.at = nil
				}
				if diff := cmp.Diff(answer(t, want), answer(t, last)); diff != "" {
					t.Errorf("%s: %s", statement, diff)
				}
				wantAbout, wantErr := want.Describe(t.Context())
				gotAbout, gotErr := last.Describe(t.Context())
				if diff := cmp.Diff(fmt.Sprint(wantAbout), fmt.Sprint(gotAbout)); diff != "" ||
					(wantErr == nil) != (gotErr == nil) || wantErr != nil && told(wantErr) != told(gotErr) {
					t.Errorf("%s is described: %s %v, want %v", statement, diff, gotErr, wantErr)
				}
			}
			if took := lifted[shape] > 0; took != (i < 14 || i == 15 || i == 16) {
				t.Errorf("%s: lifted: %v", shape, took)
			}
		}
		if err := c.Script(t.Context(), change, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// TestImmediateComparedFollows what plans depend on: the catalog of a block, its end, settings, other sessions.
func TestImmediateComparedFollows(t *testing.T) {
	d, err := Open("", Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c, other := d.Conn(), d.Conn()
	queries := []string{"SELECT * FROM lex WHERE word = 'a'",
		"SELECT word FROM lex WHERE n >= 2 AND word <> 'b' ORDER BY n", "SELECT relname FROM pg_class WHERE relname = 'lex'",
		"SELECT l.n FROM public.lex l WHERE l.n = 3", "SELECT tok FROM docs.tokens WHERE form = 'Ann'"}
	for _, q := range queries {
		d.Foresee(q)
	}
	for _, change := range []string{
		"CREATE LEXICON lex (word TEXT, n INTEGER); INSERT INTO lex VALUES ('a', 1), ('b', 2), ('c', 3)",
		"CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('1', 'Ann')",
		"BEGIN", "DROP LEXICON lex; CREATE LEXICON lex (word TEXT, n TEXT); INSERT INTO lex VALUES ('a', '2'), ('c', '3')",
		"SAVEPOINT s; DROP LEXICON lex", "ROLLBACK TO s", "ROLLBACK",
		"CREATE INDEX ON lex (n)", "BEGIN; UPDATE lex SET n = n + 1", "CREATE INDEX ON lex (word)", "COMMIT",
		"SET rules_off = 'push'", "SET search_path = pg_catalog", "RESET search_path",
		"ALTER LEXICON lex RENAME COLUMN n TO m", "ALTER LEXICON lex ADD COLUMN n FLOAT; UPDATE lex SET n = 3",
		"DROP LEXICON lex",
	} {
		if err := c.Script(t.Context(), change, nil); err != nil {
			t.Fatal(change, err)
		}
		for _, q := range queries {
			for _, session := range []*Conn{c, other} {
				if session == c && session.Block() != NoBlock {
					if _, err := session.Exec(t.Context(), "SAVEPOINT q"); err != nil {
						t.Fatal(err)
					}
				}
				want, err := session.Prepare(q)
				if err != nil {
					t.Fatal(err)
				}
				wanted := answer(t, want)
				if session.Block() == FailedBlock {
					if _, err := session.Exec(t.Context(), "ROLLBACK TO q"); err != nil {
						t.Fatal(err)
					}
				}
				got, err := session.Wire().Immediate(q)
				if err != nil || len(got[0].args) == 0 {
					t.Fatalf("%s: %v, %d", q, err, len(got[0].args))
				}
				if diff := cmp.Diff(wanted, answer(t, got[0])); diff != "" {
					t.Errorf("%s after %s: %s", q, change, diff)
				}
				if session.Block() == FailedBlock {
					if _, err := session.Exec(t.Context(), "ROLLBACK TO q"); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
}

// TestImmediateText shows the text of a statement to logs and lists, and none of its arguments.
func TestImmediateText(t *testing.T) {
	d, err := Open("", Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	var told []string
	c.Wire().OnStatement(func(i StatementInfo) { told = append(told, i.Text(), fmt.Sprint(i.Params())) })
	const statement = "select statement from system.activity, tokens(text 'a' || 1)"
	rows, err := c.Query(t.Context(), statement)
	if err != nil {
		t.Fatal(err)
	}
	const want = "SELECT statement FROM system.activity, tokens(TEXT 'a1')"
	if !rows.Next() || rows.Values()[0].S != want {
		t.Errorf("it shows %v", rows.Values())
	}
	rows.Close()
	if diff := cmp.Diff([]string{want, "[]"}, told); diff != "" {
		t.Error(diff)
	}
	told = nil
	const compared = "SELECT statement FROM system.activity WHERE id > 0 AND statement <> 'x'"
	d.Foresee(compared)
	if rows, err = c.Query(t.Context(), compared); err != nil || !rows.Next() || rows.Values()[0].S != compared {
		t.Errorf("it shows %v, %v", rows.Values(), err)
	}
	rows.Close()
	if diff := cmp.Diff([]string{compared, "[]"}, told); diff != "" {
		t.Error(diff)
	}
}

// TestImmediateTakesNoArguments, though its tree has a parameter, and can be described.
func TestImmediateTakesNoArguments(t *testing.T) {
	d, err := Open("", Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	list, err := c.Wire().Immediate("SELECT form FROM tokens(TEXT 'Ann')")
	if err != nil || len(list) != 1 || len(list[0].args) != 1 {
		t.Fatalf("%v, %+v", err, list)
	}
	s := list[0]
	if about, err := s.Describe(t.Context()); s.NumParams() != 0 || err != nil || len(about.Params) != 0 ||
		len(about.Columns) != 1 {
		t.Errorf("%d parameters, %+v, %v", s.NumParams(), about, err)
	}
	var e *Error
	if _, err := s.Query(t.Context(), "Bob"); !errors.As(err, &e) || e.Code != "08P01" ||
		!strings.Contains(e.Message, "takes 0 arguments, 1 given") {
		t.Error(err)
	}
	if _, err := c.Exec(t.Context(), "ALTER SYSTEM SET max_statement_bytes = 1024"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Wire().Immediate("SELECT form FROM tokens(TEXT '" + strings.Repeat("a ", 600) + "')"); !errors.As(err,
		&e) || e.Code != "54000" {
		t.Errorf("a text longer than max_statement_bytes: %v", err)
	}
}

// BenchmarkImmediate runs statements that differ in their text.
func BenchmarkImmediate(b *testing.B) {
	d, err := Open("", Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	for b.Loop() {
		if _, err := c.Exec(b.Context(),
			fmt.Sprintf("SELECT form, tok FROM tokens(TEXT 'Ann flew to Oslo at %s.') WHERE tok > 1", time.Now())); err != nil {
			b.Fatal(err)
		}
	}
}

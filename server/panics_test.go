package server

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/db"
	"parlance/query/fn"
	"parlance/storage/value"
)

// brittle panics where it is told to: while it trains, annotates, is written or read.
type brittle struct {
	kind.Base
	at string
}

func (m *brittle) Options(s *option.Set) { s.Text(&m.at, "at", "", "where it panics") }

func (*brittle) Schema() kind.Schema {
	return kind.Schema{Writes: []kind.LayerUse{{Layer: "labels"}}}
}

func (m *brittle) unless(at string) {
	if m.at == at {
		panic("boom")
	}
}

func (m *brittle) Train(context.Context, *kind.Training) error {
	m.unless("train")
	return nil
}

func (m *brittle) Annotate(_ context.Context, docs []*text.Document, _ *kind.Run) error {
	if docs[0].ID != "d1" {
		m.unless("annotate")
	}
	return nil
}

func (m *brittle) Encode(w *kind.Writer) error {
	m.unless("encode")
	return w.JSON("at", m.at)
}

func (m *brittle) Decode(r *kind.Reader) error {
	err := r.JSON("at", &m.at)
	m.unless("decode")
	return err
}

// missing panics when the second of two files is opened, when the change that reads them is under way.
type missing struct{ db.Files }

func (f missing) Open(name string) (db.File, error) {
	if strings.HasSuffix(name, "2.tsv") {
		panic("boom")
	}
	return f.Files.Open(name)
}

// twoFiles writes two files of the same rows and returns the pattern of their names.
func twoFiles(t *testing.T, rows string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"1.tsv", "2.tsv"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(rows), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "?.tsv")
}

// TestPanics has functions, readers and kinds panic wherever statements run them, in goroutines of their own too: the
// statement fails with XX000 over the wire and within the program, and its session, the server and the others go on.
func TestPanics(t *testing.T) {
	boom := fn.Func{Name: "boom", Doc: "panics at some texts", Args: []value.Type{value.Text}, Result: value.Boolean,
		Eval: func(args []value.Value) (value.Value, error) {
			if args[0].S == "d4999" || args[0].S == "always" {
				panic("boom")
			}
			return value.Bool(true), nil
		}}
	k := kind.Kind{Name: "brittle", Doc: "panics", Revision: 1, New: func() kind.Model { return &brittle{} }}
	d, _, addr := startOver(t, db.Options{Functions: []fn.Func{boom}, Kinds: []kind.Kind{k}},
		Options{Files: missing{db.AllFiles}})
	embedded, wire, other := d.Conn(), connect(t, addr, ""), connect(t, addr, "")
	embedded.Files(missing{db.AllFiles})
	if err := embedded.Script(t.Context(),
		`CREATE CORPUS docs; CREATE LEXICON lex (word TEXT, n INTEGER); CREATE INDEX ON lex (n); CREATE KB facts; INSERT INTO facts.triples VALUES ('a', 'b', 'c');
		CREATE CORPUS gold; INSERT INTO gold (id, text) VALUES ('a', 'some words'); INSERT INTO gold.labels (doc, label) VALUES ('a', 'b');
		INSERT INTO docs (id, text) SELECT 'd' || n, 'some words' FROM generate_series(1, 5000) AS g(n);
		INSERT INTO lex SELECT 'd' || n, n FROM generate_series(1, 5000) AS g(n); TRAIN brittle AS m ON docs WITH (at = annotate)`, nil); err != nil {
		t.Fatal(err)
	}
	documents, pairs, triples, labels := twoFiles(t, "id\ttext\nx\tsome words\n"), twoFiles(t, "word\tn\nx\t1\n"),
		twoFiles(t, "a\tb\td\n"), twoFiles(t, "doc\tlabel\na\tb\n")
	for _, sql := range []string{
		"SELECT boom('always')",
		"SELECT id FROM docs WHERE boom(id)",
		"SELECT form FROM docs.tokens WHERE boom(doc)",
		"SELECT word FROM lex WHERE boom(word)",
		"SELECT word FROM lex WHERE n = 4999 AND boom(word)",
		"SELECT a.word FROM lex a JOIN lex b ON a.n = b.n AND boom(b.word)",
		"SELECT count(*) FROM lex GROUP BY boom(word)",
		"SELECT word FROM lex ORDER BY boom(word)",
		"SELECT row_number() OVER (ORDER BY boom(word)) FROM lex",
		"SELECT (SELECT max(n) FROM lex WHERE boom(word))",
		"SELECT form FROM tokens(TEXT 'always') WHERE boom(form)",
		"INSERT INTO lex SELECT word, 1 FROM lex WHERE boom(word)",
		"INSERT INTO lex VALUES ('d4999', 1) RETURNING boom(word)",
		"INSERT INTO docs (id, text) SELECT 'x' || word, 'a' FROM lex WHERE boom(word)",
		"CREATE LEXICON made AS SELECT word FROM lex WHERE boom(word)",
		"UPDATE lex SET n = 0 WHERE boom(word)",
		"UPDATE docs SET text = 'x' WHERE boom(id)",
		"DELETE FROM docs WHERE boom(id)",
		"UPDATE facts.triples SET object = 'd' WHERE boom('always')",
		"DELETE FROM facts.triples WHERE boom('always')",
		"COPY docs (id, text) FROM '" + documents + "' FORMAT tsv",
		"COPY docs FROM '" + documents + "' FORMAT tsv",
		"COPY lex FROM '" + pairs + "' FORMAT tsv",
		"COPY facts.triples (subject, relation, object) FROM '" + triples + "' FORMAT tsv WITH (header = false)",
		"COPY gold.labels (doc, label) FROM '" + labels + "' FORMAT tsv",
		"LOAD '" + documents + "' INTO docs FORMAT tsv",
		"LOAD '" + pairs + "' INTO lex FORMAT tsv",
		"LOAD '" + triples + "' INTO facts FORMAT triples",
		"EVALUATE m ON gold",
		"TUNE brittle ON gold VALIDATE ON gold OVER (at = (encode, none)) METRIC accuracy",
		"TUNE brittle ON gold WHERE boom('always') FOLDS 2 OVER (at = (train, none)) METRIC accuracy",
		"TRAIN brittle AS n ON docs WITH (at = train)",
		"TUNE brittle ON gold VALIDATE ON gold OVER (at = (train, encode)) METRIC accuracy",
		"TRAIN brittle AS n ON docs WITH (at = encode)",
		"TRAIN brittle AS n ON docs WHERE boom(id)",
		"SELECT label FROM docs.labels USING m",
		"SELECT label FROM labels(TEXT 'a') USING m",
		"ANNOTATE docs USING m",
		"TRAIN brittle AS n ON docs WITH (at = decode)",
	} {
		panicsOverTheWire(t, wire, sql)
		var e *db.Error
		rows, err := embedded.Query(t.Context(), sql)
		if err == nil {
			for rows.NextBatch() != nil {
			}
			err = rows.Close()
		}
		if !errors.As(err, &e) || e.Code != "XX000" {
			t.Errorf("within the program: %s: %v", sql, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for _, sql := range []string{
		"TRAIN brittle AS later ON docs WITH (at = train)",
		"TRAIN brittle AS later ON docs WITH (at = encode)",
		"TUNE brittle ON gold VALIDATE ON gold OVER (at = (train, encode)) METRIC accuracy",
		"TUNE brittle ON gold VALIDATE ON gold OVER (at = (encode, none)) METRIC accuracy",
	} {
		if _, err := wire.Exec(ctx, sql+" ASYNC"); err != nil {
			t.Errorf("%s ASYNC: %v", sql, err)
		}
	}
	if _, err := wire.Exec(ctx, "INSERT INTO lex VALUES ('x', 0); UPDATE docs SET text = 'x' WHERE id = 'd1'; INSERT "+
		"INTO facts.triples VALUES ('d', 'e', 'f')"); err != nil {
		t.Errorf("a change behind those that failed: %v", err)
	}
	for name, c := range map[string]*pgx.Conn{"the same": wire, "another": other, "a new": connect(t, addr, "")} {
		var n int
		if err := c.QueryRow(ctx, "SELECT count(*) FROM docs").Scan(&n); err != nil || n != 5000 {
			t.Errorf("%s connection: %d documents, %v", name, n, err)
		}
	}
}

// panicsOverTheWire runs a statement whose error tells that the program is at fault.
func panicsOverTheWire(t *testing.T, c *pgx.Conn, sql string) {
	t.Helper()
	var e *pgconn.PgError
	rows, err := c.Query(t.Context(), sql)
	if err == nil {
		for rows.Next() {
		}
		err = rows.Err()
	}
	if !errors.As(err, &e) || e.Code != "XX000" {
		t.Errorf("over the wire: %s: %v", sql, err)
	}
}

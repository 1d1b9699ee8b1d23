package server

import (
	"context"
	"errors"
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

// brittle panics where it is told to: while it trains, annotates, or is written.
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

func (m *brittle) Decode(r *kind.Reader) error { return r.JSON("at", &m.at) }

// TestPanics has functions and kinds panic wherever statements run them, in goroutines of their own too: the statement
// fails with XX000 over the wire and within the program, and its session, the server and the others go on.
func TestPanics(t *testing.T) {
	boom := fn.Func{Name: "boom", Doc: "panics at some texts", Args: []value.Type{value.Text}, Result: value.Boolean,
		Eval: func(args []value.Value) (value.Value, error) {
			if args[0].S == "d4999" || args[0].S == "always" {
				panic("boom")
			}
			return value.Bool(true), nil
		}}
	k := kind.Kind{Name: "brittle", Doc: "panics", Revision: 1, New: func() kind.Model { return &brittle{} }}
	d, _, addr := startOver(t, db.Options{Functions: []fn.Func{boom}, Kinds: []kind.Kind{k}}, Options{})
	embedded, wire, other := d.Conn(), connect(t, addr, ""), connect(t, addr, "")
	if err := embedded.Script(t.Context(),
		`CREATE CORPUS docs; CREATE LEXICON lex (word TEXT, n INTEGER); CREATE INDEX ON lex (n);
		INSERT INTO docs (id, text) SELECT 'd' || n, 'some words' FROM generate_series(1, 5000) AS g(n);
		INSERT INTO lex SELECT 'd' || n, n FROM generate_series(1, 5000) AS g(n); TRAIN brittle AS m ON docs WITH (at = annotate)`, nil); err != nil {
		t.Fatal(err)
	}
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
		"TRAIN brittle AS n ON docs WITH (at = train)",
		"TRAIN brittle AS n ON docs WITH (at = encode)",
		"TRAIN brittle AS n ON docs WHERE boom(id)",
		"SELECT label FROM docs.labels USING m",
		"SELECT label FROM labels(TEXT 'a') USING m",
		"ANNOTATE docs USING m",
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
	if _, err := wire.Exec(ctx, "TRAIN brittle AS later ON docs WITH (at = train) ASYNC"); err != nil {
		t.Error(err)
	}
	if _, err := wire.Exec(ctx,
		"INSERT INTO lex VALUES ('x', 0); UPDATE docs SET text = 'x' WHERE id = 'd1'"); err != nil {
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

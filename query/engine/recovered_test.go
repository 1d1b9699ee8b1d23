package engine

import (
	"context"
	"errors"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/change"
	"parlance/query/exec"
	"parlance/query/fn"
	"parlance/query/fn/builtin"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/guard"
	"parlance/storage/value"
)

// TestPanicsBesideStatements lets goroutines of statements panic: the statement fails, and the process goes on.
func TestPanicsBesideStatements(t *testing.T) {
	boom := fn.Func{Name: "boom", Doc: "panics at a text", Args: []value.Type{value.Text}, Result: value.Boolean,
		Eval: func(args []value.Value) (value.Value, error) {
			if args[0].S == "d9999" {
				panic("boom")
			}
			return value.Bool(true), nil
		}}
	_, do := over(t, emptyStore(t), boom)
	for _, sql := range []string{"CREATE CORPUS docs",
		"INSERT INTO docs (id, text) SELECT 'd' || n, 'some words' FROM generate_series(1, 9999) AS g(n)"} {
		if _, err := do(sql); err != nil {
			t.Fatal(err)
		}
	}
	_, scanned := do("SELECT form FROM docs.tokens t WHERE boom(t.doc)")
	broken := &exec.Execution{Session: &NewSession().Session}
	table, err := broken.Table(&plan.Table{Object: &catalog.Object{Name: "t"}, Need: []bool{true}})
	if err != nil {
		t.Fatal(err)
	}
	_, read := table.Next(context.Background())
	tokenized := change.TokeniseDocuments(broken, []*text.Document{{ID: "d", Text: "a"}}, []string{"f:1"}, "unicode")
	for name, err := range map[string]error{"columns": scanned, "table": read, "load": tokenized} {
		var p *guard.Panic
		if !errors.As(err, &p) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := table.Close(); err != nil {
		t.Error(err)
	}
}

// sizeless panics when it is asked for its size.
type sizeless struct{ kind.Base }

func (*sizeless) Options(*option.Set) {}

func (*sizeless) Schema() kind.Schema {
	return kind.Schema{Writes: []kind.LayerUse{{Layer: "labels"}}}
}

func (*sizeless) Train(context.Context, *kind.Training) error { return nil }

func (*sizeless) Annotate(context.Context, []*text.Document, *kind.Run) error { return nil }

func (*sizeless) Bytes() int64 { panic("boom") }

func (*sizeless) Encode(w *kind.Writer) error { return w.JSON("empty", 0) }

func (*sizeless) Decode(r *kind.Reader) error {
	var n int
	return r.JSON("empty", &n)
}

// TestPanicsOfLoading has a model whose size cannot be told: loading it fails, also for those who wait for it.
func TestPanicsOfLoading(t *testing.T) {
	funcs, err := builtin.NewTable()
	if err != nil {
		t.Fatal(err)
	}
	k := kind.Kind{Name: "sizeless", Doc: "has no size", Revision: 1, New: func() kind.Model { return &sizeless{} }}
	e, err := NewEngine(emptyStore(t), []kind.Kind{k}, funcs, "test")
	if err != nil {
		t.Fatal(err)
	}
	_, do := sessionOf(e)
	for _, sql := range []string{"CREATE CORPUS docs", "INSERT INTO docs (id, text) VALUES ('a', 'b')",
		"TRAIN sizeless AS m ON docs"} {
		if _, err := do(sql); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		var p *guard.Panic
		if _, err := do("SELECT * FROM docs.labels USING m"); !errors.As(err, &p) {
			t.Errorf("%v", err)
		}
	}
}

// brittle panics where it is told to: while it trains, annotates, or is written.
type brittle struct {
	kind.Base
	at string
}

func (m *brittle) Options(s *option.Set) { s.Text(&m.at, "at", "", "where it panics") }

func (*brittle) Schema() kind.Schema {
	return kind.Schema{Writes: []kind.LayerUse{{Layer: "labels"}}}
}

func (m *brittle) Train(context.Context, *kind.Training) error {
	if m.at == "train" {
		panic("boom")
	}
	return nil
}

func (m *brittle) Annotate(_ context.Context, docs []*text.Document, _ *kind.Run) error {
	if m.at == "annotate" && docs[0].ID == "d77" {
		panic("boom")
	}
	return nil
}

func (m *brittle) Encode(w *kind.Writer) error {
	if m.at == "encode" {
		panic("boom")
	}
	return w.JSON("at", m.at)
}

func (m *brittle) Decode(r *kind.Reader) error { return r.JSON("at", &m.at) }

// TestPanicsOfKinds has a kind panic in each of its parts, in the foreground, behind ASYNC, in TUNE and on several
// workers.
func TestPanicsOfKinds(t *testing.T) {
	funcs, err := builtin.NewTable()
	if err != nil {
		t.Fatal(err)
	}
	k := kind.Kind{Name: "brittle", Doc: "panics", Revision: 1, New: func() kind.Model { return &brittle{} }}
	e, err := NewEngine(emptyStore(t), []kind.Kind{k}, funcs, "test")
	if err != nil {
		t.Fatal(err)
	}
	ses, do := sessionOf(e)
	ses.Settings.Workers = 4
	for _, sql := range []string{"CREATE CORPUS docs",
		"INSERT INTO docs (id, text) SELECT 'd' || n, 'some words' FROM generate_series(1, 200) AS g(n)",
		"TRAIN brittle AS m ON docs WITH (at = annotate)"} {
		if _, err := do(sql); err != nil {
			t.Fatal(err)
		}
	}
	for _, sql := range []string{"TRAIN brittle AS n ON docs WITH (at = train)",
		"TRAIN brittle AS n ON docs WITH (at = encode)",
		"SELECT * FROM docs.labels USING m", "SELECT labels FROM docs USING m", "ANNOTATE docs USING m"} {
		var p *guard.Panic
		if _, err := do(sql); !errors.As(err, &p) {
			t.Errorf("%s: %v", sql, err)
		}
	}
	if _, err := do("TRAIN brittle AS later ON docs WITH (at = train) ASYNC"); err != nil {
		t.Error(err)
	}
	e.Close() // waits for the job; a panic of it that nobody recovers would end the test
}

package engine_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"parlance/algo"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/engine"
	"parlance/query/fn/builtin"
	"parlance/query/parse"
	"parlance/storage"
	"parlance/storage/value"
)

// session runs statements on a store of its own.
type session struct {
	t *testing.T
	e *engine.Engine
	s *engine.Session
}

func newSession(t *testing.T) session {
	t.Helper()
	return sessionOf(t, algo.Kinds())
}

// sessionOf has the kinds alone.
func sessionOf(t *testing.T, kinds []kind.Kind) session {
	t.Helper()
	s, err := storage.Open(filepath.Join(t.TempDir(), "x"), storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	funcs, err := builtin.NewTable()
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.NewEngine(s, kinds, funcs, "test")
	if err != nil {
		t.Fatal(err)
	}
	e.Parse = parse.Parse
	t.Cleanup(func() {
		e.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return session{t, e, engine.NewSession()}
}

// run gives the first row of a statement by column.
func (x session) run(text string) (map[string]value.Value, error) {
	x.t.Helper()
	stmt, err := parse.Parse(text)
	if err != nil {
		x.t.Fatal(err)
	}
	res, err := x.e.Execute(context.Background(), x.s, stmt, nil)
	if err != nil || res.Rows == nil {
		return nil, err
	}
	defer res.Rows.Close()
	b, err := res.Rows.Next(context.Background())
	if err != nil || b == nil {
		return nil, err
	}
	out := map[string]value.Value{}
	for i, v := range b.Row(nil, 0) {
		out[res.Columns[i].Name] = v
	}
	return out, nil
}

func (x session) must(texts ...string) {
	x.t.Helper()
	for _, text := range texts {
		if _, err := x.run(text); err != nil {
			x.t.Fatalf("%s: %v", text, err)
		}
	}
}

// drop deletes a version that the language protects.
func (x session) drop(name string, version int) {
	x.t.Helper()
	if err := x.e.Store.DropModelVersion(context.Background(), name, version); err != nil {
		x.t.Fatal(err)
	}
}

// TestReplayWithoutUpstream replays a model whose upstream is gone: a version of the same
// content stands for it unseen, another one with a note, and without any there is no training.
func TestReplayWithoutUpstream(t *testing.T) {
	x := newSession(t)
	tagger := "TRAIN maxent AS tagger ON tagged WITH (layer = 'upos', iterations = 5)"
	x.must("CREATE CORPUS tagged", "INSERT INTO tagged (id, text) VALUES ('t', 'Ann Lee flew to Oslo. Bob saw New York.')",
		"UPDATE tagged.tokens SET upos = 'PROPN' WHERE form ~ '^[A-Z]'", "UPDATE tagged.tokens SET upos = 'X' WHERE NOT "+
			"form ~ '^[A-Z]'", tagger,
		"CREATE CORPUS docs", "INSERT INTO docs (id, text) VALUES ('d', 'Ann slept in Oslo.')",
		"INSERT INTO docs.entities (doc, sent, tok_start, tok_end, label) VALUES ('d', 1, 1, 1, 'PER')",
		"TRAIN crf AS ner ON docs USING tagger WITH (layer = 'entities', iterations = 5, features = 'form[0], upos[-1..1]')",
		tagger, "TRAIN maxent AS tagger ON tagged WITH (layer = 'upos', iterations = 1, l2 = 50)")
	x.drop("tagger", 1)
	got, err := x.run("REPLAY ner")
	if err != nil || !got["equal"].Bool() || got["source_changed"].Bool() || !got["note"].IsNull() {
		t.Errorf("the same content under another number: %v, %v", got, err)
	}
	x.drop("tagger", 2)
	got, err = x.run("REPLAY ner")
	if err != nil || got["source_changed"].Bool() || got["note"].S != "tagger@1 is gone, tagger@3 stands for it" {
		t.Errorf("another content: %v, %v", got, err)
	}
	x.drop("tagger", 3)
	_, err = x.run("REPLAY ner")
	var e *ast.Error
	if !errors.As(err, &e) || e.Code != "42704" || !strings.Contains(e.Msg, "ner@1 cannot be trained again: it was "+
		"trained with tagger@1, which is gone") || e.Hint == "" {
		t.Errorf("without upstream: %v", err)
	}
}

// earlier is a model whose kind has an option only once later is set.
type earlier struct {
	kind.Model
	later *bool
}

func (m earlier) Options(s *option.Set) {
	m.Model.Options(s)
	if *m.later {
		s.Text(new(string), "polish", "much", "how much the weights are polished")
	}
}

// TestReplayOfLaterOptions tells which options a version was made without.
func TestReplayOfLaterOptions(t *testing.T) {
	later, k := false, kindtest.VoterKind()
	voter := k.New
	k.New = func() kind.Model { return earlier{voter(), &later} }
	x := sessionOf(t, []kind.Kind{k})
	x.must("CREATE CORPUS docs", "INSERT INTO docs (id, text) VALUES ('1', 'good food'), ('2', 'bad rain')",
		"INSERT INTO docs.labels (doc, label) VALUES ('1', 'plus'), ('2', 'minus')", "TRAIN "+k.Name+" AS m ON docs")
	if got, err := x.run("REPLAY m"); err != nil || !got["equal"].Bool() || !got["note"].IsNull() {
		t.Errorf("with the same options: %v, %v", got, err)
	}
	later = true
	if got, err := x.run("REPLAY m"); err != nil || got["note"].S != "the option polish came later and is 'much'" {
		t.Errorf("with an option more: %v, %v", got, err)
	}
}

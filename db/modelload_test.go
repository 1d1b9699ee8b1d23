package db_test

import (
	"context"
	"path/filepath"
	"sync/atomic"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/db"
)

// heldModel waits while it is decoded.
type heldModel struct {
	kind.Model
	armed   *atomic.Bool
	entered chan struct{}
	release chan struct{}
}

func (m *heldModel) Decode(r *kind.Reader) error {
	if m.armed.Load() {
		m.entered <- struct{}{}
		<-m.release
	}
	return m.Model.Decode(r)
}

// TestBindingReadsNoWeights: what a model reads and writes is recorded with it, so that statements are bound without
// its weights, also those that fail; not where another revision of the kind recorded it, which may have had another
// schema.
func TestBindingReadsNoWeights(t *testing.T) {
	file := filepath.Join(t.TempDir(), "models.parlance")
	k := kindtest.CorpusKind()
	opened := func() *db.DB {
		t.Helper()
		d, err := db.Open(file, db.Options{Kinds: []kind.Kind{k}})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	d := opened()
	script(t, d.Conn(), "CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'one'), ('b', 'two'); "+
		"TRAIN length_rank AS m ON docs")
	for _, c := range []struct {
		revision int
		query    string
		code     string
		loaded   string
	}{
		{k.Revision, "EXPLAIN SELECT * FROM docs.labels USING m", "", "0"},
		{k.Revision, "SELECT no_such FROM docs.labels USING m", "42703", "0"},
		{k.Revision, "SELECT * FROM docs.labels USING m", "", "1"},
		{k.Revision + 1, "EXPLAIN SELECT * FROM docs.labels USING m", "", "1"},
	} {
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		k.Revision = c.revision
		d = opened()
		if _, err := d.Exec(t.Context(), c.query); (c.code == "") != (err == nil) || err != nil && code(err) != c.code {
			t.Errorf("%s: %v", c.query, err)
		}
		if got := text(t, d.Conn(), "SELECT count(*) FROM system.loaded_models"); got != "count\n"+c.loaded+"\n" {
			t.Errorf("%s with revision %d has loaded %s", c.query, c.revision, got)
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestLoadingHoldsNobody uses a model while another is loaded; those who want that one wait for one
// load, or until they are cancelled.
func TestLoadingHoldsNobody(t *testing.T) {
	var armed atomic.Bool
	entered, release := make(chan struct{}, 4), make(chan struct{})
	held := kindtest.CorpusKind()
	make1 := held.New
	held.Name = "held"
	held.New = func() kind.Model { return &heldModel{make1(), &armed, entered, release} }
	d, err := db.Open("", db.Options{Kinds: []kind.Kind{held, kindtest.CorpusKind()}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	script(t, d.Conn(), "CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'one'), ('b', 'two'); TRAIN held "+
		"AS h ON docs; TRAIN length_rank AS m ON docs")
	armed.Store(true)
	first := later(d.Conn(), "SELECT count(*) FROM docs.labels USING h")
	second := later(d.Conn(), "SELECT count(*) FROM docs.labels USING h")
	<-entered
	annotate(t, d, "m")
	ctx, cancel := context.WithCancel(context.Background())
	third := make(chan error, 1)
	go func() {
		_, err := d.Exec(ctx, "SELECT count(*) FROM docs.labels USING h")
		third <- err
	}()
	cancel()
	if err := <-third; code(err) != "57014" {
		t.Errorf("cancelled while it waits for the model: %v", err)
	}
	close(release)
	for _, done := range []chan error{first, second} {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if len(entered) > 0 {
		t.Error("the model was loaded more than once")
	}
}

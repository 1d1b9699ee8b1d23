package db_test

import (
	"context"
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

package db_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	doctext "parlance/algo/text"
	"parlance/db"
)

// hookedModel calls the test before it annotates.
type hookedModel struct {
	kind.Model
	before func()
}

func (m *hookedModel) Annotate(ctx context.Context, docs []*doctext.Document, r *kind.Run) error {
	m.before()
	return m.Model.Annotate(ctx, docs, r)
}

// TestAnnotateBesideWriters changes, adds and deletes documents while ANNOTATE computes: what it stores is what
// the model says of the documents that are there when it ends.
func TestAnnotateBesideWriters(t *testing.T) {
	before, computed := func() {}, 0
	hooked := func(k kind.Kind) kind.Kind {
		inner := k.New
		k.New = func() kind.Model { return &hookedModel{inner(), func() { computed++; before() }} }
		return k
	}
	d, err := db.Open("",
		db.Options{Kinds: []kind.Kind{hooked(kindtest.MemoryKind()), hooked(kindtest.CorpusKind()),
			hooked(kindtest.GroupKind())}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	script(t, c, "SET workers = 1; SET cache = off")
	for _, k := range []string{"memory", "length_rank", "group_size"} {
		script(t, d.Conn(), `CREATE CORPUS docs (topic TEXT);
INSERT INTO docs (id, text, topic) VALUES ('a', 'one', 'x'), ('b', 'one two', 'x'), ('c', 'one two three', 'y'), ('d', 'one two three four', 'y');
TRAIN `+k+` AS m ON docs`)
		for _, change := range []string{
			"SELECT 1",
			"UPDATE docs SET topic = 'z' WHERE id = 'a'",
			"UPDATE docs SET text = 'one two three four five six' WHERE id = 'b'",
			"DELETE FROM docs WHERE id = 'c'",
			"INSERT INTO docs (id, text, topic) VALUES ('e', 'n', 'y')",
			"UPDATE docs SET topic = 'w'",
			"DELETE FROM docs WHERE id = 'a'; INSERT INTO docs (id, text, topic) VALUES ('a', 'again', 'x'), ('f', " +
				"'one two', 'x')",
			"DELETE FROM docs",
		} {
			computed = 0
			before = func() {
				before = func() {}
				if err := d.Conn().Script(context.Background(), change, nil); err != nil {
					t.Error(err)
				}
			}
			_, err := c.Exec(t.Context(), "ANNOTATE docs USING m")
			if err != nil {
				t.Fatal(k, change, err)
			}
			if change == "SELECT 1" && k == "memory" && computed != 4 {
				t.Errorf("%d documents were computed, there are 4", computed)
			}
			var stored, now int
			if err := one(t, c,
				"SELECT count(*) FROM docs.m s JOIN docs.labels p USING m ON p.doc = s.doc AND p.label = s.label", nil,
				&stored); err != nil {
				t.Fatal(err)
			}
			if err := one(t, c, "SELECT count(*) FROM docs", nil, &now); err != nil || stored != now {
				t.Errorf("%s beside %s: %d of %d documents have what the model says: %v", k, change, stored, now, err)
			}
		}
		script(t, d.Conn(), "CHECK DATABASE; DROP MODEL m; DROP CORPUS docs")
	}
}

// TestAnnotateStoresAllOrNothing names a model that cannot be stored after one that can.
func TestAnnotateStoresAllOrNothing(t *testing.T) {
	failing := false
	k := kindtest.CorpusKind()
	inner := k.New
	k.New = func() kind.Model {
		return &failingModel{inner(), &failing}
	}
	d, err := db.Open("", db.Options{Kinds: []kind.Kind{k, kindtest.MemoryKind()}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	script(t, d.Conn(), "CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'one'), ('b', 'two'); TRAIN "+
		"memory AS m ON docs; TRAIN length_rank AS r ON docs")
	failing = true
	if _, err := d.Exec(t.Context(), "ANNOTATE docs USING m, r"); err == nil || !strings.Contains(err.Error(), "no rank") {
		t.Fatal(err)
	}
	if _, err := d.Exec(t.Context(), "SELECT * FROM docs.m"); err == nil {
		t.Error("a failed ANNOTATE has stored a layer")
	}
	failing = false
	script(t, d.Conn(), "ANNOTATE docs USING m, r; ANNOTATE docs USING r, m; CHECK DATABASE")
	var n int
	if err := one(t, d.Conn(), "SELECT count(*) FROM docs.m a JOIN docs.r b ON a.doc = b.doc WHERE a.label = 'seen by 2'",
		nil, &n); err != nil || n != 2 {
		t.Error(n, err)
	}
}

var errNoRank = errors.New("no rank")

type failingModel struct {
	kind.Model
	failing *bool
}

func (m *failingModel) Annotate(ctx context.Context, docs []*doctext.Document, r *kind.Run) error {
	if *m.failing {
		return errNoRank
	}
	return m.Model.Annotate(ctx, docs, r)
}

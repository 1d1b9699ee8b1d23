package storage

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"testing"
	"time"

	"parlance/algo/text"
	"parlance/storage/catalog"
	"parlance/storage/documents"
	"parlance/storage/loading"
	"parlance/storage/sealed"
	"parlance/storage/value"

	"pgregory.net/rapid"
)

// drawChange makes random changes of a corpus under a context and of the map that says what it should hold.
func drawChange(t *rapid.T, ctx context.Context, s *Store, o *Object,
	now map[string]*text.Document) map[string]*text.Document {
	want := map[string]*text.Document{}
	for id, d := range now {
		want[id] = d
	}
	switch rapid.SampledFrom([]string{"insert", "replace", "delete"}).Draw(t, "change") {
	case "insert":
		l, err := s.NewLoad(ctx, o, loading.Options{OnConflict: "skip"})
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 4).Draw(t, "documents") {
			d := drawDocument(t, fmt.Sprintf("d%d", rapid.IntRange(0, 12).Draw(t, "id")))
			if err := l.Add(ctx, []*text.Document{d}, nil); err != nil {
				t.Fatal(err)
			}
			if want[d.ID] == nil {
				want[d.ID] = d
			}
		}
		if rapid.Bool().Draw(t, "give up") {
			l.Abort()
			return now
		}
		if _, err := l.Commit(ctx); err != nil {
			t.Fatal(err)
		}
	case "replace":
		var docs []*text.Document
		for id := range now {
			if rapid.Bool().Draw(t, "pick") {
				docs = append(docs, drawDocument(t, id))
				want[id] = docs[len(docs)-1]
			}
		}
		if err := s.ReplaceDocuments(ctx, o, docs); err != nil {
			t.Fatal(err)
		}
	case "delete":
		sn := s.Snapshot()
		if x := transaction(ctx); x != nil {
			sn.Close()
			sn = x.Capture(sn)
		}
		var seqs []uint64
		for id, d := range readSnapshot(t, sn, o) {
			if rapid.Bool().Draw(t, "pick") {
				seqs = append(seqs, d.Seq)
				delete(want, id)
			}
		}
		if n, err := s.DeleteDocuments(ctx, o, seqs); err != nil || n != len(seqs) {
			t.Fatalf("%d of %d deleted, %v", n, len(seqs), err)
		}
	}
	return want
}

// TestTransactionsAgainstMap: a transaction sees its changes, others see them at its end or never, and what is
// given up leaves nothing in the file.
func TestTransactionsAgainstMap(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		s, err := Open(filepath.Join(dir, fmt.Sprint(n)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { s.Close() }()
		o, err := s.CreateObject(background,
			Object{Name: "docs", Kind: catalog.CorpusObject,
				Columns: []catalog.ColumnDef{{Name: "split", Type: value.Text}, {Name: "n", Type: value.Integer}}})
		if err != nil {
			t.Fatal(err)
		}
		o = toggleIndex(t, s, o, []string{"n"})
		committed := drawChange(t, background, s, o, nil)
		tx, own := s.Begin(), committed
		mark, marked := Savepoint{}, own
		here := func() *Object { // the corpus as the transaction sees it
			sn := tx.Capture(new(Snapshot))
			defer sn.Close()
			o, _ := sn.Object("docs")
			return o
		}
		end := func(now map[string]*text.Document) {
			committed, own, marked = now, now, now
			tx, mark = s.Begin(), Savepoint{}
		}
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"change", "change", "change", "index", "index", "search", "mark", "back", "commit",
				"rollback", "reopen"}).Draw(t, "step") {
			case "change":
				own = drawChange(t, tx.Context(background), s, here(), own)
			case "index":
				toggleIndexWithin(t, tx.Context(background), s, here(),
					rapid.SampledFrom([][]string{{"n"}, {"split"}}).Draw(t, "columns"))
			case "search":
				toggleFulltext(t, tx, s, here())
			case "mark":
				mark, marked = tx.Savepoint(), own
			case "back":
				tx.RollbackTo(mark)
				own = marked
			case "commit":
				if err := tx.Commit(background); err != nil {
					t.Fatal(err)
				}
				end(own)
			case "rollback":
				tx.Rollback(background)
				end(committed)
			case "reopen": // as if the process had been killed
				s.Close()
				if s, err = Open(s.Path(), Options{}); err != nil {
					t.Fatal(err)
				}
				o, _ = s.Object("docs")
				end(committed)
			}
			same(t, readSnapshot(t, tx.Capture(new(Snapshot)), o), own)
			same(t, readAll(t, s, o), committed)
			selections(t, tx.Capture(new(Snapshot)), own)
			selections(t, s.Snapshot(), committed)
		}
		if rapid.Bool().Draw(t, "commit at the end") {
			if err := tx.Commit(background); err != nil {
				t.Fatal(err)
			}
			committed = own
		}
		tx.Rollback(background)
		if err := s.removeOrphans(background); err != nil {
			t.Fatal(err)
		}
		known := map[[2]uint32]bool{}
		for _, g := range s.state(background, o.ID).Gens {
			known[[2]uint32{o.ID, g.ID}] = true
		}
		if err := s.View(func(b *sealed.Tx) error {
			if lost := append(s.lostGenerations(b, maps.Clone(known)), s.lostParts(b)...); len(lost) > 0 {
				t.Fatalf("generations %v stay in the file", lost)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		s.Close()
		if s, err = Open(s.Path(), Options{}); err != nil {
			t.Fatal(err)
		}
		o, _ = s.Object("docs")
		same(t, readAll(t, s, o), committed)
		check(t, s)
	})
}

// toggleFulltext makes a full-text index of the texts in a transaction, or drops it.
func toggleFulltext(t *rapid.T, tx *Transaction, s *Store, o *Object) {
	sn := tx.Capture(new(Snapshot))
	_, there := sn.Indexed(o, "", "text")
	sn.Close()
	var err error
	if there {
		err = s.DropFulltext(tx.Context(background), o, "", "text")
	} else {
		err = s.CreateFulltext(tx.Context(background), o, documents.FulltextIndex{Column: "text", Case: "lower"})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestTransactionVersions: each state that a transaction shows has a number of its own.
func TestTransactionVersions(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	other, err := s.CreateObject(background, Object{Name: "other", Kind: catalog.CorpusObject})
	if err != nil {
		t.Fatal(err)
	}
	tx := s.Begin()
	seen := map[uint64]bool{}
	look := func(fresh bool) {
		t.Helper()
		sn := tx.Capture(new(Snapshot))
		defer sn.Close()
		if v := sn.Version(); seen[v] == fresh {
			t.Errorf("state %d, of %d", v, len(seen))
		}
		seen[sn.Version()] = true
	}
	look(true)
	look(false)
	insert := func(ctx context.Context, o *Object, id string) {
		if err := s.ReplaceDocuments(ctx, o, []*text.Document{simple(id, id)}); err != nil {
			t.Fatal(err)
		}
	}
	insert(tx.Context(background), o, "a")
	look(true)
	look(false)
	insert(background, other, "b")
	look(true)
	insert(tx.Context(background), o, "c")
	look(true)
	tx.RollbackTo(Savepoint{})
	tx.Rollback(background)
}

// TestTransactionsWait: a transaction keeps others from its corpora to its end; two that would wait for each other
// do not; who waits is stopped by its context and by lock_timeout.
func TestTransactionsWait(t *testing.T) {
	s := open(t)
	a := corpusOf(t, s)
	b, err := s.CreateObject(background, Object{Name: "other", Kind: catalog.CorpusObject})
	if err != nil {
		t.Fatal(err)
	}
	write := func(ctx context.Context, o *Object, id string) error {
		return s.ReplaceDocuments(ctx, o, []*text.Document{simple(id, id)})
	}
	one, two := s.Begin(), s.Begin()
	for _, err := range []error{write(one.Context(background), a, "1"), write(two.Context(background), b, "2")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := write(WithLockTimeout(background, time.Millisecond), a, "x"); !errors.Is(err, ErrLockTimeout) {
		t.Errorf("a third gets %v", err)
	}
	stopped, stop := context.WithCancel(background)
	stop()
	if err := write(stopped, a, "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("a stopped one gets %v", err)
	}
	waits := make(chan error)
	go func() { waits <- write(one.Context(background), b, "3") }()
	for awaits := false; !awaits; {
		s.corpora.mu.Lock()
		awaits = one.waiting
		s.corpora.mu.Unlock()
	}
	if err := write(two.Context(background), a, "4"); !errors.Is(err, ErrDeadlock) {
		t.Errorf("the one that closes the circle gets %v", err)
	}
	two.Rollback(background)
	if err := <-waits; err != nil {
		t.Error(err)
	}
	if err := one.Commit(background); err != nil {
		t.Error(err)
	}
	same(t, readAll(t, s, a), map[string]*text.Document{"1": simple("1", "1")})
	same(t, readAll(t, s, b), map[string]*text.Document{"3": simple("3", "3")})
	if err := write(background, a, "5"); err != nil {
		t.Error(err)
	}
}

// TestTransactionOfDropped: the changes of a transaction are published together or not at all.
func TestTransactionOfDropped(t *testing.T) {
	s := open(t)
	a := corpusOf(t, s)
	b, err := s.CreateObject(background, Object{Name: "other", Kind: catalog.CorpusObject})
	if err != nil {
		t.Fatal(err)
	}
	tx := s.Begin()
	for _, o := range []*Object{a, b} {
		if err := s.ReplaceDocuments(tx.Context(background), o, []*text.Document{simple("x", "x")}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.dropEntry("other", b.ID); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(background); !errors.Is(err, ErrNotFound) {
		t.Errorf("committing gives %v", err)
	}
	same(t, readAll(t, s, a), nil)
	if n := keys(t, s, bucketSegment); n != 0 {
		t.Errorf("%d blocks stay", n)
	}
}

// TestTransactionGoesBack: what was undone is not in the file either.
func TestTransactionGoesBack(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	insertDocuments(t, s, o, simple("a", "a"), simple("b", "b"))
	seq := readAll(t, s, o)["a"].Seq
	tx := s.Begin()
	if _, err := s.DeleteDocuments(tx.Context(background), o, []uint64{seq}); err != nil {
		t.Fatal(err)
	}
	tx.RollbackTo(Savepoint{})
	if err := s.ReplaceDocuments(tx.Context(background), o, []*text.Document{simple("c", "c")}); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(background); err != nil {
		t.Fatal(err)
	}
	s = reopen(t, s)
	o, _ = s.Object("docs")
	same(t, readAll(t, s, o), map[string]*text.Document{"a": simple("a", "a"), "b": simple("b", "b"),
		"c": simple("c", "c")})
}

package storage

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"parlance/algo/text"
	"parlance/storage/catalog"
	"parlance/storage/loading"
	"parlance/storage/value"

	"pgregory.net/rapid"
)

// catalogModel is what a catalog should hold: kinds and numbers of documents or rows by name.
type catalogModel map[string]struct {
	kind catalog.ObjectKind
	n    int
}

// seen is the catalog of a snapshot.
func seen(sn *Snapshot) catalogModel {
	defer sn.Close()
	out := catalogModel{}
	for _, o := range sn.Objects("") {
		x := out[o.Name]
		x.kind = o.Kind
		if o.Kind == catalog.CorpusObject {
			x.n = sn.Count(o)
		} else {
			x.n = sn.TableCount(filledOf(o))
		}
		out[o.Name] = x
	}
	return out
}

// filledOf is the table of an object that rows are added to.
func filledOf(o *Object) *Object {
	if o.Kind == catalog.KBObject {
		return o.Table(catalog.Rules)
	}
	return o
}

var someObjects = []Object{
	{Kind: catalog.CorpusObject},
	{Kind: catalog.LexiconObject, Columns: []catalog.ColumnDef{{Name: "word", Type: value.Text}},
		Indexes: [][]string{{"word"}}},
	catalog.NewKB("", nil),
	{Kind: catalog.FeaturesObject, Source: "form[0]"},
}

// TestTransactionsOfCatalog: a transaction sees the objects that it makes and not those that it drops, others at its
// end or never, and what is given up leaves nothing in the file.
func TestTransactionsOfCatalog(t *testing.T) {
	dir, n := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		path := filepath.Join(dir, fmt.Sprint(n))
		s, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { s.Close() }()
		committed := catalogModel{}
		for _, name := range rapid.SampledFrom([][]string{nil, {"a"}, {"a", "b"}}).Draw(t, "committed") {
			o := rapid.SampledFrom(someObjects).Draw(t, "object")
			if o.Name = name; o.Kind == catalog.KBObject {
				o = catalog.NewKB(name, nil)
			}
			if _, err := s.CreateObject(background, o); err != nil {
				t.Fatal(err)
			}
			committed[name] = catalogModel{name: {kind: o.Kind}}[name]
		}
		own, marked := maps.Clone(committed), maps.Clone(committed)
		tx, mark := s.Begin(), Savepoint{}
		ends := func(now catalogModel) {
			committed, own, marked = maps.Clone(now), now, maps.Clone(now)
			tx, mark = s.Begin(), Savepoint{}
		}
		docs := 0
		for range rapid.IntRange(1, 10).Draw(t, "steps") {
			ctx, name := tx.Context(background), rapid.SampledFrom([]string{"a", "b"}).Draw(t, "name")
			sn := tx.Capture(new(Snapshot))
			o, there := sn.Object(name)
			sn.Close()
			switch rapid.SampledFrom([]string{"create", "create", "change", "change", "change", "drop", "drop", "mark", "back",
				"commit", "commit", "rollback", "kill", "other"}).Draw(t, "step") {
			case "create":
				o := rapid.SampledFrom(someObjects).Draw(t, "object")
				o.Name = name
				if o.Kind == catalog.KBObject {
					o = catalog.NewKB(name, nil)
				}
				if _, err := s.CreateObject(ctx, o); there != errors.Is(err, ErrExists) || !there && err != nil {
					t.Fatalf("%s is there: %v, but %v", name, there, err)
				}
				if !there {
					own[name] = catalogModel{name: {kind: o.Kind}}[name]
				}
			case "change":
				if !there || o.Kind == catalog.FeaturesObject {
					continue
				}
				docs++
				x := own[name]
				x.n++
				own[name] = x
				row := texts(fmt.Sprint("w", docs))
				switch o.Kind {
				case catalog.CorpusObject:
					l, err := s.NewLoad(ctx, o, loading.Options{OnConflict: "error"})
					if err == nil {
						err = errors.Join(l.Add(ctx, docsOf(docs), nil), second(l.Commit(ctx)))
					}
					if err != nil {
						t.Fatal(err)
					}
					continue
				case catalog.KBObject:
					row = append(row, value.Real(1))
				}
				if _, err := s.InsertRows(ctx, filledOf(o), [][]value.Value{row}); err != nil {
					t.Fatal(err)
				}
			case "drop":
				if err := s.DropObject(ctx, name); there != (err == nil) || !there && !errors.Is(err, ErrNotFound) {
					t.Fatalf("%s is there: %v, but %v", name, there, err)
				}
				delete(own, name)
			case "mark":
				mark, marked = tx.Savepoint(), maps.Clone(own)
			case "back":
				tx.RollbackTo(mark)
				own = maps.Clone(marked)
			case "commit":
				if err := tx.Commit(background); err != nil {
					t.Fatal(err)
				}
				ends(own)
			case "rollback":
				tx.Rollback(background)
				ends(maps.Clone(committed))
			case "kill":
				s.Close()
				if s, err = Open(path, Options{}); err != nil {
					t.Fatal(err)
				}
				ends(maps.Clone(committed))
			case "other": // cannot take the name of what is there or coming
				_, mine := own[name]
				if _, known := committed[name]; !known && !mine {
					continue
				}
				if _, err := s.CreateObject(background, Object{Name: name, Kind: catalog.FeaturesObject}); !errors.Is(err,
					ErrExists) &&
					!errors.Is(err, ErrNamePending) {
					t.Fatalf("%s is made twice: %v", name, err)
				}
			}
			if got := seen(tx.Capture(new(Snapshot))); !maps.Equal(got, own) {
				t.Fatalf("the transaction sees %v, want %v", got, own)
			}
			if got := seen(s.Snapshot()); !maps.Equal(got, committed) {
				t.Fatalf("others see %v, want %v", got, committed)
			}
		}
		tx.Rollback(background)
		if err := s.CheckDatabase(background, func(m string) { t.Errorf("check: %s", m) }); err != nil {
			t.Fatal(err)
		}
		for _, name := range slices.Sorted(maps.Keys(committed)) {
			if err := s.DropObject(background, name); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Collect(background); err != nil {
			t.Fatal(err)
		}
		nothingLeft(t, s)
	})
}

// TestFilledObjectsAreSeenWhole: a snapshot from before an object was filled does not find it, later ones find it
// whole.
func TestFilledObjectsAreSeenWhole(t *testing.T) {
	s := open(t)
	for name, publish := range map[string]func(o Object) error{
		"in a transaction": func(o Object) error {
			tx := s.Begin()
			made, err := s.CreateObject(tx.Context(background), o)
			if err == nil {
				_, err = s.InsertRows(tx.Context(background), made, [][]value.Value{texts("a")})
			}
			return errors.Join(err, tx.Commit(background))
		},
		"prepared": func(o Object) error {
			made, err := s.CreateHidden(background, o)
			if err == nil {
				_, err = s.InsertRows(background, made, [][]value.Value{texts("a")})
			}
			return errors.Join(err, s.PublishObject(background, made))
		},
	} {
		before := s.Snapshot()
		if err := publish(Object{Name: name, Kind: catalog.LexiconObject,
			Columns: []catalog.ColumnDef{{Name: "word", Type: value.Text}}}); err != nil {
			t.Fatal(err)
		}
		if _, ok := before.Object(name); ok || seen(before)[name].n > 0 {
			t.Errorf("%s: it is found in the state before", name)
		}
		if got := seen(s.Snapshot())[name]; got.n != 1 {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestTransactionTakesNames: nobody else gives an object a name that a transaction makes, or gives to another object.
func TestTransactionTakesNames(t *testing.T) {
	s := open(t)
	if _, err := s.CreateObject(background, Object{Name: "other", Kind: catalog.CorpusObject}); err != nil {
		t.Fatal(err)
	}
	tx := s.Begin()
	for _, name := range []string{"a", "b"} {
		if _, err := s.CreateObject(tx.Context(background), Object{Name: name, Kind: catalog.CorpusObject}); err != nil {
			t.Fatal(err)
		}
	}
	other := object(t, s, "other")
	if err := s.RenameObject(background, other, "b"); !errors.Is(err, ErrNamePending) {
		t.Error("a name that is made:", err)
	}
	if err := s.RenameObject(tx.Context(background), other, "c"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.CreateObject(background, Object{Name: "c", Kind: catalog.CorpusObject}); !errors.Is(err,
		ErrNamePending) {
		t.Error("a name that is given:", err)
	}
	if _, err := s.CreateObject(tx.Context(background), Object{Name: "other", Kind: catalog.LexiconObject}); err != nil {
		t.Error("a name that is free for the transaction:", err)
	}
	if err := tx.Commit(background); err != nil {
		t.Fatal(err)
	}
	tx = s.Begin()
	if err := s.RenameObject(tx.Context(background), object(t, s, "c"), "d"); err != nil {
		t.Fatal(err)
	}
	tx.Rollback(background)
	if _, err := s.CreateObject(background, Object{Name: "d", Kind: catalog.FeaturesObject}); err != nil {
		t.Error("a name that was given back:", err)
	}
	want := catalogModel{"a": {kind: catalog.CorpusObject}, "b": {kind: catalog.CorpusObject},
		"c": {kind: catalog.CorpusObject},
		"d": {kind: catalog.FeaturesObject}, "other": {kind: catalog.LexiconObject}}
	for _, s := range []*Store{s, reopen(t, s)} {
		if got := seen(s.Snapshot()); !maps.Equal(got, want) {
			t.Errorf("the catalog has %v", got)
		}
	}
}

// TestTransactionReplacesObjects: an object that takes the place of a committed one in a transaction is seen by all at
// its end, and of what was dropped, committed or not, nothing stays.
func TestTransactionReplacesObjects(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	insertDocuments(t, s, o, simple("a", "a"))
	before := s.CatalogVersion()
	tx := s.Begin()
	ctx := tx.Context(background)
	if err := s.DropObject(ctx, "docs"); err != nil {
		t.Fatal(err)
	}
	own, err := s.CreateObject(ctx, Object{Name: "own", Kind: catalog.CorpusObject})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.ReplaceDocuments(ctx, own, []*text.Document{simple("b", "b")}); err != nil {
		t.Fatal(err)
	}
	if err := s.DropObject(ctx, "own"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.CreateObject(ctx, Object{Name: "docs", Kind: catalog.FeaturesObject}); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(background); err != nil {
		t.Fatal(err)
	}
	if s.CatalogVersion() == before {
		t.Error("the catalog has the version of before")
	}
	if got, want := seen(s.Snapshot()), (catalogModel{"docs": {kind: catalog.FeaturesObject}}); !maps.Equal(got, want) {
		t.Errorf("the catalog has %v", got)
	}
	if err := s.Collect(background); err != nil {
		t.Fatal(err)
	}
	checked(t, s)
	if n := keys(t, s, bucketSegment); n != 0 {
		t.Errorf("%d blocks of what was dropped stay", n)
	}
}

// TestTransactionDropsWhatWasDropped: of two that drop an object the second fails.
func TestTransactionDropsWhatWasDropped(t *testing.T) {
	s := open(t)
	corpusOf(t, s)
	tx := s.Begin()
	if err := s.DropObject(tx.Context(background), "docs"); err != nil {
		t.Fatal(err)
	}
	if err := s.dropEntry("docs", object(t, s, "docs").ID); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(background); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	checked(t, s)
}

// TestTransactionUndoesMaking: what was made and changed after a mark does not keep the rest from being published, and
// columns that a load has added are gone with it.
func TestTransactionUndoesMaking(t *testing.T) {
	s := open(t)
	tx := s.Begin()
	ctx := tx.Context(background)
	make := func(name string) *Object {
		o, err := s.CreateObject(ctx, Object{Name: name, Kind: catalog.CorpusObject})
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	fill := func(o *Object, id int, column string) {
		l, err := s.NewLoad(ctx, o, loading.Options{OnConflict: "error"})
		if err == nil {
			err = errors.Join(l.AddColumn(catalog.ColumnDef{Name: column, Type: value.Text}), l.Add(ctx, docsOf(id), nil),
				second(l.Commit(ctx)))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	now := func() *Object {
		sn := tx.Capture(new(Snapshot))
		defer sn.Close()
		o, _ := sn.Object("docs")
		return o
	}
	fill(make("docs"), 1, "split")
	mark := tx.Savepoint()
	fill(now(), 2, "source")
	fill(make("lost"), 3, "split")
	tx.RollbackTo(mark)
	fill(now(), 4, "year")
	if err := tx.Commit(background); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Store{s, reopen(t, s)} {
		if o := object(t, s, "docs"); len(o.Columns) != 2 || o.Column("split") != 0 || o.Column("year") != 1 {
			t.Errorf("columns %v", o.Columns)
		}
		if got := seen(s.Snapshot()); len(got) != 1 || got["docs"].n != 2 {
			t.Errorf("the catalog has %v", got)
		}
	}
}

// TestCatalogVersionsOfTransactions: each catalog that a transaction shows has a number of its own.
func TestCatalogVersionsOfTransactions(t *testing.T) {
	s := open(t)
	tx := s.Begin()
	known := map[uint64]bool{}
	look := func(fresh bool) {
		t.Helper()
		sn := tx.Capture(new(Snapshot))
		defer sn.Close()
		if v := sn.CatalogVersion(); known[v] == fresh {
			t.Errorf("catalog %d, of %d", v, len(known))
		}
		known[sn.CatalogVersion()] = true
	}
	look(true)
	if _, err := s.CreateObject(tx.Context(background), Object{Name: "a", Kind: catalog.CorpusObject}); err != nil {
		t.Fatal(err)
	}
	look(true)
	look(false)
	if _, err := s.CreateObject(background, Object{Name: "b", Kind: catalog.CorpusObject}); err != nil {
		t.Fatal(err)
	}
	look(true)
	if err := s.DropObject(tx.Context(background), "a"); err != nil {
		t.Fatal(err)
	}
	look(true)
	tx.Rollback(background)
}

func second[T any](_ T, err error) error { return err }

func docsOf(n int) []*text.Document { return []*text.Document{parsed(fmt.Sprint("d", n), 2, 0, 2)} }

// nothingLeft fails if objects without an entry have something in the file.
func nothingLeft(t fatal, s *Store) {
	stats, err := s.FileStats()
	if err != nil {
		t.Fatalf("%v", err)
	}
	for _, b := range []string{"cat", "table", "index", "seg", "dir"} {
		if n := stats.Buckets[b]; n > 0 {
			t.Fatalf("%d keys are left in bucket %s", n, b)
		}
	}
}

package storage

import (
	"errors"
	"testing"

	"parlance/storage/catalog"
	"parlance/storage/value"
)

// TestPreparedObject fills objects before they have a name: a killed process and one that gives up leave
// nothing, and nobody makes another of the name meanwhile.
func TestPreparedObject(t *testing.T) {
	s := open(t)
	table := Object{Name: "names", Kind: catalog.LexiconObject, Columns: []catalog.ColumnDef{{Name: "name",
		Type: value.Text}}}
	prepare := func() *Object {
		o, err := s.CreateHidden(background, table)
		if err != nil {
			t.Fatal(err)
		}
		insert(t, s, o, texts("a"), texts("b"))
		c, err := s.CreateHidden(background, Object{Name: "docs", Kind: catalog.CorpusObject})
		if err != nil {
			t.Fatal(err)
		}
		insertDocuments(t, s, c, parsed("d1", 2, 0, 2))
		if _, ok := s.Object("names"); ok || len(s.Objects("")) > 0 {
			t.Fatal("the catalog has an object that is being filled")
		}
		if err := s.DiscardObject(background, c); err != nil {
			t.Fatal(err)
		}
		return o
	}
	empty := func(s *Store) {
		stats, err := s.FileStats()
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range []string{"cat", "table", "index", "seg", "dir"} {
			if n := stats.Buckets[b]; n > 0 {
				t.Errorf("%d keys are left in bucket %s", n, b)
			}
		}
	}
	o := prepare()
	empty(imageOf(t, s))
	if err := s.DiscardObject(background, o); err != nil {
		t.Fatal(err)
	}
	empty(s)

	o = prepare()
	if err := s.PublishObject(background, o); err != nil {
		t.Fatal(err)
	}
	if n := len(scan(t, s, object(t, s, "names"))); n != 2 {
		t.Errorf("%d rows", n)
	}
	if _, err := s.CreateHidden(background, table); !errors.Is(err, ErrExists) {
		t.Error("the name of another object:", err)
	}
	if err := s.DropObject(background, "names"); err != nil {
		t.Fatal(err)
	}
	o = prepare()
	if _, err := s.CreateObject(background, table); !errors.Is(err, ErrNamePending) {
		t.Error("the name of an object that is being filled:", err)
	}
	other := table
	other.Name = "other"
	if _, err := s.CreateObject(background, other); err != nil {
		t.Fatal(err)
	}
	if err := s.RenameObject(background, object(t, s, "other"), "names"); !errors.Is(err, ErrNamePending) {
		t.Error("the name of an object that is being filled, for another:", err)
	}
	if err := s.DiscardObject(background, o); err != nil {
		t.Fatal(err)
	}
	if err := s.RenameObject(background, object(t, s, "other"), "names"); err != nil {
		t.Error("a name that was given up:", err)
	}
	checked(t, s)
	s = reopen(t, s)
	if n := len(scan(t, s, object(t, s, "names"))); n != 0 {
		t.Errorf("%d rows of another object", n)
	}
}

package storage

import (
	"maps"
	"os"
	"slices"
	"testing"

	"parlance/storage/catalog"
	"parlance/storage/dbfile"
	"parlance/storage/sealed"
	"parlance/storage/table"
	"parlance/storage/value"

	"github.com/google/go-cmp/cmp"
)

// killed is a file with blocks of a load, index entries of a dropped corpus and the state of a dropped table that
// nothing removes yet, and the number of that table.
func killed(t *testing.T) (s *Store, o *Object, before map[uint64][]value.Value, dropped uint32) {
	t.Helper()
	s = open(t)
	o = tableOf(t, s, []string{"name"})
	insert(t, s, o, rowsOf(20)...)
	before = scan(t, s, o)
	l, err := s.NewTableLoad(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Add(background, rowsOf(20000), nil); err != nil {
		t.Fatal(err)
	}
	if err := l.d.Flush(); err != nil {
		t.Fatal(err)
	}
	l.unlock()
	dropped = o.ID + 50
	err = s.Update(func(tx *sealed.Tx) error {
		if err := (&table.State{Next: 7}).Put(tx, dropped-1); err != nil {
			return err
		}
		return tx.Bucket(bucketIndex).Put(dbfile.Key(dropped, 7), []byte{})
	})
	if err == nil {
		err = s.readTables()
	}
	if err == nil {
		err = s.readOrphanedBlocks()
	}
	if err != nil {
		t.Fatal(err)
	}
	return s, o, before, dropped
}

// TestLeftoversUnread reads and writes a table before anything is removed.
func TestLeftoversUnread(t *testing.T) {
	s, o, before, dropped := killed(t)
	if diff := cmp.Diff(before, scan(t, s, o)); diff != "" {
		t.Fatal(diff)
	}
	other, err := s.CreateObject(background, Object{Name: "other", Kind: catalog.GazetteerObject, Columns: o.Columns})
	if err != nil || other.ID <= dropped {
		t.Fatalf("a new table has the number %d, which a dropped one had: %v", other.ID, err)
	}
	for _, row := range before {
		row[1] = value.Int(5)
	}
	ids := slices.Sorted(maps.Keys(before))
	rows := make([][]value.Value, len(ids))
	for i, id := range ids {
		rows[i] = before[id]
	}
	if err := s.UpdateRows(background, o, ids, rows); err != nil {
		t.Fatal(err)
	}
	insert(t, s, o, rowOf("new", 1))
	before[20] = rowOf("new", 1)
	if diff := cmp.Diff(before, scan(t, s, o)); diff != "" {
		t.Fatal(diff)
	}
	checked(t, s)
}

// TestCleaner removes everything in the background.
func TestCleaner(t *testing.T) {
	s, o, before, _ := killed(t)
	s.removeOrphansSoon()
	s.cleaner.ended.Wait()
	if diff := cmp.Diff(before, scan(t, s, o)); diff != "" {
		t.Fatal(diff)
	}
	if n := keys(t, s, bucketIndex); n != 0 {
		t.Errorf("%d index entries are there", n)
	}
	tablesTidy(t, s)
	checked(t, s)
}

// TestCleanerFails counts what it cannot remove, for want of the file, and removes it once the file is back.
func TestCleanerFails(t *testing.T) {
	s, _, _, _ := killed(t)
	var told error
	s.cleaner.report = func(err error) { told = err }
	away := s.Path() + ".away"
	if err := os.Rename(s.Path(), away); err != nil {
		t.Fatal(err)
	}
	s.removeOrphansSoon()
	s.cleaner.ended.Wait()
	if n := s.Statistics().CleanFailures; n != 1 || told == nil || !s.hasOrphans() {
		t.Errorf("%d failures, told of %v", n, told)
	}
	if err := os.Rename(away, s.Path()); err != nil {
		t.Fatal(err)
	}
	s.removeOrphansSoon()
	s.cleaner.ended.Wait()
	if n := s.Statistics().CleanFailures; n != 1 || s.hasOrphans() {
		t.Errorf("%d failures", n)
	}
	checked(t, s)
}

// TestCollectedElsewhere drops a table while somebody else removes what may be much.
func TestCollectedElsewhere(t *testing.T) {
	s := open(t)
	o := tableOf(t, s)
	insert(t, s, o, rowsOf(20)...)
	s.corpora.collecting.Lock()
	err := s.DropObject(background, o.Name) // does not wait
	s.corpora.collecting.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	s.cleaner.ended.Wait()
	if n := keys(t, s, bucketSegment); n > 0 {
		t.Errorf("%d blocks are left", n)
	}
}

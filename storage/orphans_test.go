package storage

import (
	"maps"
	"os"
	"slices"
	"testing"
	"time"

	"parlance/storage/sealed"
	"parlance/storage/value"

	"github.com/google/go-cmp/cmp"
)

// killed is a file with rows of a load, index entries and a dropped table that nothing removes yet, and the number of
// that table.
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
	if err := l.Add(background, rowsOf(100), nil); err != nil {
		t.Fatal(err)
	}
	if err := l.flush(background); err != nil {
		t.Fatal(err)
	}
	l.unlock()
	dropped = o.ID + 50
	err = s.update(func(tx *sealed.Tx) error {
		if err := tx.Bucket(bucketTable).Put(rowKey(dropped-1, 7), []byte("row")); err != nil {
			return err
		}
		for _, id := range []uint32{o.ID, dropped} { // of an index that was not finished, and of a dropped table
			if err := tx.Bucket(bucketIndex).Put(rowKey(id, 7<<32), []byte{}); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = s.readTables()
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
	other, err := s.CreateObject(background, Object{Name: "other", Kind: GazetteerObject, Columns: o.Columns})
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
	if n := keys(t, s, bucketTable); n != 21 { // with the one of the dropped table
		t.Errorf("%d rows after an UPDATE", n)
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
	if n, m := keys(t, s, bucketTable), keys(t, s, bucketIndex); n != 20 || m != 20 || s.hasOrphans() {
		t.Errorf("%d rows and %d index entries are there", n, m)
	}
	checked(t, s)
}

// TestCleanerFails counts what it cannot remove, for want of the file, and removes it once the file is back.
func TestCleanerFails(t *testing.T) {
	s, _, _, _ := killed(t)
	away := s.path + ".away"
	if err := os.Rename(s.path, away); err != nil {
		t.Fatal(err)
	}
	s.removeOrphansSoon()
	s.cleaner.ended.Wait()
	if n := s.Statistics().CleanFailures; n != 1 || !s.hasOrphans() {
		t.Errorf("%d failures", n)
	}
	if err := os.Rename(away, s.path); err != nil {
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
	if n := keys(t, s, bucketTable); n > 0 {
		t.Errorf("%d rows are left", n)
	}
}

// TestCleanerReports tells of what cannot be removed, and counts it.
func TestCleanerReports(t *testing.T) {
	s, o, _, _ := killed(t)
	damaged := rowKey(o.ID, 1000)
	put := func(f func(*sealed.Bucket) error) {
		t.Helper()
		if err := s.update(func(tx *sealed.Tx) error { return f(tx.Bucket(bucketTable)) }); err != nil {
			t.Fatal(err)
		}
	}
	put(func(b *sealed.Bucket) error { return b.Put(damaged, []byte{255}) })
	var told error
	s.cleaner.report = func(err error) { told = err }
	s.removeOrphansSoon()
	s.cleaner.ended.Wait()
	if n := s.Statistics().CleanFailures; told == nil || n != 1 {
		t.Errorf("told of %v, counted %d", told, n)
	}
	put(func(b *sealed.Bucket) error { return b.Delete(damaged) })
	s.removeOrphansSoon()
	s.cleaner.ended.Wait()
	if n := s.Statistics().CleanFailures; n != 1 || s.hasOrphans() {
		t.Errorf("counted %d", n)
	}
}

// TestShortSlices ends a transaction that moves many rows early where another one waits.
func TestShortSlices(t *testing.T) {
	s := open(t)
	o := tableOf(t, s, []string{"name"})
	insert(t, s, o, rowsOf(3000)...)
	old := s.Snapshot() // keeps what is staged where it is
	before := scan(t, s, o)
	ids := slices.Sorted(maps.Keys(before))
	rows := make([][]value.Value, len(ids))
	for i, id := range ids {
		rows[i] = slices.Clone(before[id])
		rows[i][1] = value.Int(-1)
		before[id] = rows[i]
	}
	s.fewRows = 500
	if err := s.UpdateRows(background, o, ids, rows); err != nil {
		t.Fatal(err)
	}
	s.fewRows = 0
	staged := keys(t, s, bucketPending)
	for _, waiting := range []int32{1, 0} {
		err := s.update(func(tx *sealed.Tx) error {
			s.waiting.Add(waiting)
			defer s.waiting.Add(-waiting)
			_, _, err := s.moveSome(background, tx, o, s.pendingOf(o)[0], time.Now().Add(-time.Minute))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		if waiting > 0 {
			want = staged - mergeBatchRows
		}
		if n := keys(t, s, bucketPending); staged != 3000 || n != want {
			t.Fatalf("%d of %d rows stay staged while %d wait", n, staged, waiting)
		}
	}
	old.Close()
	if diff := cmp.Diff(before, scan(t, s, o)); diff != "" {
		t.Error(diff)
	}
	checked(t, s)
}

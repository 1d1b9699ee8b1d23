package storage

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"parlance/algo/testutil/testtime"
	"parlance/storage/catalog"
	"parlance/storage/sealed"
	"parlance/storage/value"
)

// TestKilledLoadOfIndexedTable leaves rows and index entries of a load behind.
func TestKilledLoadOfIndexedTable(t *testing.T) {
	s := open(t)
	o := tableOf(t, s, []string{"name"})
	l, err := s.NewTableLoad(o)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Abort()
	if err := l.Add(background, rowsOf(20000), nil); err != nil {
		t.Fatal(err)
	}
	if err := l.d.Flush(); err != nil {
		t.Fatal(err)
	}
	if n := keys(t, s, bucketSegment); n == 0 {
		t.Fatal("nothing is in the file")
	}
	image := imageOf(t, s)
	tablesTidy(t, image)
	if err := image.CheckDatabase(background, func(m string) { t.Error(m) }); err != nil {
		t.Error(err)
	}
}

// TestKilledDropOfTable kills DROP between the catalog and the rows.
func TestKilledDropOfTable(t *testing.T) {
	s := open(t)
	o := tableOf(t, s, []string{"name"})
	insert(t, s, o, rowsOf(10)...)
	err := s.Update(func(tx *sealed.Tx) error { return tx.Bucket(bucketCatalog).Delete(catalog.ObjectKey(o.ID)) })
	if err != nil {
		t.Fatal(err)
	}
	s = reopen(t, s)
	o = tableOf(t, s)
	s = reopen(t, s)
	o = object(t, s, "names")
	if n := s.TableCount(o); n != 0 || len(scan(t, s, o)) != 0 {
		t.Fatalf("a new table has %d rows of a dropped one", n)
	}
	checked(t, s)
}

// TestDropDuringTableLoad drops a table that is being loaded.
func TestDropDuringTableLoad(t *testing.T) {
	s := open(t)
	o := tableOf(t, s)
	l, err := s.NewTableLoad(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Add(background, rowsOf(10), nil); err != nil {
		t.Fatal(err)
	}
	if err := s.dropEntry(o.Name, o.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Commit(background); !errors.Is(err, ErrNotFound) {
		t.Errorf("commit into a dropped table: %v", err)
	}
	s = reopen(t, s)
	tableOf(t, s)
	s = reopen(t, s)
	if n := s.TableCount(object(t, s, "names")); n != 0 {
		t.Fatalf("a new table has %d rows of a dropped one", n)
	}
}

// TestIndexCreatedAfterBinding writes with catalog entries from before CREATE INDEX.
func TestIndexCreatedAfterBinding(t *testing.T) {
	s := open(t)
	old := tableOf(t, s)
	insert(t, s, old, rowOf("a", 1), rowOf("b", 2), rowOf("c", 3))
	if err := s.CreateIndex(background, old, []string{"name"}); err != nil {
		t.Fatal(err)
	}
	insert(t, s, old, rowOf("d", 4))
	if _, err := s.DeleteRows(background, old, []uint64{0}); err != nil {
		t.Fatal(err)
	}
	if err := s.UpdateRows(background, old, []uint64{1}, [][]value.Value{rowOf("e", 2)}); err != nil {
		t.Fatal(err)
	}
	if err := s.CheckDatabase(background, func(m string) { t.Error(m) }); err != nil {
		t.Error(err)
	}
}

// TestKilledCreateIndex leaves entries of an index that the catalog does not name.
func TestKilledCreateIndex(t *testing.T) {
	s := open(t)
	o := tableOf(t, s)
	insert(t, s, o, rowsOf(10)...)
	if err := s.CreateIndex(background, o, []string{"name"}); err != nil {
		t.Fatal(err)
	}
	o, err := s.alterEntry(background, o, func(x *Object) error { x.Indexes = nil; return nil })
	if err != nil {
		t.Fatal(err)
	}
	if err := imageOf(t, s).CheckDatabase(background, func(m string) { t.Error(m) }); err != nil {
		t.Error(err)
	}
	if _, err := s.DeleteRows(background, o, []uint64{0}); err != nil {
		t.Fatal(err)
	}
	if err := s.CreateIndex(background, o, []string{"name"}); err != nil {
		t.Fatal(err)
	}
	checked(t, s)
	if got := lookup(t, s, object(t, s, "names"), []string{"name"}, value.Str("name0")); len(got) != 1 {
		t.Fatalf("the index finds %v", got)
	}
}

// TestLookupAfterDropIndex looks up with a catalog entry from before DROP INDEX.
func TestLookupAfterDropIndex(t *testing.T) {
	s := open(t)
	o := tableOf(t, s, []string{"name"})
	insert(t, s, o, rowOf("a", 1))
	if err := s.DropIndex(background, o, []string{"name"}); err != nil {
		t.Fatal(err)
	}
	found := 0
	ok, err := s.LookupRows(background, o, []string{"name"}, []catalog.KeyRange{{Equal: []value.Value{value.Str("a")}}},
		func(ids []uint64, _ *value.Batch) error {
			found += len(ids)
			return nil
		})
	if err != nil || ok && found != 1 {
		t.Errorf("index used %v, %d rows: %v", ok, found, err)
	}
}

func TestCreateIndexRefuses(t *testing.T) {
	s := open(t)
	o := tableOf(t, s, []string{"name"})
	insert(t, s, o, rowOf("a", 1))
	if err := s.CreateIndex(background, o, []string{"name"}); !errors.Is(err, ErrExists) {
		t.Errorf("the same index again: %v", err)
	}
	if err := s.CreateIndex(background, o, []string{"nome"}); !errors.Is(err, ErrNotFound) {
		t.Errorf("an index on a column that is missing: %v", err)
	}
	checked(t, s)
}

// TestInsertStopsWaiting cancels an insert that waits for a load.
func TestInsertStopsWaiting(t *testing.T) {
	s := open(t)
	o := tableOf(t, s)
	l, err := s.NewTableLoad(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Add(background, rowsOf(1), nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	done := make(chan error)
	go func() {
		_, err := s.InsertRows(ctx, o, rowsOf(1))
		done <- err
	}()
	select {
	case err := <-done:
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		l.Abort()
	case <-time.After(time.Minute):
		t.Error("a cancelled insert waits for the load")
		l.Abort()
		<-done
	}
}

// TestIndexedLoadIsNotQuadratic loads names in no order into an indexed table.
func TestIndexedLoadIsNotQuadratic(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: nothing for a short run")
	}
	rows := make([][]value.Value, 150000)
	for i := range rows {
		rows[i] = rowOf(fmt.Sprintf("%08x", uint32(i)*2654435761), i)
	}
	took := time.Hour
	for range 3 { // the machine may be busy
		s := open(t)
		o := tableOf(t, s, []string{"name"})
		watch := testtime.Start()
		insert(t, s, o, rows...)
		if took = min(took, watch.Took()); took < 10*time.Second {
			return
		}
	}
	t.Errorf("%d rows took %v", len(rows), took)
}

// TestIndexOfLongText indexes a text longer than a key may be.
func TestIndexOfLongText(t *testing.T) {
	s := open(t)
	o := tableOf(t, s, []string{"name"})
	long := strings.Repeat("x", 40000)
	insert(t, s, o, rowOf(long, 1), rowOf(long+"y", 2))
	if got := lookup(t, s, o, []string{"name"}, value.Str(long)); len(got) != 1 || got[0] == nil {
		t.Fatalf("the index finds %d rows", len(got))
	}
	checked(t, s)
}

func TestIndexOfLargestNumbers(t *testing.T) {
	s := open(t)
	o, err := s.CreateObject(background,
		Object{Name: "t", Kind: catalog.KBObject, Indexes: [][]string{{"n"}}, Columns: []catalog.ColumnDef{{Name: "n",
			Type: value.Integer}}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range int64(3) {
		insert(t, s, o, []value.Value{value.Int(math.MaxInt64 - i)})
	}
	for i := range int64(3) {
		if got := lookup(t, s, o, []string{"n"}, value.Int(math.MaxInt64-i)); len(got) != 1 || got[uint64(i)] == nil {
			t.Errorf("%d finds %v", math.MaxInt64-i, got)
		}
	}
}

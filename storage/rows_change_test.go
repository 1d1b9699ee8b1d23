package storage

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"testing"

	"parlance/storage/catalog"
	"parlance/storage/relation"
	"parlance/storage/value"

	"github.com/google/go-cmp/cmp"
)

// manyRows is a table of 100 rows of which a change in progress gives the first 60 other names and takes the next 20
// out.
func manyRows(t *testing.T) (s *Store, o *Object, c *RowsChange, before, after map[uint64][]value.Value) {
	t.Helper()
	s = open(t)
	s.tables.FewRows = 10
	o = tableOf(t, s, []string{"name"}, []string{"n"})
	insert(t, s, o, rowsOf(100)...)
	before = scan(t, s, o)
	after = maps.Clone(before)
	c, err := s.NewRowsChange(background, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Abort)
	for id := range uint64(80) {
		if id < 60 {
			after[id] = rowOf(fmt.Sprint("other", id%3), int(id))
			err = c.updateRows(background, []uint64{id}, [][]value.Value{after[id]})
		} else {
			delete(after, id)
			err = c.deleteRows(background, []uint64{id})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if c.d.Made == nil {
		t.Fatal("the change is small")
	}
	return s, o, c, before, after
}

// settled wants a table with rows, nothing besides them in the file and sound indexes.
func settled(t *testing.T, s *Store, o *Object, want map[uint64][]value.Value) {
	t.Helper()
	if diff := cmp.Diff(want, scan(t, s, o)); diff != "" {
		t.Fatal(diff)
	}
	tablesTidy(t, s)
	checked(t, s)
}

// TestKilledRowsChange kills a change before and after its commit.
func TestKilledRowsChange(t *testing.T) {
	s, o, c, before, after := manyRows(t)
	if err := c.d.Flush(); err != nil {
		t.Fatal(err)
	}
	settled(t, imageOf(t, s), o, before)
	if _, err := c.Commit(background); err != nil {
		t.Fatal(err)
	}
	settled(t, imageOf(t, s), o, after)
	settled(t, s, o, after)
}

// TestAbortedRowsChange gives a change up, at once and by a context that has ended.
func TestAbortedRowsChange(t *testing.T) {
	s, o, c, before, _ := manyRows(t)
	if err := c.d.Flush(); err != nil {
		t.Fatal(err)
	}
	c.Abort()
	settled(t, s, o, before)

	s, o, c, before, _ = manyRows(t)
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, err := c.Commit(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	insert(t, s, o, rowOf("new", 1))
	before[100] = rowOf("new", 1)
	settled(t, s, o, before)
}

// TestReadersOfRowsChange reads before the commit, after it, and after another change.
func TestReadersOfRowsChange(t *testing.T) {
	s, o, c, before, after := manyRows(t)
	old := s.Snapshot()
	defer old.Close()
	named := func(sn *Snapshot, name string) int {
		found := read(t, func(emit func([]uint64, *value.Batch) error) error {
			_, err := sn.LookupRows(background, o, []string{"name"},
				[]catalog.KeyRange{{Equal: []value.Value{value.Str(name)}}}, nil, emit)
			return err
		})
		for id, row := range found {
			if row[0].S != name {
				t.Errorf("row %d has the name %s, not %s", id, row[0].S, name)
			}
		}
		return len(found)
	}
	seen := func(sn *Snapshot, want map[uint64][]value.Value, names, others int) {
		t.Helper()
		got := read(t, func(emit func([]uint64, *value.Batch) error) error { return sn.ScanTable(background, o, nil, emit) })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
		if n, m := named(sn, "name0"), named(sn, "other0"); n != names || m != others {
			t.Errorf("the index finds %d and %d rows, want %d and %d", n, m, names, others)
		}
	}
	seen(old, before, 15, 0)
	if _, err := c.Commit(background); err != nil {
		t.Fatal(err)
	}
	now := s.Snapshot()
	defer now.Close()
	seen(old, before, 15, 0)
	seen(now, after, 3, 20)
	if _, err := s.DeleteRows(background, o, []uint64{99}); err != nil {
		t.Fatal(err)
	}
	seen(old, before, 15, 0)
	seen(now, after, 3, 20)
	delete(after, 99)
	old.Close()
	now.Close()
	settled(t, s, o, after)
}

// TestReadOnlyRowsChange reads a file after a change of many rows.
func TestReadOnlyRowsChange(t *testing.T) {
	s, o, c, _, after := manyRows(t)
	if _, err := c.Commit(background); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := Open(s.Path(), Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if diff := cmp.Diff(after, scan(t, r, o)); diff != "" {
		t.Fatal(diff)
	}
	checked(t, r)
}

// TestDroppedRowsChange drops a table while a change of it is under way.
func TestDroppedRowsChange(t *testing.T) {
	s, o, c, _, _ := manyRows(t)
	if err := s.dropEntry(o.Name, o.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.Collect(background); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Commit(background); !errors.Is(err, ErrNotFound) {
		t.Errorf("commit into a dropped table: %v", err)
	}
	stats, err := s.FileStats()
	if err != nil || stats.Buckets["seg"] > 0 {
		t.Errorf("left behind: %v, %v", stats.Buckets, err)
	}
}

// TestStoppedRowsChange stops the first change of many rows of a file at each place where it looks at its context.
func TestStoppedRowsChange(t *testing.T) {
	for n := range 3 {
		s := open(t)
		s.tables.FewRows = 10
		o := tableOf(t, s, []string{"name"}, []string{"n"})
		insert(t, s, o, rowsOf(100)...)
		before := scan(t, s, o)
		c, err := s.NewRowsChange(background, o)
		if err != nil {
			t.Fatal(err)
		}
		ctx := &stopAfter{Context: background, n: n}
		for id := uint64(0); id < 80 && err == nil; id++ {
			err = c.deleteRows(ctx, []uint64{id})
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("stopped at look %d: %v", n, err)
		}
		c.Abort()
		settled(t, s, o, before)
	}
}

// TestScannedRowsChange changes rows of which a scan has read some columns, in a table with a dropped and an added
// column, and wants what a change of rows that were not read makes.
func TestScannedRowsChange(t *testing.T) {
	for _, read := range [][]bool{nil, {true, true, true}, {false, true, false}, {false, false, true}} {
		s := open(t)
		o := tableOf(t, s, []string{"name"})
		insert(t, s, o, rowsOf(2000)...)
		before := [][]value.Value{rowOf("five", -1), {{}, {}, {}}}
		if err := s.UpdateRows(background, o, []uint64{5, 1500}, before); err != nil {
			t.Fatal(err)
		}
		o, err := s.DropColumn(background, o, "n")
		if err == nil {
			o, err = s.AddColumn(background, o, catalog.ColumnDef{Name: "more", Type: value.Text})
		}
		if err != nil {
			t.Fatal(err)
		}
		want := scan(t, s, o)
		c, err := s.NewRowsChange(background, o)
		if err != nil {
			t.Fatal(err)
		}
		err = s.ScanTable(background, o, read, func(ids []uint64, b *value.Batch) error {
			var some []int
			var hits, gone []uint64
			for i, id := range ids {
				if id%3 == 0 {
					some, hits = append(some, i), append(hits, id)
					want[id] = []value.Value{value.Str(fmt.Sprint("other", id)), want[id][1], value.Str("more")}
				}
			}
			scanned := b.Select(some)
			if read == nil {
				scanned = nil
			}
			set := []value.Vec{{Type: value.Text}, value.Repeat(value.Text, value.Str("more"), len(hits))}
			for _, id := range hits {
				set[0].Strs = append(set[0].Strs, fmt.Sprint("other", id))
			}
			if err := c.Update(background, hits, scanned, []int{0, 2}, set); err != nil {
				return err
			}
			some = some[:0]
			for i, id := range ids {
				if id%3 == 1 && id > hits[len(hits)-1]-30 {
					some, gone = append(some, i), append(gone, id)
					delete(want, id)
				}
			}
			if scanned != nil {
				scanned = b.Select(some)
			}
			return c.Delete(background, gone, scanned)
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Commit(background); err != nil {
			t.Fatal(err)
		}
		err = s.tables.Read(func(r relation.Reader) error {
			st := s.tableState(o)
			row, err := s.tables.Rows(o, &st).Row(r, 3, nil)
			if err == nil && !row[1].IsNull() {
				t.Errorf("a changed row keeps %v of a dropped column", row[1])
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		settled(t, s, o, want)
		settled(t, imageOf(t, s), o, want)
	}
}

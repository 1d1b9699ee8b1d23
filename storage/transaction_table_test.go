package storage

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/storage/table"
	"parlance/storage/value"

	"github.com/google/go-cmp/cmp"
)

// captured is a view of a snapshot that is open.
func captured(t *testing.T, sn *Snapshot, o *Object) *view {
	t.Helper()
	rows := read(t, func(emit func([]uint64, *value.Batch) error) error { return sn.ScanTable(background, o, nil, emit) })
	return &view{sn, rows, sn.TableHash(o)}
}

// drawTableChange changes a table at random under a context, and the rows that it should have.
func drawTableChange(t *testing.T, r *rand.Rand, ctx context.Context, s *Store, o *Object,
	rows map[uint64][]value.Value, next *uint64) map[uint64][]value.Value {
	t.Helper()
	rows = maps.Clone(rows)
	var some []uint64
	for _, id := range slices.Sorted(maps.Keys(rows)) {
		if r.IntN(4) == 0 {
			some = append(some, id)
		}
	}
	fresh := make([][]value.Value, 1+r.IntN(5))
	for i := range fresh {
		fresh[i] = rowOf(fmt.Sprint("name", r.IntN(8)), r.IntN(50))
	}
	add := func() {
		for _, row := range fresh {
			rows[*next] = row
			*next++
		}
	}
	var err error
	switch r.IntN(4) {
	case 0:
		_, err = s.InsertRows(ctx, o, fresh)
		add()
	case 1:
		_, err = s.DeleteRows(ctx, o, some)
		for _, id := range some {
			delete(rows, id)
		}
	case 2:
		some = some[:min(len(some), len(fresh))]
		err = s.UpdateRows(ctx, o, some, fresh[:len(some)])
		for i, id := range some {
			rows[id] = fresh[i]
		}
	case 3:
		err = s.ReplaceRows(ctx, o, some, fresh)
		for _, id := range some {
			delete(rows, id)
		}
		add()
	}
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestTransactionsOfTables: a transaction sees the rows that it has changed, by scans and by an index, others see them
// when it is committed; snapshots keep what they saw.
func TestTransactionsOfTables(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 2))
		s := open(t)
		s.tables.FewRows = int(seed%3) * 2
		o := tableOf(t, s, []string{"name", "n"})
		next := uint64(0)
		committed := drawTableChange(t, r, background, s, o, map[uint64][]value.Value{}, &next)
		tx, own, first := s.Begin(), committed, next
		mark, marked, at := Savepoint{}, own, next
		same := func(sn *Snapshot, rows map[uint64][]value.Value) *view {
			t.Helper()
			v := captured(t, sn, o)
			if diff := cmp.Diff(rows, v.rows); diff != "" {
				t.Fatal(diff)
			}
			v.check(t, o, r)
			return v
		}
		begin := func(now map[uint64][]value.Value) {
			committed, own, marked = now, now, now
			tx, mark = s.Begin(), Savepoint{}
			next = s.tableState(o).Next
			first, at = next, next
		}
		var open []*view
		for range 60 {
			switch r.IntN(9) {
			case 0:
				mark, marked, at = tx.Savepoint(), own, next
			case 1:
				tx.RollbackTo(mark)
				own, next = marked, at
			case 2:
				if err := tx.Commit(background); err != nil {
					t.Fatal(err)
				}
				begin(own)
			case 3:
				tx.Rollback(background)
				next = first
				begin(committed)
			default:
				own = drawTableChange(t, r, tx.Context(background), s, o, own, &next)
			}
			open = append(open, same(tx.Capture(new(Snapshot)), own), same(s.Snapshot(), committed))
			v := open[r.IntN(len(open))]
			v.check(t, o, r)
		}
		if err := tx.Commit(background); err != nil {
			t.Fatal(err)
		}
		for _, v := range open {
			v.check(t, o, r)
			v.sn.Close()
		}
		check(t, s)
		s = reopen(t, s)
		o, _ = s.Object(o.Name)
		sn := s.Snapshot()
		same(sn, own)
		sn.Close()
		if err := s.CheckDatabase(background, func(m string) { t.Error(m) }); err != nil {
			t.Error(err)
		}
	}
}

// TestManySmallChanges: changes of a transaction are few generations, whatever their number.
func TestManySmallChanges(t *testing.T) {
	s := open(t)
	o := tableOf(t, s)
	tx := s.Begin()
	for i := range 500 {
		if _, err := s.InsertRows(tx.Context(background), o, [][]value.Value{rowOf(fmt.Sprint(i), i)}); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(tx.tables[o.ID].Gens); n > 3*table.SameTier {
		t.Errorf("%d generations", n)
	}
	if err := tx.Commit(background); err != nil {
		t.Fatal(err)
	}
	if n := len(scan(t, s, o)); n != 500 {
		t.Errorf("%d rows", n)
	}
}

// TestTransactionOfManyRows: rows beyond what memory should hold go to the file, which is empty again after a rollback.
func TestTransactionOfManyRows(t *testing.T) {
	s := open(t)
	o := tableOf(t, s, []string{"name"})
	long := string(make([]byte, 1<<16))
	rows := make([][]value.Value, 500)
	for i := range rows {
		rows[i] = rowOf(fmt.Sprint(i, long), i)
	}
	for _, commit := range []bool{false, true} {
		tx := s.Begin()
		mark := tx.Savepoint()
		for k := range 3 {
			if _, err := s.InsertRows(tx.Context(background), o, rows); err != nil {
				t.Fatal(err)
			}
			if k == 0 {
				tx.RollbackTo(mark)
			}
		}
		if _, err := s.DeleteRows(tx.Context(background), o, []uint64{0, 1, 600}); err != nil {
			t.Fatal(err)
		}
		if n := keys(t, s, bucketSegment); n < 10 {
			t.Errorf("%d blocks are in the file", n)
		}
		want := 0
		if commit {
			want = 997
			if err := tx.Commit(background); err != nil {
				t.Fatal(err)
			}
		} else {
			tx.Rollback(background)
		}
		if n := len(scan(t, s, o)); n != want {
			t.Errorf("%d rows, %d are expected", n, want)
		}
		tablesTidy(t, s)
		checked(t, s)
	}
}

package storage

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/storage/catalog"
	"parlance/storage/dbfile"
	"parlance/storage/sealed"
	"parlance/storage/table"
	"parlance/storage/value"

	"github.com/google/go-cmp/cmp"
)

// view is an open snapshot with what the table had when it was captured.
type view struct {
	sn   *Snapshot
	rows map[uint64][]value.Value
	hash [32]byte
}

// read returns the rows that a reader emits, by number.
func read(t *testing.T, f func(emit func([]uint64, *value.Batch) error) error) map[uint64][]value.Value {
	t.Helper()
	out := map[uint64][]value.Value{}
	last := int64(-1)
	err := f(func(ids []uint64, b *value.Batch) error {
		for i, id := range ids {
			if int64(id) <= last {
				t.Fatalf("row %d after row %d", id, last)
			}
			last = int64(id)
			out[id] = b.Row(nil, i)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// check compares a scan, a look-up of a value and a range of the index with what the snapshot captured.
func (v *view) check(t *testing.T, o *Object, r *rand.Rand) {
	t.Helper()
	scanned := read(t, func(emit func([]uint64, *value.Batch) error) error {
		return v.sn.ScanTable(background, o, nil, emit)
	})
	if diff := cmp.Diff(v.rows, scanned); diff != "" {
		t.Fatal("scan", diff)
	}
	if v.sn.TableHash(o) != v.hash || v.sn.TableCount(o) != len(v.rows) {
		t.Fatal("hash or count of the snapshot differ")
	}
	name := value.Str(fmt.Sprint("name", r.IntN(8)))
	low := value.Int(int64(r.IntN(40)))
	for _, k := range []catalog.KeyRange{{Equal: []value.Value{name}}, {Equal: []value.Value{name}, Low: &low}} {
		want := maps.Clone(v.rows)
		maps.DeleteFunc(want, func(_ uint64, row []value.Value) bool {
			return row[0] != name || k.Low != nil && row[1].Int() < low.Int()
		})
		found := read(t, func(emit func([]uint64, *value.Batch) error) error {
			_, err := v.sn.LookupRows(background, o, []string{"name", "n"}, []catalog.KeyRange{k}, nil, emit)
			return err
		})
		if diff := cmp.Diff(want, found); diff != "" {
			t.Fatal("look-up", diff)
		}
	}
}

// TestSnapshotOfTable changes a table at random while snapshots are open: each reads what it captured,
// and nothing is kept when all are closed.
func TestSnapshotOfTable(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := open(t)
		s.tables.FewRows = int(seed/2) * 5
		o := tableOf(t, s, []string{"name", "n"})
		insert(t, s, o, rowsOf(1100)...)
		some := func() (ids []uint64) {
			most := 1 + r.IntN(30)
			if r.IntN(6) == 0 {
				most = 1 << 20
			}
			for _, id := range slices.Sorted(maps.Keys(scan(t, s, o))) {
				if len(ids) < most && r.IntN(3) > 0 {
					ids = append(ids, id)
				}
			}
			if r.IntN(4) == 0 {
				slices.Reverse(ids)
			}
			return ids
		}
		fresh := func(n int) (rows [][]value.Value) {
			for range n {
				rows = append(rows, rowOf(fmt.Sprint("name", r.IntN(8)), r.IntN(50)))
			}
			return rows
		}
		var open []*view
		for range 40 {
			var err error
			switch r.IntN(7) {
			case 0:
				insert(t, s, o, fresh(r.IntN(20))...)
			case 1:
				_, err = s.DeleteRows(background, o, some())
			case 2:
				ids := some()
				err = s.UpdateRows(background, o, ids, fresh(len(ids)))
			case 3:
				err = s.ReplaceRows(background, o, some(), fresh(r.IntN(20)))
			case 4:
				open = append(open, &view{s.Snapshot(), scan(t, s, o), s.TableHash(o)})
			case 5:
				if len(open) > 0 {
					i := r.IntN(len(open))
					open[i].sn.Close()
					open = slices.Delete(open, i, i+1)
				}
			case 6:
				for _, v := range open {
					v.check(t, o, r)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, v := range open {
			v.check(t, o, r)
			v.sn.Close()
		}
		tablesTidy(t, s)
		checked(t, s)
	}
}

// tablesTidy wants the file to hold no generation of a table that no state names.
func tablesTidy(t *testing.T, s *Store) {
	t.Helper()
	s.cleaner.ended.Wait()
	if err := s.Collect(background); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for id, st := range s.corpora.tables {
		for _, g := range st.Gens {
			known[string(dbfile.Key(id, g.ID))] = true
		}
	}
	err := s.View(func(tx *sealed.Tx) error {
		for _, k := range groups(tx.Bucket(bucketSegment), 8, func(k []byte) bool { return known[string(k)] }) {
			t.Errorf("generation %x is left", k)
		}
		return nil
	})
	if err != nil || s.hasOrphans() {
		t.Error("garbage is left", err)
	}
}

// TestManySmallGenerations: after many changes, each a generation, a table has few, and snapshots read what they
// captured.
func TestManySmallGenerations(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 4))
	s := open(t)
	o := tableOf(t, s, []string{"name", "n"})
	insert(t, s, o, rowsOf(100)...)
	var views []*view
	for i := range 300 {
		if i%75 == 10 {
			views = append(views, &view{s.Snapshot(), scan(t, s, o), s.TableHash(o)})
		}
		own := s.Snapshot() // as statements have one
		if err := s.UpdateRows(background, o, []uint64{uint64(r.IntN(100))},
			[][]value.Value{rowOf(fmt.Sprint("name", r.IntN(8)), i)}); err != nil {
			t.Fatal(err)
		}
		own.Close()
	}
	for _, v := range views {
		v.check(t, o, r)
		v.sn.Close()
	}
	if n := len(s.tableState(o).Gens); n > 4*table.SameTier {
		t.Errorf("%d generations for 301 changes", n)
	}
	tablesTidy(t, s)
	checked(t, s)
}

// TestLargeGenerationsStay: single rows do not have a large generation rewritten, neither in blocks nor outside of
// them.
func TestLargeGenerationsStay(t *testing.T) {
	s := open(t)
	o := tableOf(t, s, []string{"name", "n"})
	insert(t, s, o, rowsOf(5000)...)
	large := s.tableState(o).Gens[0]
	for i := range 200 {
		insert(t, s, o, rowOf("new", i))
		if err := s.UpdateRows(background, o, []uint64{uint64(7 * i)}, [][]value.Value{rowOf("other", i)}); err != nil {
			t.Fatal(err)
		}
		if i%50 == 0 {
			tx := s.Begin()
			for k := range 20 {
				if _, err := s.InsertRows(tx.Context(background), o, [][]value.Value{rowOf("block", k)}); err != nil {
					t.Fatal(err)
				}
			}
			if err := tx.Commit(background); err != nil {
				t.Fatal(err)
			}
		}
	}
	if st := s.tableState(o); st.Gens[0] != large || len(st.Gens) > 4*table.SameTier {
		t.Errorf("%d generations, the first was kept: %t", len(st.Gens), st.Gens[0] == large)
	}
	if n := len(scan(t, s, o)); n != 5280 {
		t.Errorf("%d rows", n)
	}
	checked(t, s)
}

// TestSnapshotOfKB changes triples in place, and drops the knowledge base.
func TestSnapshotOfKB(t *testing.T) {
	s := open(t)
	kb := kbOf(t, s)
	if err := add(s, kb, catalog.Triples, triple("ann", "parent", "bob"), triple("bob", "parent", "cy")); err != nil {
		t.Fatal(err)
	}
	sn := s.Snapshot()
	defer sn.Close()
	seen := func() map[string]map[uint64][]value.Value {
		out := map[string]map[uint64][]value.Value{}
		for _, o := range kb.Tables {
			out[o.Part] = read(t, func(emit func([]uint64, *value.Batch) error) error {
				return sn.ScanTable(background, o, nil, emit)
			})
		}
		return out
	}
	before := seen()
	heavier := triple("ann", "parent", "bob")
	heavier[3] = value.Real(7)
	if err := add(s, kb, catalog.Triples, heavier, triple("cy", "parent", "dee")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, seen()); diff != "" {
		t.Fatal(diff)
	}
	if err := s.DropObject(background, kb.Name); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, seen()); diff != "" {
		t.Fatal(diff)
	}
	sn.Close()
	if err := s.Collect(background); err != nil {
		t.Fatal(err)
	}
	stats, err := s.FileStats()
	if err != nil || stats.Buckets["seg"] > 0 || len(s.corpora.tables) > 0 {
		t.Errorf("left behind: %v, states %v, %v", stats.Buckets, s.corpora.tables, err)
	}
}

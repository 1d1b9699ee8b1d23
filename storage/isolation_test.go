package storage

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/storage/catalog"
	"parlance/storage/value"

	"github.com/google/go-cmp/cmp"
)

// TestFrozenTransactions changes one table in transactions over frozen states while others change, settle, compact and
// drop another one: both are seen as they were, with the transaction's own changes, and nothing is kept in the end.
func TestFrozenTransactions(t *testing.T) {
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 3))
		s := open(t)
		s.tables.FewRows = int(seed) * 3
		mine := tableOf(t, s, []string{"name", "n"})
		made, err := s.CreateObject(background,
			Object{Name: "theirs", Kind: mine.Kind, Columns: mine.Columns, Indexes: mine.Indexes})
		if err != nil {
			t.Fatal(err)
		}
		var nextMine, nextTheirs uint64
		rows := drawTableChange(t, r, background, s, mine, map[uint64][]value.Value{}, &nextMine)
		theirs := drawTableChange(t, r, background, s, made, map[uint64][]value.Value{}, &nextTheirs)
		for round := range 4 {
			f := s.Freeze(round%2 == 0)
			tx, own := f.Begin(), rows
			before := &view{f.Capture(new(Snapshot)), rows, s.TableHash(mine)}
			other := &view{tx.Capture(new(Snapshot)), theirs, s.TableHash(made)}
			for range 8 {
				switch r.IntN(6) {
				case 0, 1:
					theirs = drawTableChange(t, r, background, s, made, theirs, &nextTheirs)
				case 2:
					err = s.Collect(background)
				case 3:
					err = s.Compact(background)
				default:
					own = drawTableChange(t, r, tx.Context(background), s, mine, own, &nextMine)
				}
				if err != nil {
					t.Fatal(err)
				}
				before.check(t, mine, r)
				other.check(t, made, r)
				sn := tx.Capture(new(Snapshot))
				v := captured(t, sn, mine)
				v.rows = own
				v.check(t, mine, r)
				sn.Close()
			}
			if round == 3 {
				if err := s.DropObject(background, made.Name); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(other.rows, captured(t, other.sn, made).rows); diff != "" {
					t.Error("a frozen state does not have what was dropped", diff)
				}
				if o, ok := other.sn.Object(made.Name); !ok || o != made {
					t.Error("a frozen state does not know what was dropped")
				}
			}
			if err := tx.Commit(background); err != nil && !(errors.Is(err, ErrDependent) && round%2 == 0) {
				t.Fatal(err)
			} else if err == nil {
				rows = own
			} else {
				nextMine = s.tableState(mine).Next
			}
			before.sn.Close()
			other.sn.Close()
		}
		if err := s.Collect(background); err != nil {
			t.Fatal(err)
		}
		tablesTidy(t, s)
		checked(t, s)
	}
}

// TestFrozenConflicts: what others have changed, or dropped, cannot be changed, however often it is tried, and nobody
// has to wait then.
func TestFrozenConflicts(t *testing.T) {
	s := open(t)
	o := tableOf(t, s, []string{"name", "n"})
	insert(t, s, o, rowsOf(3)...)
	f := s.Freeze(false)
	tx := f.Begin()
	insert(t, s, o, rowsOf(1)...)
	for range 2 {
		if _, err := s.InsertRows(tx.Context(background), o, rowsOf(1)); !errors.Is(err, ErrConcurrent) {
			t.Errorf("a change after that of another gives %v", err)
		}
		insert(t, s, o, rowsOf(1)...)
	}
	if err := tx.Commit(background); err != nil {
		t.Error(err)
	}
	f = s.Freeze(false)
	tx = f.Begin()
	if err := s.DropObject(background, o.Name); err != nil {
		t.Fatal(err)
	}
	if err := s.DropObject(tx.Context(background), o.Name); !errors.Is(err, ErrConcurrent) {
		t.Errorf("dropping it again gives %v", err)
	}
	tx.Rollback(background)
	f.Close()
	if s.corpora.open != 0 || len(s.corpora.garbage) > 0 {
		t.Errorf("%d snapshots are open, %d dropped objects remain", s.corpora.open, len(s.corpora.garbage))
	}
}

// TestFrozenCatalogsAreRenewed: every commit that changes the catalog, be it a single object, is in the states frozen
// after it and in none before.
func TestFrozenCatalogsAreRenewed(t *testing.T) {
	s := open(t)
	names := func(f *Frozen) (out []string) {
		for _, o := range f.objects("") {
			out = append(out, o.Name)
		}
		return out
	}
	var frozen []*Frozen
	want := [][]string{nil, {"a"}, {"a", "b"}, {"b"}, {"c"}, {"c"}, nil}
	create := func(tx *Transaction, name string) {
		if _, err := s.CreateObject(tx.Context(background), Object{Name: name, Kind: catalog.CorpusObject}); err != nil {
			t.Fatal(err)
		}
	}
	drop := func(tx *Transaction, name string) {
		if err := s.DropObject(tx.Context(background), name); err != nil {
			t.Fatal(err)
		}
	}
	for _, change := range []func(*Transaction){
		nil,
		func(tx *Transaction) { create(tx, "a") },
		func(tx *Transaction) { create(tx, "b") },
		func(tx *Transaction) { drop(tx, "a") },
		func(tx *Transaction) { create(tx, "c"); drop(tx, "b") },
		func(tx *Transaction) { create(tx, "d"); drop(tx, "d") },
		func(tx *Transaction) { drop(tx, "c") },
	} {
		if change != nil {
			tx := s.Begin()
			change(tx)
			if err := tx.Commit(background); err != nil {
				t.Fatal(err)
			}
		}
		frozen = append(frozen, s.Freeze(false))
	}
	for i, f := range frozen {
		if got := names(f); !slices.Equal(got, want[i]) {
			t.Errorf("after %d changes: %v, want %v", i, got, want[i])
		}
		f.Close()
	}
}

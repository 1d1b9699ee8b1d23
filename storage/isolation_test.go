package storage

import (
	"errors"
	"math/rand/v2"
	"testing"

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

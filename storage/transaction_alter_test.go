package storage

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/storage/catalog"
	"parlance/storage/dbfile"
	"parlance/storage/relation"
	"parlance/storage/sealed"
	"parlance/storage/value"

	"github.com/google/go-cmp/cmp"
)

// alteredTable is a table as it should be. Its parts are not changed: others take their place.
type alteredTable struct {
	name    string
	columns []string
	indexed []string                          // columns with an index, in the order in which they came
	rows    map[uint64]map[string]value.Value // NULL where there is none
	next    uint64
}

// lexicon is a table with few different values.
func lexicon(t *testing.T, s *Store) alteredTable {
	t.Helper()
	if _, err := s.CreateObject(background,
		Object{Name: "words0", Kind: catalog.LexiconObject,
			Columns: []catalog.ColumnDef{{Name: "w", Type: value.Text}, {Name: "c0", Type: value.Text}}}); err != nil {
		t.Fatal(err)
	}
	return alteredTable{name: "words0", columns: []string{"w", "c0"}, rows: map[uint64]map[string]value.Value{}}
}

// row draws a row for the columns.
func (m *alteredTable) row(r *rand.Rand) (stored []value.Value, known map[string]value.Value) {
	known = map[string]value.Value{}
	for _, c := range m.columns {
		v := value.Str(fmt.Sprint("v", r.IntN(4)))
		stored, known[c] = append(stored, v), v
	}
	return stored, known
}

// step changes the table at random under a context, and returns what it should be then.
func (m alteredTable) step(t *testing.T, r *rand.Rand, ctx context.Context, s *Store, o *Object,
	number int) alteredTable {
	t.Helper()
	fresh, last := fmt.Sprint("c", number), m.columns[len(m.columns)-1]
	column := m.columns[r.IntN(len(m.columns))]
	at := slices.Index(m.indexed, column)
	var err error
	switch r.IntN(10) {
	case 0, 1:
		if at >= 0 {
			err = s.DropIndex(ctx, o, []string{column})
			m.indexed = slices.Delete(slices.Clone(m.indexed), at, at+1)
			break
		}
		err = s.CreateIndex(ctx, o, []string{column})
		m.indexed = append(slices.Clip(m.indexed), column)
	case 2:
		_, err = s.AddColumn(ctx, o, catalog.ColumnDef{Name: fresh, Type: value.Text})
		m.columns = append(slices.Clip(m.columns), fresh)
	case 3:
		if len(m.columns) == 1 {
			return m
		}
		if _, err = s.DropColumn(ctx, o, last); slices.Contains(m.indexed, last) {
			if !errors.Is(err, ErrInUse) {
				t.Fatal("a column of an index is dropped:", err)
			}
			return m
		}
		m.columns = m.columns[:len(m.columns)-1]
		m.rows = maps.Clone(m.rows)
		for id, row := range m.rows {
			m.rows[id] = maps.Clone(row)
			delete(m.rows[id], last)
		}
	case 4:
		_, err = s.RenameColumn(ctx, o, column, fresh)
		m.columns, m.indexed, m.rows = slices.Clone(m.columns), slices.Clone(m.indexed), maps.Clone(m.rows)
		m.columns[slices.Index(m.columns, column)] = fresh
		if at >= 0 {
			m.indexed[at] = fresh
		}
		for id, row := range m.rows {
			row = maps.Clone(row)
			if v, ok := row[column]; ok {
				row[fresh] = v
				delete(row, column)
			}
			m.rows[id] = row
		}
	case 5:
		m.name = fmt.Sprint("words", number)
		err = s.RenameObject(ctx, o, m.name)
	default:
		m.rows = maps.Clone(m.rows)
		var gone []uint64
		for _, id := range slices.Sorted(maps.Keys(m.rows)) {
			if r.IntN(5) == 0 {
				gone = append(gone, id)
				delete(m.rows, id)
			}
		}
		var rows [][]value.Value
		for range 1 + r.IntN(3) {
			row, known := m.row(r)
			rows, m.rows[m.next] = append(rows, row), known
			m.next++
		}
		err = s.ReplaceRows(ctx, o, gone, rows)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// check compares what a snapshot finds with what it should.
func (m *alteredTable) check(t *testing.T, sn *Snapshot, what string) {
	t.Helper()
	o, ok := sn.Object(m.name)
	if !ok || len(sn.Objects("")) != 1 {
		t.Fatalf("%s: %s is not the one object", what, m.name)
	}
	var columns, indexed []string
	for _, c := range o.Columns {
		columns = append(columns, c.Name)
	}
	for _, cols := range o.Indexes {
		indexed = append(indexed, cols[0])
	}
	if !slices.Equal(columns, m.columns) || !slices.Equal(indexed, m.indexed) {
		t.Fatalf("%s: columns %v, indexed %v, not %v, %v", what, columns, indexed, m.columns, m.indexed)
	}
	want := map[uint64][]value.Value{}
	for id, row := range m.rows {
		for _, c := range m.columns {
			want[id] = append(want[id], row[c])
		}
	}
	got := read(t, func(emit func([]uint64, *value.Batch) error) error { return sn.ScanTable(background, o, nil, emit) })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s: %s", what, diff)
	}
	for _, c := range m.indexed {
		m.look(t, sn, o, c, want, what)
	}
}

// look compares what an index finds.
func (m *alteredTable) look(t *testing.T, sn *Snapshot, o *Object, column string, rows map[uint64][]value.Value,
	what string) {
	t.Helper()
	for _, v := range []value.Value{value.Str("v0"), value.Str("v1"), {}} {
		want := maps.Clone(rows)
		maps.DeleteFunc(want, func(_ uint64, row []value.Value) bool { return row[o.Column(column)] != v })
		used := false
		got := read(t, func(emit func([]uint64, *value.Batch) error) (err error) {
			used, err = sn.LookupRows(background, o, []string{column}, []catalog.KeyRange{{Equal: []value.Value{v}}}, nil, emit)
			return err
		})
		if diff := cmp.Diff(want, got); used && diff != "" {
			t.Fatalf("%s: %v by the index on %s: %s", what, v, column, diff)
		}
		if !used && what != "older" {
			t.Fatalf("%s: the index on %s is not used", what, column)
		}
	}
}

// TestTransactionsAlter: a transaction sees the columns, indexes and names that it gives a table, with the rows that it
// changes between; others see all at its end or never, and snapshots from before what was then.
func TestTransactionsAlter(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 3))
		s := open(t)
		committed := lexicon(t, s)
		own, marked := committed, committed
		tx, mark := s.Begin(), Savepoint{}
		begin := func(now alteredTable) {
			committed, own, marked = now, now, now
			tx, mark = s.Begin(), Savepoint{}
		}
		type older struct {
			sn *Snapshot
			m  alteredTable
		}
		var open []older
		for number := range 60 {
			switch r.IntN(12) {
			case 0:
				mark, marked = tx.Savepoint(), own
			case 1:
				tx.RollbackTo(mark)
				own = marked
			case 2:
				if err := tx.Commit(background); err != nil {
					t.Fatal(err)
				}
				begin(own)
			case 3:
				tx.Rollback(background)
				begin(committed)
			case 4: // what a killed process leaves
				image := imageOf(t, s)
				sn := image.Snapshot()
				committed.check(t, sn, "killed")
				sn.Close()
				checked(t, image)
				image.Close()
			default:
				sn := tx.Capture(new(Snapshot))
				o, _ := sn.Object(own.name)
				own = own.step(t, r, tx.Context(background), s, o, number+1)
				sn.Close()
			}
			sn := tx.Capture(new(Snapshot))
			own.check(t, sn, "own")
			sn.Close()
			sn = s.Snapshot()
			committed.check(t, sn, "others")
			open = append(open, older{sn, committed})
			if x := open[r.IntN(len(open))]; x.m.name == committed.name { // others find it under its name of now only
				x.m.check(t, x.sn, "older")
			}
		}
		tx.Rollback(background)
		for _, x := range open {
			x.sn.Close()
		}
		checked(t, s)
		entriesOf(t, s, committed)
		s = reopen(t, s)
		sn := s.Snapshot()
		committed.check(t, sn, "reopened")
		sn.Close()
	}
}

// entriesOf fails if the file has runs that no index of the table has.
func entriesOf(t *testing.T, s *Store, m alteredTable) {
	t.Helper()
	o := object(t, s, m.name)
	err := s.View(func(tx *sealed.Tx) error {
		c := tx.Bucket(bucketSegment).Cursor()
		for k, _ := c.Seek(dbfile.Key(o.ID)); bytes.HasPrefix(k, dbfile.Key(o.ID)); k, _ = c.Next() {
			if len(k) != 20 { // object, generation, part, index, run, block
				continue
			}
			number := binary.BigEndian.Uint32(k[10:])
			if !slices.ContainsFunc(o.TableIndexes(), func(x *relation.Index) bool { return x.Number == number }) {
				t.Errorf("block %x of no index", k)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

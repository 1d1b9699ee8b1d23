package storage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parlance/storage/catalog"
	"parlance/storage/value"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// tableOf creates a gazetteer of a name, a number and a score.
func tableOf(t testing.TB, s *Store, indexes ...[]string) *Object {
	t.Helper()
	o, err := s.CreateObject(background,
		Object{Name: "names", Kind: catalog.GazetteerObject, Indexes: indexes, Columns: []catalog.ColumnDef{
			{Name: "name", Type: value.Text}, {Name: "n", Type: value.Integer}, {Name: "score", Type: value.Float},
		}})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func rowOf(name string, n int) []value.Value {
	return []value.Value{value.Str(name), value.Int(int64(n)), value.Real(float64(n) / 2)}
}

// rowsOf returns n rows whose names repeat every seven rows.
func rowsOf(n int) [][]value.Value {
	out := make([][]value.Value, n)
	for i := range out {
		out[i] = rowOf(fmt.Sprint("name", i%7), i)
	}
	return out
}

func insert(t testing.TB, s *Store, o *Object, rows ...[]value.Value) {
	t.Helper()
	if n, err := s.InsertRows(background, o, rows); err != nil || n != len(rows) {
		t.Fatalf("inserted %d of %d rows: %v", n, len(rows), err)
	}
}

// scan reads a table as a map from row numbers.
func scan(t fatal, s *Store, o *Object) map[uint64][]value.Value {
	out := map[uint64][]value.Value{}
	last := int64(-1)
	err := s.ScanTable(background, o, nil, func(ids []uint64, b *value.Batch) error {
		if len(ids) != b.N {
			t.Fatalf("%d row numbers for %d rows", len(ids), b.N)
		}
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
		t.Fatalf("scan: %v", err)
	}
	return out
}

// checked verifies the whole database.
func checked(t fatal, s *Store) {
	if err := s.CheckDatabase(background, func(m string) { t.Fatalf("check: %s", m) }); err != nil {
		t.Fatalf("check: %v", err)
	}
}

// imageOf opens a copy of the file as a killed process would leave it.
func imageOf(t testing.TB, s *Store) *Store {
	t.Helper()
	raw, err := os.ReadFile(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "image.parlance")
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { out.Close() })
	out.cleaner.ended.Wait()
	return out
}

func object(t testing.TB, s *Store, name string) *Object {
	t.Helper()
	o, ok := s.Object(name)
	if !ok {
		t.Fatalf("object %s is missing", name)
	}
	return o
}

func TestTableRoundTrip(t *testing.T) {
	s := open(t)
	types := []value.Value{
		value.Str("日本\x00"), value.Int(-1 << 63), value.Real(-2.5), value.Bool(true), {T: value.Timestamp, N: 1234567},
		value.Blob([]byte{0, 255}), value.Vec32([]float32{1, -2}), {T: value.JSON, S: `{"a":1}`},
	}
	var columns []catalog.ColumnDef
	for i, v := range types {
		columns = append(columns, catalog.ColumnDef{Name: fmt.Sprint("c", i), Type: v.T})
	}
	o, err := s.CreateObject(background, Object{Name: "all", Kind: catalog.KBObject, Columns: columns})
	if err != nil {
		t.Fatal(err)
	}
	empty := make([]value.Value, len(types))
	insert(t, s, o, types, empty)
	s = reopen(t, s)
	o = object(t, s, "all")
	got := scan(t, s, o)
	want := map[uint64][]value.Value{0: types, 1: empty}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatal(d)
	}
	if n := s.TableCount(o); n != 2 {
		t.Fatalf("%d rows", n)
	}
	checked(t, s)
}

func TestTableRefusesForeignRows(t *testing.T) {
	s := open(t)
	o := tableOf(t, s)
	for _, c := range []struct {
		row  []value.Value
		want string
	}{
		{[]value.Value{value.Str("a")}, "1 values for the 3 columns of names"},
		{[]value.Value{value.Int(1), value.Int(1), value.Real(1)}, "column name of names is TEXT, not INTEGER"},
	} {
		_, err := s.InsertRows(background, o, [][]value.Value{rowOf("kept?", 1), c.row})
		if err == nil || !strings.EqualFold(err.Error(), c.want) {
			t.Errorf("error %q, want %q", err, c.want)
		}
	}
	l, err := s.NewTableLoad(o)
	if err != nil {
		t.Fatal(err)
	}
	err = l.Add(background, [][]value.Value{rowOf("a", 1), {value.Str("b")}}, []string{"f.csv:1", "f.csv:2"})
	if err == nil || !strings.HasPrefix(err.Error(), "f.csv:2: ") {
		t.Errorf("error %q names no place", err)
	}
	l.Abort()
	l.Abort()
	if n := len(scan(t, s, o)); n != 0 || s.TableCount(o) != 0 {
		t.Errorf("%d rows of failed inserts", n)
	}
	checked(t, s)
}

// TestTableLoadIsAtomic looks at the table, and at images of the file, while a load runs.
func TestTableLoadIsAtomic(t *testing.T) {
	s := open(t)
	o := tableOf(t, s)
	insert(t, s, o, rowOf("first", 0))
	hash := s.TableHash(o)
	l, err := s.NewTableLoad(o)
	if err != nil {
		t.Fatal(err)
	}
	pad := strings.Repeat("x", 1<<20)
	for i := range 20 {
		if err := l.Add(background, [][]value.Value{rowOf(pad, i)}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(scan(t, s, o)); n != 1 || s.TableCount(o) != 1 || s.TableHash(o) != hash {
		t.Fatalf("%d rows while the load runs", n)
	}
	image := imageOf(t, s)
	io := object(t, image, "names")
	if n := len(scan(t, image, io)); n != 1 || image.TableHash(io) != hash {
		t.Fatalf("%d rows after a kill", n)
	}
	checked(t, image)
	insert(t, image, io, rowOf("second", 1))
	if got := scan(t, image, io); len(got) != 2 || image.TableCount(io) != 2 {
		t.Fatalf("%d rows after the next insert, %d are counted", len(got), image.TableCount(io))
	}
	checked(t, image)
	if n, err := l.Commit(background); n != 20 || err != nil {
		t.Fatal(n, err)
	}
	if n := len(scan(t, s, o)); n != 21 {
		t.Fatalf("%d rows after commit", n)
	}
	checked(t, s)
	if n := len(scan(t, imageOf(t, s), o)); n != 21 {
		t.Fatalf("%d rows of an acknowledged load after a kill", n)
	}
}

func TestTableLoadEndsOnce(t *testing.T) {
	s := open(t)
	o := tableOf(t, s)
	l, err := s.NewTableLoad(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Add(background, rowsOf(3), nil); err != nil {
		t.Fatal(err)
	}
	stopped, cancel := context.WithCancel(background)
	cancel()
	if _, err := l.Commit(stopped); !errors.Is(err, context.Canceled) {
		t.Fatalf("commit after cancel: %v", err)
	}
	if _, err := l.Commit(background); err == nil {
		t.Fatal("a cancelled load was committed")
	}
	l.Abort()
	if n := len(scan(t, s, o)); n != 0 {
		t.Fatalf("%d rows of a cancelled load", n)
	}
	insert(t, s, o, rowsOf(3)...)
}

func TestScanSeesCommittedRangeOnly(t *testing.T) {
	s := open(t)
	o := tableOf(t, s)
	const n = 3*value.BatchSize + 5
	insert(t, s, o, rowsOf(n)...)
	seen := 0
	err := s.ScanTable(background, o, []bool{false, true, false}, func(ids []uint64, b *value.Batch) error {
		if seen == 0 {
			insert(t, s, o, rowsOf(10)...)
		}
		if b.Cols[0].Strs != nil || b.Cols[2].Floats != nil {
			t.Error("a column that is not needed has values")
		}
		for i, id := range ids {
			if b.Cols[1].Ints[i] != int64(id) {
				t.Fatalf("row %d has %d", id, b.Cols[1].Ints[i])
			}
		}
		seen += b.N
		return nil
	})
	if err != nil || seen != n {
		t.Fatalf("%d rows of %d: %v", seen, n, err)
	}
	stop := errors.New("stop")
	if err := s.ScanTable(background, o, nil, func([]uint64, *value.Batch) error { return stop }); !errors.Is(err, stop) {
		t.Fatalf("scan: %v", err)
	}
}

// TestTableHash follows the hash through changes and their undoing.
func TestTableHash(t *testing.T) {
	s := open(t)
	o := tableOf(t, s)
	none := s.TableHash(o)
	insert(t, s, o, rowOf("a", 1), rowOf("b", 2))
	two := s.TableHash(o)
	if two == none {
		t.Fatal("rows do not change the hash")
	}
	if err := s.UpdateRows(background, o, []uint64{1}, [][]value.Value{rowOf("b", 3)}); err != nil {
		t.Fatal(err)
	}
	if s.TableHash(o) == two {
		t.Fatal("an update does not change the hash")
	}
	if err := s.UpdateRows(background, o, []uint64{1}, [][]value.Value{rowOf("b", 2)}); err != nil {
		t.Fatal(err)
	}
	if s.TableHash(o) != two {
		t.Fatal("undoing an update does not restore the hash")
	}
	insert(t, s, o, rowOf("c", 3))
	if n, err := s.DeleteRows(background, o, []uint64{2, 77}); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	if s.TableHash(o) != two {
		t.Fatal("undoing an insert does not restore the hash")
	}
	if n, err := s.DeleteRows(background, o, []uint64{0, 1}); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	if s.TableHash(o) != none || s.TableCount(o) != 0 {
		t.Fatal("an emptied table has another hash than a new one")
	}
	insert(t, s, o, rowOf("b", 2))
	insert(t, s, o, rowOf("a", 1))
	if s.TableHash(o) != two {
		t.Fatal("the hash depends on the order of rows")
	}
	s = reopen(t, s)
	if s.TableHash(object(t, s, "names")) != two {
		t.Fatal("the hash is lost on reopening")
	}
}

// TestTableAgainstMap runs random changes, with indexes and reopenings, against a map.
func TestTableAgainstMap(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		path := filepath.Join(dir, fmt.Sprint(n))
		s, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { s.Close() }()
		o, err := s.CreateObject(background,
			Object{Name: "t", Kind: catalog.LexiconObject,
				Columns: []catalog.ColumnDef{{Name: "a", Type: value.Text}, {Name: "b", Type: value.Integer}}})
		if err != nil {
			t.Fatal(err)
		}
		model, next := map[uint64][]value.Value{}, uint64(0)
		draw := func() []value.Value {
			row := []value.Value{value.Str(rapid.SampledFrom([]string{"", "a", "a\x00", "ab", "b"}).Draw(t, "a")),
				value.Int(rapid.Int64Range(-2, 2).Draw(t, "b"))}
			if rapid.IntRange(0, 4).Draw(t, "null") == 0 {
				row[rapid.IntRange(0, 1).Draw(t, "column")] = value.Value{}
			}
			return row
		}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			switch step := rapid.IntRange(0, 6).Draw(t, "step"); step {
			case 0, 1:
				var rows [][]value.Value
				for range rapid.IntRange(1, 4).Draw(t, "rows") {
					rows = append(rows, draw())
					model[next] = rows[len(rows)-1]
					next++
				}
				_, err = s.InsertRows(background, o, rows)
			case 2:
				id := rapid.Uint64Range(0, next+1).Draw(t, "id")
				row := draw()
				if _, ok := model[id]; ok {
					model[id] = row
				}
				err = s.UpdateRows(background, o, []uint64{id}, [][]value.Value{row})
			case 3:
				id := rapid.Uint64Range(0, next+1).Draw(t, "id")
				delete(model, id)
				_, err = s.DeleteRows(background, o, []uint64{id})
			case 6:
				gone := []uint64{rapid.Uint64Range(0, next+1).Draw(t, "gone")}
				delete(model, gone[0])
				model[next] = draw()
				err = s.ReplaceRows(background, o, gone, [][]value.Value{model[next]})
				next++
			case 4:
				o = toggleIndex(t, s, o, rapid.SampledFrom([][]string{{"a"}, {"b", "a"}}).Draw(t, "index"))
			case 5:
				if err = s.Close(); err == nil {
					s, err = Open(path, Options{})
				}
				if err == nil {
					o, _ = s.Object("t")
				}
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if d := cmp.Diff(model, scan(t, s, o)); d != "" {
			t.Fatal(d)
		}
		if s.TableCount(o) != len(model) {
			t.Fatalf("%d rows are counted, there are %d", s.TableCount(o), len(model))
		}
		checked(t, s)
		lookups(t, s, o, model)
	})
}

// TestRemovalTakesFewTransactions counts them for a load that was not committed, and for a dropped table with its
// index.
func TestRemovalTakesFewTransactions(t *testing.T) {
	s := open(t)
	o := tableOf(t, s, []string{"n"})
	l, err := s.NewTableLoad(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Add(background, rowsOf(40000), nil); err != nil {
		t.Fatal(err)
	}
	if err := l.d.Flush(); err != nil {
		t.Fatal(err)
	}
	began := s.Statistics().Writes
	l.Abort()
	if n := keys(t, s, bucketSegment); n != 0 {
		t.Errorf("%d blocks are left", n)
	}
	if n := s.Statistics().Writes - began; n != 1 {
		t.Errorf("40000 rows of a load took %d transactions", n)
	}
	if _, err := s.InsertRows(background, o, rowsOf(6000)); err != nil {
		t.Fatal(err)
	}
	began = s.Statistics().Writes
	if err := s.DropObject(background, "names"); err != nil || keys(t, s, bucketSegment) != 0 {
		t.Errorf("%d blocks are left, %v", keys(t, s, bucketSegment), err)
	}
	if n := s.Statistics().Writes - began; n > 4 {
		t.Errorf("a table of 6000 rows took %d transactions", n)
	}
}

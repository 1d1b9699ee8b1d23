package storage

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"parlance/storage/catalog"
	"parlance/storage/value"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func hasIndex(o *Object, cols []string) bool {
	return slices.ContainsFunc(o.Indexes, func(c []string) bool { return slices.Equal(c, cols) })
}

// toggleIndex creates the index, or drops it if there is one.
func toggleIndex(t *rapid.T, s *Store, o *Object, cols []string) *Object {
	toggleIndexWithin(t, background, s, o, cols)
	o, _ = s.Object(o.Name)
	return o
}

func toggleIndexWithin(t *rapid.T, ctx context.Context, s *Store, o *Object, cols []string) {
	change := s.CreateIndex
	if hasIndex(o, cols) {
		change = s.DropIndex
	}
	if err := change(ctx, o, cols); err != nil {
		t.Fatal(err)
	}
}

// lookup returns what an index finds.
func lookup(t fatal, s *Store, o *Object, cols []string, key ...value.Value) map[uint64][]value.Value {
	out := map[uint64][]value.Value{}
	ok, err := s.LookupRows(background, o, cols, []catalog.KeyRange{{Equal: key}}, func(ids []uint64,
		b *value.Batch) error {
		for i, id := range ids {
			out[id] = b.Row(nil, i)
		}
		return nil
	})
	if err != nil || ok != hasIndex(o, cols) {
		t.Fatalf("look up %v: index used %v: %v", cols, ok, err)
	}
	return out
}

// lookups compares every index with a filter over the rows, for each key that a row has.
func lookups(t fatal, s *Store, o *Object, model map[uint64][]value.Value) {
	for _, cols := range o.Indexes {
		at := make([]int, len(cols))
		for i, c := range cols {
			at[i] = o.Column(c)
		}
		for _, probe := range model {
			key := make([]value.Value, len(cols))
			for i, c := range at {
				key[i] = probe[c]
			}
			want := map[uint64][]value.Value{}
			for id, row := range model {
				if !slices.ContainsFunc(at, func(c int) bool { return row[c] != probe[c] }) {
					want[id] = row
				}
			}
			if d := cmp.Diff(want, lookup(t, s, o, cols, key...)); d != "" {
				t.Fatalf("index on %v, key %v: %s", cols, key, d)
			}
		}
	}
}

func TestIndexOfFilledTable(t *testing.T) {
	s := open(t)
	o := tableOf(t, s)
	insert(t, s, o, rowsOf(3000)...)
	version := s.CatalogVersion()
	if err := s.CreateIndex(background, o, []string{"name"}); err != nil {
		t.Fatal(err)
	}
	if s.CatalogVersion() == version {
		t.Fatal("plans do not learn of the index")
	}
	o = object(t, s, "names")
	insert(t, s, o, rowOf("name3", -1))
	s = reopen(t, s)
	o = object(t, s, "names")
	if got := lookup(t, s, o, []string{"name"}, value.Str("name3")); len(got) != 430 {
		t.Fatalf("the index finds %d rows", len(got))
	}
	if got := lookup(t, s, o, []string{"name"}, value.Str("name")); len(got) != 0 {
		t.Fatalf("the index finds %d rows by the start of a key", len(got))
	}
	checked(t, s)
	if err := s.DropIndex(background, o, []string{"name"}); err != nil {
		t.Fatal(err)
	}
	o = object(t, s, "names")
	if err := s.DropIndex(background, o, []string{"name"}); !errors.Is(err, ErrNotFound) {
		t.Fatalf("dropping a dropped index: %v", err)
	}
	if st, err := s.FileStats(); err != nil || st.Buckets["index"] != 0 {
		t.Fatalf("%d index entries are left: %v", st.Buckets["index"], err)
	}
	checked(t, s)
}

// TestIndexThatWasDropped is not used, and one made again is, by who knows the object from before.
func TestIndexThatWasDropped(t *testing.T) {
	s := open(t)
	o := tableOf(t, s)
	insert(t, s, o, rowsOf(10)...)
	cols := []string{"name"}
	if err := s.CreateIndex(background, o, cols); err != nil {
		t.Fatal(err)
	}
	o = object(t, s, "names")
	for i, change := range []func(context.Context, *Object, []string) error{nil, s.DropIndex, s.CreateIndex} {
		if i > 0 {
			if err := change(background, object(t, s, "names"), cols); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			if _, ok, err := s.Snapshot().CountEntries(background, o, cols, []catalog.KeyRange{{}},
				20); err != nil || ok != (i != 1) {
				t.Errorf("after %d changes the index is used: %v, %v", i, ok, err)
			}
		}
	}
}

// TestIndexOfNumbers distinguishes integers that one float stands for, and equates 2 and 2.0.
func TestIndexOfNumbers(t *testing.T) {
	s := open(t)
	o, err := s.CreateObject(background,
		Object{Name: "t", Kind: catalog.KBObject, Indexes: [][]string{{"n"}}, Columns: []catalog.ColumnDef{{Name: "n",
			Type: value.Integer}}})
	if err != nil {
		t.Fatal(err)
	}
	numbers := []int64{2, 1 << 53, 1<<53 + 1, 1<<62 + 1, 1 << 62, math.MinInt64, -1}
	for _, n := range numbers {
		insert(t, s, o, []value.Value{value.Int(n)})
	}
	for i, n := range numbers {
		if got := lookup(t, s, o, []string{"n"}, value.Int(n)); len(got) != 1 || got[uint64(i)] == nil {
			t.Errorf("%d finds %v", n, got)
		}
	}
	if got := lookup(t, s, o, []string{"n"}, value.Real(2)); len(got) != 1 {
		t.Errorf("2.0 finds %v", got)
	}
}

// TestLookupHidesRunningLoad looks for rows of a load that is not committed.
func TestLookupHidesRunningLoad(t *testing.T) {
	s := open(t)
	o := tableOf(t, s, []string{"name"})
	insert(t, s, o, rowOf("a", 1))
	l, err := s.NewTableLoad(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Add(background, [][]value.Value{rowOf("a", 2)}, nil); err != nil {
		t.Fatal(err)
	}
	if err := l.d.Flush(); err != nil {
		t.Fatal(err)
	}
	if got := lookup(t, s, o, []string{"name"}, value.Str("a")); len(got) != 1 {
		t.Fatalf("the index finds %v", got)
	}
	l.Abort()
	if got := lookup(t, s, o, []string{"name"}, value.Str("a")); len(got) != 1 {
		t.Fatalf("the index finds %v", got)
	}
	checked(t, s)
}

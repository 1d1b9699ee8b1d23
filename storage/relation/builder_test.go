package relation

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"parlance/storage/value"
)

// TestAddRows adds rows of more than two segments in batches, and wants the blocks that adding each by itself makes.
// The texts of some segments reach their limit before the rows do.
func TestAddRows(t *testing.T) {
	rows := make([][]value.Value, 40_000)
	for i := range rows {
		rows[i] = []value.Value{value.Str(fmt.Sprint("w", i%300)), value.Int(int64(i * i % 1000)), value.Real(float64(i) / 8),
			value.Str(fmt.Sprint(i))}
		if i%7 == 0 {
			rows[i][i%4] = value.Value{}
		}
		if i > 30_000 {
			rows[i][3] = value.Str(strings.Repeat("long", 200))
		}
	}
	ids := make([]uint64, len(rows))
	for i := range ids {
		ids[i] = uint64(3 * i)
	}
	want, got := file{}, file{}
	one := NewBuilder(7, 1, len(testTypes), testIndexes, want.put)
	many := NewBuilder(7, 1, len(testTypes), testIndexes, got.put)
	for i, row := range rows {
		if err := one.Add(ids[i], row); err != nil {
			t.Fatal(err)
		}
	}
	for from, n := 0, 1; from < len(rows); from, n = from+n, 3*n {
		to := min(from+n, len(rows))
		if err := many.AddRows(ids[from:to], value.FromRows(testTypes, rows[from:to]).Columns()); err != nil {
			t.Fatal(err)
		}
	}
	for _, b := range []*Builder{one, many} {
		if _, err := b.Finish(); err != nil {
			t.Fatal(err)
		}
	}
	if len(one.dir.segments) < 5 {
		t.Errorf("only %d segments", len(one.dir.segments))
	}
	if !slices.Equal(slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want))) {
		t.Fatal("other blocks")
	}
	for k, b := range want {
		if string(got[k]) != string(b) {
			t.Errorf("block %x differs", k)
		}
	}
}

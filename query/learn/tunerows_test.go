package learn

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"parlance/query/input"
	"parlance/storage/value"
)

// TestRowFolds deals rows out: each to one fold, folds of equal size, by the key and the seed alone.
func TestRowFolds(t *testing.T) {
	const rows, n = 1000, 7
	row := func(i int) []value.Value {
		return []value.Value{value.Str(fmt.Sprint("s", i)), value.Real(float64(i)), value.Str("o")}
	}
	var before []int
	for _, seed := range []uint64{1, 1, 2} {
		f, known := &input.RowFolds{Seed: seed, N: n}, map[uint64]bool{}
		for i := range rows {
			known[f.Hash(row(i), []int{0, 2})] = true
		}
		f.Hashes = slices.Sorted(maps.Keys(known))
		of, sizes := make([]int, rows), make([]int, n)
		for i := range rows {
			in := 0
			for fold := range n {
				held, rest := input.FoldedRows{Folds: f, Key: []int{0, 2}, Fold: fold, In: true},
					input.FoldedRows{Folds: f, Key: []int{0, 2}, Fold: fold, In: false}
				if held.Has(row(i)) == rest.Has(row(i)) {
					t.Fatalf("row %d is in both or neither", i)
				}
				other := row(i)
				other[1] = value.Real(-1)
				if held.Has(other) != held.Has(row(i)) {
					t.Fatalf("row %d: a column that is not in the key counts", i)
				}
				if held.Has(row(i)) {
					of[i], in = fold, in+1
				}
			}
			if in != 1 {
				t.Fatalf("row %d is in %d folds", i, in)
			}
			sizes[of[i]]++
		}
		if slices.Max(sizes)-slices.Min(sizes) > 1 {
			t.Errorf("sizes %v", sizes)
		}
		if same := slices.Equal(of, before); before != nil && same != (seed == 1) {
			t.Errorf("seed %d: equal folds %v", seed, same)
		}
		before = of
	}
}

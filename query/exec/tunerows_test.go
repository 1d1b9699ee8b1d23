package exec

import (
	"fmt"
	"maps"
	"slices"
	"testing"

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
		f, known := &rowFolds{seed: seed, n: n}, map[uint64]bool{}
		for i := range rows {
			known[f.hash(row(i), []int{0, 2})] = true
		}
		f.hashes = slices.Sorted(maps.Keys(known))
		of, sizes := make([]int, rows), make([]int, n)
		for i := range rows {
			in := 0
			for fold := range n {
				held, rest := foldedRows{f, []int{0, 2}, fold, true}, foldedRows{f, []int{0, 2}, fold, false}
				if held.has(row(i)) == rest.has(row(i)) {
					t.Fatalf("row %d is in both or neither", i)
				}
				other := row(i)
				other[1] = value.Real(-1)
				if held.has(other) != held.has(row(i)) {
					t.Fatalf("row %d: a column that is not in the key counts", i)
				}
				if held.has(row(i)) {
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

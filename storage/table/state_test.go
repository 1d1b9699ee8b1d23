package table

import (
	"testing"

	"parlance/storage/relation"

	"github.com/google/go-cmp/cmp"
)

// TestState writes a state and reads it, whole and cut.
func TestState(t *testing.T) {
	want := State{Next: 700, Count: 600, Sum: relation.Sum{1 << 60, 3}, Gens: []*relation.Generation{
		{Rel: 4, ID: 9, Rows: 600, Gone: 0}, {Rel: 4, ID: 300, Rows: 2, Gone: 70_000, Small: true}}}
	raw := want.encode()
	got, ok := Decode(4, raw)
	if !ok || len(got.Gens) != len(want.Gens) || got.Next != want.Next || got.Count != want.Count || got.Sum != want.Sum {
		t.Fatalf("%v, %v is expected", got, want)
	}
	for i, g := range got.Gens {
		w := want.Gens[i]
		want, got := []any{w.Rel, w.ID, w.Rows, w.Gone, w.Small}, []any{g.Rel, g.ID, g.Rows, g.Gone, g.Small}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	for n := range raw {
		if _, ok := Decode(4, raw[:n]); ok {
			t.Errorf("a state is read from %d of %d bytes", n, len(raw))
		}
	}
	if _, ok := Decode(4, append(raw, 0)); ok {
		t.Error("a state with a byte more is read")
	}
}

// TestEndOfTier wants generations of like size merged when there are enough, with the smaller ones among them, and a
// large one before them left alone.
func TestEndOfTier(t *testing.T) {
	gens := func(sizes ...int) (out []*relation.Generation) {
		for _, n := range sizes {
			out = append(out, &relation.Generation{Rows: n, Small: n < 500})
		}
		return out
	}
	for _, c := range []struct {
		sizes []int
		small bool
		want  int
	}{
		{nil, false, 0},
		{[]int{5, 5, 5, 5, 5, 5, 5}, false, 7},
		{[]int{5, 5, 5, 5, 5, 5, 5, 5}, false, 0},
		{[]int{9000, 5, 5, 5, 5, 5, 5, 5, 5}, false, 1},
		{[]int{9000, 100, 5, 5, 5, 5, 5, 5, 5, 5}, false, 2},
		{[]int{70, 5, 70, 70, 70, 5, 70, 70, 70, 70}, false, 0},
		{[]int{600, 600, 600, 600, 600, 600, 600, 600}, false, 0},
		{[]int{600, 600, 600, 600, 600, 600, 600, 600}, true, 8},
	} {
		if got := endOfTier(gens(c.sizes...), c.small); got != c.want {
			t.Errorf("%v, small %t: from %d on, want %d", c.sizes, c.small, got, c.want)
		}
	}
}

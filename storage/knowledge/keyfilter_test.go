package knowledge

import (
	"fmt"
	"testing"

	"parlance/storage/value"
)

// TestKeyFilter asks for keys that were added, in groups of several sizes, and for as many others.
func TestKeyFilter(t *testing.T) {
	key := func(kind string, group, i int) []value.Value {
		return []value.Value{value.Str(kind), value.Str(fmt.Sprint(group)), value.Int(int64(i))}
	}
	sizes := []int{0, 1, 3, 1000, 70_000}
	var f keyFilter
	if f.has(key("new", 0, 0)) {
		t.Error("a filter without groups has a key")
	}
	for group, n := range sizes {
		f.begin(n)
		for i := range n {
			f.add(key("old", group, i))
		}
		if bits := 64 * len(f.groups[group]); bits < 16*n || bits > 32*max(n, fewKeys) {
			t.Errorf("%d bits for %d keys", bits, n)
		}
	}
	wrong, all := 0, 0
	for group, n := range sizes {
		for i := range n {
			if all++; !f.has(key("old", group, i)) {
				t.Fatalf("key %d of group %d was added", i, group)
			}
			if f.has(key("new", group, i)) {
				wrong++
			}
		}
	}
	// Expected: at most .0009 for each of two groups of some size.
	if most := all * 3 / 1000; wrong > most {
		t.Errorf("%d of %d other keys may have been added, at most %d are expected", wrong, all, most)
	}
}

package relation

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestOrder sorts keys as comparing them does: of any lengths, of one length with differences in a few bytes or in more
// than eight, with long beginnings in common, and equal ones by their row numbers; few and many.
func TestOrder(t *testing.T) {
	shapes := map[string]*rapid.Generator[string]{
		"any": keyGen,
		"few bytes": rapid.Custom(func(t *rapid.T) string {
			return fmt.Sprintf("head%03dtail", rapid.IntRange(0, 9).Draw(t, "n"))
		}),
		"nine bytes": rapid.Custom(func(t *rapid.T) string {
			return fmt.Sprintf("%dsevenby%d", rapid.IntRange(0, 1).Draw(t, "n"), rapid.IntRange(0, 2).Draw(t, "m"))
		}),
		"beginnings": rapid.Custom(func(t *rapid.T) string {
			part := rapid.SampledFrom([]string{"", "\x00", "12345678", "a long part of a key", "a long part of another"})
			return "x" + part.Draw(t, "a") + part.Draw(t, "b") + part.Draw(t, "c")
		}),
		"lengths": rapid.Custom(func(t *rapid.T) string {
			return rapid.StringOfN(rapid.Just('\x00'), 0, 4, -1).Draw(t, "s")
		}),
	}
	for name, keys := range shapes {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				var list []entry
				shortest := rapid.SampledFrom([]int{1, 20, fewOrdered, 300}).Draw(t, "shortest")
				for i, k := range rapid.SliceOfN(keys, shortest, 400).Draw(t, "keys") {
					list = append(list, entry{k, uint64(i)})
				}
				c := collector{entryList: *listOf(list), room: new(sortRoom)}
				slices.SortFunc(list, compareEntries)
				for i, at := range c.order() {
					if uint64(at.i) != list[i].id {
						t.Fatalf("place %d has entry %d, want %d", i, at.i, list[i].id)
					}
				}
			})
		})
	}
}

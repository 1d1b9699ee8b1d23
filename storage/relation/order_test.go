package relation

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"testing"

	"parlance/storage/value"

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

// TestRanks wants the same blocks of rows whether the order of their words is known or not: with NULLs, words that
// begin others, and keys that are cut, which have another order than their words.
func TestRanks(t *testing.T) {
	const whole = 24
	key := func(slots ...int) func(dst []byte, row []value.Value) []byte {
		uncut := indexOn(0, slots...).Key
		return func(dst []byte, row []value.Value) []byte {
			k := uncut(nil, row)
			if len(k) > whole {
				k = append(k[:whole-1], byte(len(k)))
			}
			return append(dst, k...)
		}
	}
	indexes := []*Index{{Number: 1, Slots: []int{0, 1, 2}, Key: key(0, 1, 2), Whole: whole},
		{Number: 2, Slots: []int{1}, Key: key(1), Whole: whole}}
	parts := rapid.SampledFrom([]string{"", "\x00", "a", "b", "\xff", "a longer part"})
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) string {
			return parts.Draw(t, "a") + parts.Draw(t, "b") + parts.Draw(t, "c")
		}), 2, 30, rapid.ID).Draw(t, "words")
		words = append([]string{""}, words...) // that of NULL
		cols := make([]*value.Vec, 3)
		n := rapid.IntRange(1, 40).Draw(t, "rows")
		for i := range cols {
			v := &value.Vec{Type: value.Text, Null: make([]bool, n)}
			v.Codes = rapid.SliceOfN(rapid.Uint32Range(0, uint32(len(words)-1)), n, n).Draw(t, "codes")
			for k, c := range v.Codes {
				v.Null[k] = c == 0
			}
			cols[i] = v
		}
		ids := make([]uint64, n)
		for i := range ids {
			ids[i] = uint64(i)
		}
		build := func(d *value.Dict) (f file, ranked int) {
			f = file{}
			b := NewBuilder(7, 1, len(cols), indexes, f.put)
			for _, v := range cols {
				v.Dict = d
			}
			if err := b.AddRows(ids, cols); err != nil {
				t.Fatal(err)
			}
			for _, x := range b.indexes {
				ranked += len(x.ranks)
			}
			if _, err := b.Finish(); err != nil {
				t.Fatal(err)
			}
			return f, ranked
		}
		got, ranked := build(&value.Dict{Words: words, Ranks: Ranks(words)})
		want, none := build(&value.Dict{Words: words})
		if longest := slices.MaxFunc(words, func(a, b string) int { return len(a) - len(b) }); none > 0 ||
			len(longest) < 3 && ranked < 2*n {
			t.Errorf("%d and %d ranks", ranked, none)
		}
		if !maps.EqualFunc(got, want, bytes.Equal) {
			t.Error("other blocks")
		}
	})
}

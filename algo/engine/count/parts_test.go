package count

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestPartsAddUp cuts words among shards, counts each shard by itself and merges the parts in some order and grouping:
// the bytes are those of one counter.
func TestPartsAddUp(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "parts")
		shards := make([]map[string]uint64, rapid.IntRange(1, 6).Draw(t, "shards"))
		all := map[string]uint64{}
		for i := range shards {
			shards[i] = rapid.MapOf(rapid.StringN(0, 3, -1), rapid.Uint64Range(1, 1<<40)).Draw(t, "shard")
			for k, c := range shards[i] {
				all[k] += c
			}
		}
		states := make([][][]byte, n)
		for _, s := range shards {
			found := saved1(t, s, n)
			for k, f := range found {
				states[k] = append(states[k], f)
			}
		}
		want := saved1(t, all, n)
		for k, list := range states {
			list = rapid.Permutation(list).Draw(t, "order")
			at := rapid.IntRange(0, len(list)).Draw(t, "group")
			first, err := MergeParts(ctx, list[:at])
			if err != nil {
				t.Fatal(err)
			}
			got, err := MergeParts(ctx, append([][]byte{first}, list[at:]...))
			if err != nil {
				t.Fatal(err)
			}
			empty, _ := MergeParts(ctx, nil)
			if want[k] == nil {
				want[k] = empty
			}
			if !bytes.Equal(got, want[k]) {
				t.Fatalf("part %d differs", k)
			}
		}
		c, err := LoadParts(ctx, want, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		got := map[string]uint64{}
		if err := c.Each(ctx, 1, func(k string, n uint64) bool { got[k] = n; return true }); err != nil {
			t.Fatal(err)
		}
		if !maps.Equal(got, all) {
			t.Fatalf("%v, want %v", got, all)
		}
	})
}

// saved1 is a shard's counts in parts.
func saved1(t *rapid.T, counts map[string]uint64, n int) [][]byte {
	ctx := context.Background()
	c := New[string](Options{Memory: 64})
	defer c.Close()
	w := c.Writer(ctx)
	for k, n := range counts {
		if err := errors.Join(w.AddN(k, n-1), w.Add(k)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	found, err := SaveParts(ctx, c, n)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestKeysOfWords: keys have the order of their words, marks come first, and all words come back.
func TestKeysOfWords(t *testing.T) {
	word := rapid.Custom(func(t *rapid.T) string {
		return string(rapid.SliceOfN(rapid.SampledFrom([]byte("\x00\x01\x02\x03\x04\x07ab\xff")), 0, 3).Draw(t, "word"))
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.SliceOfN(word, 1, 4).Draw(t, "a"), rapid.SliceOfN(word, 1, 4).Draw(t, "b")
		key := func(words []string) string {
			var k []byte
			for i, w := range words {
				k = AppendWord(k, i == 0, w)
			}
			return string(k)
		}
		if got, want := strings.Compare(key(a), key(b)), slices.Compare(a, b); got != want {
			t.Fatalf("%q before %q: %d, want %d", a, b, got, want)
		}
		var again []string
		for _, p := range SplitKey(nil, key(a)) {
			again = append(again, WordOf(p))
		}
		if !slices.Equal(again, a) {
			t.Fatalf("%q, want %q", again, a)
		}
		for _, mark := range []string{FirstMark, SecondMark} {
			if k := string(AppendMark(nil, true, mark)); a[0] != "" && k >= key(a[:1]) || k == key(a[:1]) {
				t.Fatalf("%q is not before %q", k, a)
			}
		}
	})
}

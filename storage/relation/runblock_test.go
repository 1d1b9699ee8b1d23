package relation

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// keyGen draws keys that share beginnings of any length, and equal ones.
var keyGen = rapid.Custom(func(t *rapid.T) string {
	head := strings.Repeat("ab", rapid.IntRange(0, 20).Draw(t, "head"))
	return head + rapid.StringOfN(rapid.RuneFrom([]rune("ab\x00")), 0, 30, -1).Draw(t, "tail")
})

func listOf(list []entry) *entryList {
	l := &entryList{}
	for _, e := range list {
		l.add([]byte(e.key), e.id)
	}
	return l
}

// blockOf writes entries as a block and reads it, after damage has changed it.
func blockOf(list []entry, damage func([]byte)) (*runBlock, error) {
	stored := listOf(list).encode()
	if damage != nil {
		damage(stored)
	}
	at := file{string(runKey(1, 2, 3, 0, 0)): stored}
	return readRunBlock(at, &Generation{Rel: 1, ID: 2}, 3, 0, &runExtent{list[0].key, len(list)}, 0)
}

// TestRunBlockNumbers reads numbers of each width, at each place in a byte.
func TestRunBlockNumbers(t *testing.T) {
	for width := range 65 {
		var list []entry
		for i := range uint64(20) {
			most := ^uint64(0) >> (64 - width)
			list = append(list, entry{fmt.Sprintf("%02d", i), most - most/23*i}, entry{fmt.Sprintf("%02d", i), 0})
		}
		b, err := blockOf(list, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range list {
			if got := b.id(i); got != e.id {
				t.Errorf("width %d, entry %d: %x, want %x", width, i, got, e.id)
			}
		}
	}
}

// TestRunBlockParts reads keys that share any number of bytes and differ in any number of further ones.
func TestRunBlockParts(t *testing.T) {
	for same := range 20 {
		for more := range 20 {
			head, tail := strings.Repeat("a", same), strings.Repeat("b", more)
			list := []entry{{head + "a", 1}, {head + tail, 2}, {head + tail + "b", 3}}
			slices.SortFunc(list, compareEntries)
			b, err := blockOf(list, nil)
			if err != nil {
				t.Fatal(err)
			}
			e := b.from(nil)
			for _, want := range list {
				if !e.next() || string(e.key) != want.key || e.id() != want.id {
					t.Errorf("%d shared and %d further bytes: %q %d, want %v", same, more, e.key, e.id(), want)
				}
			}
		}
	}
}

// TestRunBlockDamage exchanges the ends of groups, cuts one off, and lets a key share more than the one before has.
func TestRunBlockDamage(t *testing.T) {
	var list []entry
	for i := range 40 { // each key is a byte and the common end: header 4, numbers 30
		list = append(list, entry{string(rune('0'+i)) + "z", uint64(i)})
	}
	ends := 4 + 40*6/8
	for name, damage := range map[string]func(b []byte){
		"ends in the wrong order": func(b []byte) { b[ends], b[ends+4] = b[ends+4], b[ends] },
		"the last end":            func(b []byte) { b[ends+8]-- },
		"a shared byte too many":  func(b []byte) { b[ends+3*4+2] = 0x20 },
		"the first key":           func(b []byte) { b[ends+3*4+1] = 'x' },
		"the width":               func(b []byte) { b[1] = 63 },
	} {
		b, err := blockOf(list, damage)
		if err == nil {
			_, err = b.visit(nil, nil, func(uint64) (bool, error) { return true, nil })
		}
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v, want ErrDamaged", name, err)
		}
	}
}

// TestRunBlock finds what a search through all entries finds, in blocks of any size and any spread of row numbers.
func TestRunBlock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spread := rapid.SampledFrom([]uint64{0, 1, 1000, 1 << 40, 1<<56 - 1, 1 << 56, math.MaxUint64}).Draw(t, "spread")
		least := rapid.Uint64Range(0, math.MaxUint64-spread).Draw(t, "least")
		shortest := rapid.SampledFrom([]int{1, 15, 16, 17, 60}).Draw(t, "shortest")
		end := rapid.SampledFrom([]string{"", "a", "\x00\x00", "abab"}).Draw(t, "end") // of all keys
		keys := rapid.OneOf(keyGen, rapid.SampledFrom([]string{"", "a", "ab"}))        // equal keys fill groups
		list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) entry {
			return entry{keys.Draw(t, "key") + end, least + rapid.Uint64Range(0, spread).Draw(t, "id")}
		}), shortest, 70).Draw(t, "entries")
		slices.SortFunc(list, compareEntries)
		b, err := blockOf(list, nil)
		if err != nil {
			t.Fatal(err)
		}
		from := []byte(rapid.OneOf(keyGen, rapid.Map(rapid.SampledFrom(list), func(e entry) string { return e.key })).
			Draw(t, "from"))
		var to []byte
		if rapid.Bool().Draw(t, "bounded") {
			to = []byte(keyGen.Draw(t, "to"))
		}
		var got, want []uint64
		for _, e := range list {
			if e.key >= string(from) && (to == nil || e.key < string(to)) {
				want = append(want, e.id)
			}
		}
		most := rapid.IntRange(1, 80).Draw(t, "most")
		on, err := b.visit(from, to, func(id uint64) (bool, error) {
			got = append(got, id)
			return len(got) < most, nil
		})
		if err != nil || on != (len(want) < most) || !slices.Equal(got, want[:min(most, len(want))]) {
			t.Fatalf("visited %v (%t, %v), want %v", got, on, err, want)
		}
	})
}

// TestRunBlockSize holds a block to its format: a header and a number of 10 bits for each entry, an end for each group,
// and for neighbours that differ in one byte two bytes each.
func TestRunBlockSize(t *testing.T) {
	n := 64
	var list []entry
	for i := range n {
		list = append(list, entry{fmt.Sprintf("word%02d\x00\x00", i), 7 + uint64(i)*16})
	}
	b := listOf(list).encode()
	groups := 4*7 + (n-4)*2 + 6 // where one of six tens begins, two bytes differ
	if want := 2 + 3 + n*10/8 + 4*4 + groups; len(b) != want {
		t.Errorf("%d bytes, want %d", len(b), want)
	}
	if b[0] != 7 || b[1] != 10 {
		t.Errorf("least %d, width %d; want 7 and 10", b[0], b[1])
	}
	if !bytes.Contains(b, []byte("\x06word16\x51"+"7")) {
		t.Error("the second group does not begin with its key and the part of the next")
	}
}

package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parlance/algo/text"
)

// TestCrossingArcsByEnumeration compares with the definition: an arc is not projective if a
// token between its ends has no path of heads to its head.
func TestCrossingArcsByEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "tokens")
		order := rapid.Permutation(numbers(n)).Draw(t, "order")
		heads := make([]int32, n) // the head of a token stands before it in order
		for i, k := range order {
			if i > 0 {
				heads[k-1] = rapid.SampledFrom(append([]int32{0}, order[:i]...)).Draw(t, "head")
			}
		}
		want := 0
		for i, h := range heads {
			k := int32(i + 1)
			for j := min(h, k) + 1; j < max(h, k); j++ {
				if !under(heads, j, h) {
					want++
					break
				}
			}
		}
		x := &trees{head: heads}
		if k := x.cycle(); k != 0 {
			t.Fatalf("cycle at %d in %v", k, heads)
		}
		if got, _ := x.cross(); got != want {
			t.Fatalf("%v: %d arcs, want %d", heads, got, want)
		}
	})
}

func numbers(n int) (out []int32) {
	for i := range n {
		out = append(out, int32(i+1))
	}
	return out
}

func under(heads []int32, k, h int32) bool {
	for k != h && k != 0 {
		k = heads[k-1]
	}
	return k == h
}

// TestCyclesByWalking compares with walking as many steps as there are tokens.
func TestCyclesByWalking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(t, "tokens")
		heads := rapid.SliceOfN(rapid.Int32Range(-1, int32(n)), n, n).Draw(t, "heads")
		x := &trees{head: heads}
		on := map[int]bool{} // tokens on cycles
		for k := 1; k <= n; k++ {
			j := heads[k-1]
			for range n {
				if j > 0 && int(j) != k {
					j = heads[j-1]
				}
			}
			on[k] = int(j) == k
		}
		got := x.cycle()
		if slices.Contains([]bool{on[1], on[2], on[3], on[4], on[5], on[6], on[7]}, true) != (got > 0) ||
			got > 0 && !on[got] {
			t.Fatalf("%v: cycle at %d, tokens on cycles %v", heads, got, on)
		}
	})
}

// TestOverlapsByPairs compares with looking at all pairs of spans.
func TestOverlapsByPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 7
		d := build("a", strings.Repeat("w ", n))
		var list []text.Span
		for range rapid.IntRange(0, 6).Draw(t, "spans") {
			a := rapid.Int32Range(1, n).Draw(t, "first")
			list = append(list,
				span(a, rapid.Int32Range(a, n).Draw(t, "last"), rapid.SampledFrom([]string{"X", "Y"}).Draw(t, "label")))
		}
		crossing, double, nested := false, false, false
		for i, x := range list {
			for _, y := range list[:i] {
				switch {
				case x == y:
					double = true
				case x.Last < y.First || y.Last < x.First:
				case x.First < y.First && x.Last < y.Last || y.First < x.First && y.Last < x.Last:
					crossing = true
				default:
					nested = true
				}
			}
		}
		o := defaults()
		c := run(t, o, docs(withSpans(d, list...)))
		if got := c.Total("span-crossing") > 0; got != crossing {
			t.Fatalf("%v: crossing %v", list, got)
		}
		if got := c.Total("span-duplicate") > 0; !crossing && got != double {
			t.Fatalf("%v: double %v", list, got)
		}
		if got := c.Total("span-nested") > 0; !crossing && !double && got != nested {
			t.Fatalf("%v: nested %v", list, got)
		}
		if c.Total("span-bounds")+c.Total("span-offsets")+c.Total("span-empty") > 0 {
			t.Fatal(c.Findings())
		}
	})
}

// TestPassesFindTheSame compares one pass over the texts with several.
func TestPassesFindTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []*text.Document
		for i := range rapid.IntRange(0, 30).Draw(t, "documents") {
			split := rapid.SampledFrom([]string{"train", "dev"}).Draw(t, "split")
			content := rapid.SampledFrom([]string{"one", "One", "two", "three  3", "Three 3", "four"}).Draw(t, "text")
			list = append(list, raw(fmt.Sprintf("%s:%d", split, i), content))
		}
		o := defaults()
		o.Rules, o.Same, o.Limit = strings.Fields(detectors[1].rules), 1, rapid.IntRange(0, 5).Draw(t, "limit")
		var got [2][]Finding
		for i, documents := range []int{0, 3 * passTexts} {
			c := New(o, documents)
			for more := true; more; more = c.Next() {
				for _, d := range list {
					split, _, _ := strings.Cut(d.ID, ":")
					c.Add(d, split)
				}
			}
			got[i] = c.Findings()
		}
		if !slices.Equal(got[0], got[1]) {
			t.Fatalf("%v\n%v", got[0], got[1])
		}
	})
}

// TestMojibakeOfEveryCharacter reads the UTF-8 of characters as Windows-1252.
func TestMojibakeOfEveryCharacter(t *testing.T) {
	o := defaults()
	o.Rules = []string{"mojibake"}
	step := rune(1)
	if testing.Short() {
		step = 97
	}
	for r := rune(0xa0); r < 0x20000; r += step {
		if r >= 0xd800 && r < 0xe000 {
			continue
		}
		s := string(r) + string(r)
		misread := ""
		for i := range len(s) {
			c := rune(s[i])
			if c >= 0x80 && c < 0xa0 && windows1252[c-0x80] != 0 {
				c = windows1252[c-0x80]
			}
			misread += string(c)
		}
		if got := run(t, o, docs(raw("a", "x"+misread))).Total("mojibake"); got != 1 {
			t.Fatalf("%q of %q: %d findings", misread, r, got)
		}
		if got := run(t, o, docs(raw("a", "x"+s+"y"))).Total("mojibake"); got != 0 {
			t.Fatalf("%q is called misread", s)
		}
	}
}

// FuzzTexts checks that no text and no numbers make a rule panic.
func FuzzTexts(f *testing.F) {
	f.Add("caf\u00c3\u00a9 \\ud83d &#x; \xff", int32(0), int32(0))
	f.Add("a b|c \u0430b", int32(3), int32(-1))
	f.Add("", int32(1<<31-1), int32(-1<<31))
	f.Fuzz(func(t *testing.T, s string, v int32, w int32) {
		columns := []string{"sent", "tok_start", "tok_end", "char_start", "char_end"}
		for i, column := range columns {
			d := withSpans(build("a", "a b|c "+s), span(1, 2, "X"), span(2, 2, s))
			change(d, "entities", column, 0, v)
			change(d, "entities", columns[(i+1)%5], 0, w)
			change(d, "tokens", []string{"sent", "tok", "char_start", "char_end", "sent"}[i], 0, v)
			withHeads(d, v, w)
			l := withPhrases(build("b", "a b c"), [4]int32{1, 0, 1, 3}, [4]int32{2, 1, 1, 2})
			change(change(l, "constituents", "node", 1, v), "constituents", "parent", 1, w)
			change(l, "constituents", []string{"tok_start", "tok_end", "char_start", "char_end", "sent"}[i], 1, v)
			run(t, defaults(), docs(d, l, raw("c", s)))
		}
	})
}

package pairrelation

import (
	"testing"

	"pgregory.net/rapid"
)

func labels(codes string) []int8 {
	var out []int8
	for _, c := range codes {
		out = append(out, of(string(c)))
	}
	return out
}

// TestPriority has the cases of Kuroda et al. 2010: of several labels the first of e, f < v < a < n <
// p < h < s < t < d < c < w < k < m < o < u < x < y counts.
func TestPriority(t *testing.T) {
	for given, want := range map[string]string{"kw": "w", "hs": "h", "vsk": "v", "uo": "o", "mk": "k", "fe": "e",
		"yx": "x", "c": "c"} {
		if got := resolve(labels(given)...); got != of(want) {
			t.Errorf("%s is resolved to %s, want %s", given, leaves[got].code, want)
		}
	}
	if resolve() != none || resolve(none, of("u"), none) != of("u") {
		t.Error("no label counts as one")
	}
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.Int8Range(0, int8(len(leaves)-1)), 1, 6).Draw(t, "labels")
		one := resolve(list...)
		if resolve(one, one) != one || resolve(append(list, list...)...) != one {
			t.Fatal("resolving again changes the label")
		}
		for _, l := range list {
			if l < one {
				t.Fatalf("%s has a higher priority than %s", leaves[l].code, leaves[one].code)
			}
		}
	})
}

// TestHierarchy checks that the nodes make a tree with the unions of the paper.
func TestHierarchy(t *testing.T) {
	if len(leaves) != 18 || len3 != 3*len(leaves) {
		t.Fatalf("%d labels", len(leaves))
	}
	for union, codes := range map[string]string{"s*": "sanvefm", "v*": "vefm", "k*": "kw", "c*": "cdt", "k**": "kwcdt",
		"r":          "sanvefmhpokwcdt",
		"meaningful": "usanvefmhpokwcdt", "pair": "xyusanvefmhpokwcdt", "semantic": "sanvefhpkwcdt"} {
		inside := map[int8]bool{}
		for _, l := range labels(codes) {
			inside[l] = true
		}
		for l := range leaves {
			if got := within(int8(l), union); got != inside[int8(l)] {
				t.Errorf("%s within %s: %t", leaves[l].code, union, got)
			}
		}
	}
	for l, n := range leaves {
		node := top(int8(l))
		if node != n.code && !within(int8(l), node) {
			t.Errorf("%s is put to %s", n.code, node)
		}
	}
	if l, ok := parse(" Typing Error "); !ok || l != of("e") {
		t.Error("names of labels are not read")
	}
	if _, ok := parse("zz"); ok {
		t.Error("zz is a label")
	}
}

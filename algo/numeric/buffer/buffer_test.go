package buffer

import (
	"slices"
	"testing"
)

func TestResize(t *testing.T) {
	s := Resize[int](nil, 4)
	if len(s) != 4 || cap(s) < 6 {
		t.Fatalf("%d elements of %d", len(s), cap(s))
	}
	for _, n := range []int{0, 6, 1, 4} {
		if r := Resize(s, n); len(r) != n || cap(r) != cap(s) || &r[:1][0] != &s[0] {
			t.Errorf("%d elements are not those of before", n)
		}
	}
	if r := Resize(s, 7); len(r) != 7 || &r[0] == &s[0] {
		t.Errorf("%d elements where 7 have no room", len(r))
	}
}

func TestZeros(t *testing.T) {
	for _, n := range []int{2, 3, 9} {
		if got := Zeros([]int32{1, 2, 3}, n); !slices.Equal(got, make([]int32, n)) {
			t.Errorf("%d elements: %v", n, got)
		}
	}
}

package tensor

import (
	"math"
	"testing"
)

// TestSharedGrams: the products of a set are the same whether its groups are shared with other sets or
// not.
func TestSharedGrams(t *testing.T) {
	span := func(from, to int32) (out []int32) {
		for e := from; e < to; e++ {
			out = append(out, e)
		}
		return out
	}
	p := &Problem{Entities: 60, Sets: [][]int32{span(0, 40), span(20, 60), span(5, 57), span(30, 33)}}
	for k := range 4 {
		p.Relations = append(p.Relations, Relation{Subjects: []int32{31, 32}, Objects: []int32{32, 30}, Left: k,
			Right: (k + 1) % 4})
	}
	c, err := compile(p, 3)
	if err != nil {
		t.Fatal(err)
	}
	f := newFit(c, Options{Rank: 3, Init: Random, Workers: 2})
	if err := f.start(background); err != nil {
		t.Fatal(err)
	}
	if err := f.shareGrams(background); err != nil {
		t.Fatal(err)
	}
	if len(f.shared) != 3 { // 5 to 19, 20 to 39 without 30 to 32, 40 to 56; the others are fewer than 8
		t.Errorf("%d groups are shared, want 3", len(f.shared))
	}
	for s, set := range p.Sets {
		got, err := f.gram(background, s)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			for j := i; j < 3; j++ {
				want := 0.0
				for _, e := range set {
					want += f.a[int(e)*3+i] * f.a[int(e)*3+j]
				}
				if math.Abs(got[i*3+j]-want) > 1e-12 {
					t.Errorf("set %d, %d %d: %v, want %v", s, i, j, got[i*3+j], want)
				}
			}
		}
	}
}

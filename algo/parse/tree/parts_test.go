package tree

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestNumbers: numbers run through, Number finds each, and the parts of a tree are among them.
func TestNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var p Parts
	for n := range 7 {
		for try := range 10 {
			keep := make([]bool, (n+1)*(n+1))
			for i := range keep {
				keep[i] = try == 0 || rng.IntN(4) > 0
			}
			p.Keep(n, keep)
			for f := Arc; f <= GrandparentSibling; f++ {
				p.Reset(f.Types())
				next := 0
				for i, x := range p.All() {
					if i != next || p.Number(x) != i {
						t.Fatalf("%v: part %d %+v comes as %d and is found at %d", f, next, x, i, p.Number(x))
					}
					next++
				}
				if next != p.Len() {
					t.Fatalf("%v: %d parts, Len %d", f, next, p.Len())
				}
			}
		}
	}
}

// TestPartsOfTree has the parts of a tree as one reads them off a drawing:
// Insiders must report purchases and sales immediately.
func TestPartsOfTree(t *testing.T) {
	heads := []int32{0, 2, 0, 2, 6, 6, 3, 3}
	count := func(f Factorization, ty Type) (out []Part) {
		for _, x := range f.Parts(heads, nil) {
			if x.Type == ty {
				out = append(out, x)
			}
		}
		return out
	}
	if got := count(Model1, GrandSib); len(got) != 7 || !slices.Contains(got, Part{GrandSib, 2, 3, 7, 6, None}) ||
		!slices.Contains(got, Part{GrandSib, 3, 6, 4, 5, None}) ||
		!slices.Contains(got, Part{GrandSib, None, 0, 2, None, None}) {
		t.Errorf("grand-siblings %v", got)
	}
	if got := count(Carreras, Grand); len(got) != 4 || !slices.Contains(got, Part{Grand, 3, 6, 4, None, None}) ||
		slices.Contains(got, Part{Grand, 3, 6, 5, None, None}) {
		t.Errorf("outermost grandchildren %v", got)
	}
	if got := count(Carreras, Leaf); len(got) != 14-4 {
		t.Errorf("leaves %v", got)
	}
	if got := count(Model2, TriSib); len(got) != 7 || !slices.Contains(got, Part{TriSib, None, 3, 7, 6, None}) {
		t.Errorf("tri-siblings %v", got)
	}
	if got := count(Model2, GrandSib); len(got) != 5 || slices.Contains(got, Part{GrandSib, 3, 6, 5, None, None}) {
		t.Errorf("outermost grand-siblings %v", got)
	}
	if got := count(HeadAutomata, End); len(got) != 15 {
		t.Errorf("ends %v", got)
	}
}

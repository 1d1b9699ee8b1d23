package treekernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// withMarks copies a shape and marks nodes.
func (s *Shape) withMarks(marks map[int32]string) *Shape {
	out := &Shape{}
	for i, l := range s.Labels {
		out.Add(s.Parent[i], l, marks[int32(i)])
	}
	return out
}

// TestRecognizerIsKernel compares the kernels for every node with those of trees that are marked one by one, and the
// cells afterwards with those before.
func TestRecognizerIsKernel(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	shared := 0
	for round := range 300 {
		k := Kernel{Family: Partial, Decay: 0.4, Marked: true}
		if round%2 == 0 {
			k.Weights = map[string]float64{"0": 50, "1": float64(1 + round)}
		}
		names := NewAlphabet()
		var others []*Prepared
		for range 3 {
			s := random(r, 14, false)
			for i := range s.Marks {
				s.Marks[i] = ""
			}
			s.Marks[r.IntN(len(s.Marks))] = "0"
			s.Marks[r.IntN(len(s.Marks))] = "1"
			others = append(others, k.PrepareAll(s.Tree(names)))
		}
		u := random(r, 14, false)
		clear(u.Marks)
		x := NewRecognizer(k, u, NewOverlay(names), "0", "1")
		e := NewEvaluator(k)
		for v := range int32(x.Len()) {
			for _, o := range others {
				x.Against(o)
				x.Predicate(v)
				before := fmt.Sprint(x.e.cells[:x.Len()*o.Len()], x.e.known[:x.Len()*o.Len()], x.tree)
				for n := range int32(x.Len()) {
					if n == v {
						continue
					}
					p := k.Prepare(u.withMarks(map[int32]string{v: "0", n: "1"}).Tree(NewOverlay(names)))
					want := e.Value(p, o)
					if got := x.Argument(n); !near(got, want, 1e-12) {
						t.Fatalf("predicate %d, argument %d: got %g, want %g", v, n, got, want)
					}
					if got, want := x.Scale(n), 1/math.Sqrt(e.Value(p, p)); !near(got, want, 1e-12) {
						t.Fatalf("predicate %d, argument %d: scale %g, want %g", v, n, got, want)
					}
					if want > 0 {
						shared++
					}
				}
				if after := fmt.Sprint(x.e.cells[:x.Len()*o.Len()], x.e.known[:x.Len()*o.Len()], x.tree); before != after {
					t.Fatalf("round %d: cells are not what they were", round)
				}
			}
		}
	}
	if shared < 1000 {
		t.Errorf("only %d kernels are not 0", shared)
	}
}

// TestWorkedRecognition has values that were found by hand.
func TestWorkedRecognition(t *testing.T) {
	k := Kernel{Family: Partial, Decay: 0.5, Marked: true, Weights: map[string]float64{"0": 2, "1": 2}}
	names := NewAlphabet()
	u := read(t, "(S (NP) (VP (V) (NP)))") // S 0, NP 1, VP 2, V 3, NP 4
	for written, want := range map[string][]float64{
		"(S (NP*1) (VP (V*0) (NP)))": {2.125, 4.375, 2.75, 1, 1.75},
		"(S (NP) (VP (V*0) (NP*1)))": {1.875, 2.75, 4.625, 1, 1.5},
	} {
		other := k.PrepareAll(read(t, written).Tree(names))
		x := NewRecognizer(k, u, NewOverlay(names), "0", "1")
		x.Against(other)
		if got := x.Predicate(3); got != want[0] {
			t.Errorf("%s: with the predicate alone %g, want %g", written, got, want[0])
		}
		for i, n := range []int32{1, 4, 2, 0} {
			if got := x.Argument(n); got != want[1+i] {
				t.Errorf("%s: node %d: got %g, want %g", written, n, got, want[1+i])
			}
		}
	}
}

// TestRecognizerSavesCells counts the cells against those of evaluation node by node, on random trees of 60 nodes.
func TestRecognizerSavesCells(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	tree := func() *Shape {
		s := &Shape{}
		open := []int32{s.Add(-1, "S", "")}
		for len(s.Labels) < 60 {
			open = open[:1+r.IntN(len(open))]
			open = append(open, s.Add(open[len(open)-1], string(rune('A'+r.IntN(4))), ""))
		}
		return s
	}
	k := Kernel{Family: Partial, Decay: 0.2, Marked: true}
	names := NewAlphabet()
	var fast, plain int64
	for range 10 {
		u, v := tree(), tree()
		x := NewRecognizer(k, u, names, "0", "1")
		o := v.withMarks(map[int32]string{7: "0", 40: "1"}).Tree(names)
		x.Against(k.PrepareAll(o))
		x.Predicate(20)
		for n := range int32(60) {
			if n != 20 {
				x.Argument(n)
				for i := range u.Labels {
					for j := range int32(o.Len()) {
						if u.Labels[i] == v.Labels[j] && (int32(i) == n || int32(i) == 20) == o.marked[j] {
							plain++
						}
					}
				}
			}
		}
		fast += x.Cells
	}
	t.Logf("%d cells node by node, %d at once: %.0f times as many", plain, fast, float64(plain)/float64(fast))
	if plain < 20*fast {
		t.Errorf("%d cells node by node, %d at once", plain, fast)
	}
}

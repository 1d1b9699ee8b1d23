package treekernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// read reads a tree in brackets, (S (NP*1) (VP (V*0))), with marks after the labels.
func read(t testing.TB, written string) *Shape {
	t.Helper()
	s := &Shape{}
	at := []int32{-1}
	for _, f := range strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(written)) {
		switch f {
		case "(":
		case ")":
			at = at[:len(at)-1]
		default:
			label, mark, _ := strings.Cut(f, "*")
			at = append(at, s.Add(at[len(at)-1], label, mark))
		}
	}
	if len(at) != 1 {
		t.Fatalf("%s: brackets are not closed", written)
	}
	return s
}

// random returns a tree of up to n nodes with few labels, some of them marked.
func random(r *rand.Rand, n int, roots bool) *Shape {
	s := &Shape{}
	open := []int32{}
	for i := range 1 + r.IntN(n) {
		parent := int32(-1)
		if i > 0 && !(roots && r.IntN(6) == 0) {
			open = open[:1+r.IntN(len(open))]
			parent = open[len(open)-1]
		} else {
			open = open[:0]
		}
		mark := ""
		if r.IntN(4) == 0 {
			mark = fmt.Sprint(r.IntN(2))
		}
		open = append(open, s.Add(parent, string(rune('A'+r.IntN(2))), mark))
	}
	return s
}

// part is a subtree that was written down.
type part struct {
	text   string
	size   int // nodes, or productions
	marked bool
	gamma  float64 // product of the weights of its marks
}

// rooted lists the subtrees of a family at a node, each as often as it occurs.
func rooted(t *Tree, k Kernel, n int32) []part {
	f := k.Family
	weight := func(n int32) float64 {
		if i := slices.Index(t.marks, n); i >= 0 {
			return k.weight(t.mark[i])
		}
		return 1
	}
	head := part{text: fmt.Sprint(t.label[n]), marked: t.marked[n], size: 1, gamma: weight(n)}
	if f != Partial && t.leaf(n) {
		return nil
	}
	list := []part{head}
	for c := n + 1; c < t.end[n]; c = t.end[c] {
		below := rooted(t, k, c)
		bare := part{text: fmt.Sprint(t.label[c]), marked: t.marked[c], gamma: weight(c)}
		var longer []part
		for _, p := range list {
			choices := below
			switch {
			case f == Partial:
				longer = append(longer, p)
			case f == SubsetTree || t.leaf(c):
				choices = append([]part{bare}, below...)
			}
			for _, q := range choices {
				longer = append(longer, part{p.text + "(" + q.text + ")", p.size + q.size, p.marked || q.marked,
					p.gamma * q.gamma})
			}
		}
		list = longer
	}
	return list
}

// enumerated is the kernel by its definition.
func enumerated(k Kernel, a, b *Tree) float64 {
	count := func(t *Tree) (map[string]float64, map[string]part) {
		n, of := map[string]float64{}, map[string]part{}
		for i := range int32(t.Len()) {
			for _, p := range rooted(t, k, i) {
				n[p.text]++
				of[p.text] = p
			}
		}
		return n, of
	}
	na, of := count(a)
	nb, _ := count(b)
	sum := 0.0
	for s, c := range na {
		if of[s].marked || !k.Marked {
			sum += math.Pow(k.Decay, float64(of[s].size)) * of[s].gamma * c * nb[s]
		}
	}
	return sum
}

func near(a, b, tolerance float64) bool {
	return math.Abs(a-b) <= tolerance*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
}

// TestKernelIsEnumeration compares kernels with the sum over all subtrees, one by one.
func TestKernelIsEnumeration(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	shared := 0
	for round := range 400 {
		names := NewAlphabet()
		a := random(r, 8, true).Tree(names)
		b := random(r, 8, true).Tree(NewOverlay(names))
		for f := range Family(3) {
			for _, decay := range []float64{1, 0.5, 0.3} {
				for _, marked := range []bool{false, true} {
					k := Kernel{Family: f, Decay: decay, Marked: marked}
					if round%2 == 1 {
						k.Weights = map[string]float64{"0": 3, "1": 0.5 + float64(round)}
					}
					want := enumerated(k, a, b)
					e := NewEvaluator(k)
					if got := e.Value(k.Prepare(a), k.Prepare(b)); !near(got, want, 1e-12) {
						t.Fatalf("%v: got %g, want %g", k, got, want)
					}
					// what is not at or above a mark shares nothing with one
					if got := e.Value(k.prepare(a, false), k.prepare(b, false)); !near(got, want, 1e-12) {
						t.Fatalf("%v from all nodes: got %g, want %g", k, got, want)
					}
					if got := math.Exp(e.Log(k.Prepare(a), k.Prepare(b))); !near(got, want, 1e-12) {
						t.Fatalf("%v by logarithms: got %g, want %g", k, got, want)
					}
					if want > 0 {
						shared++
					}
				}
			}
		}
	}
	if shared < 1000 {
		t.Errorf("only %d pairs share subtrees", shared)
	}
}

// TestWorkedKernels has values that were found by hand.
func TestWorkedKernels(t *testing.T) {
	names := NewAlphabet()
	var trees []*Tree
	for _, s := range []string{"(S (NP*1) (VP (V*0) (NP)))", "(S (NP*1) (VP (V*0)))", "(S (NP) (VP (V*0) (NP*1)))",
		"(A*0 (B) (B))", "(A*0 (B) (B) (B))"} {
		trees = append(trees, read(t, s).Tree(names))
	}
	pairs := [][2]int{{0, 0}, {0, 1}, {1, 1}, {0, 2}, {2, 2}, {1, 2}}
	for _, c := range []struct {
		k    Kernel
		want []float64
	}{
		{Kernel{Family: Partial, Decay: 1, Marked: true}, []float64{11, 7, 7, 4, 11, 4}},
		{Kernel{Family: Partial, Decay: 0.5, Marked: true}, []float64{2.09375, 1.8125, 1.8125, 1.375, 2.09375, 1.375}},
		{Kernel{Family: Partial, Decay: 1, Marked: false}, []float64{17, 10, 10, 8, 17, 7}},
		{Kernel{Family: SubsetTree, Decay: 1, Marked: true}, []float64{3, 1, 3, 0, 2, 0}},
		{Kernel{Family: SubsetTree, Decay: 0.5, Marked: true}, []float64{1.25, 0.5, 1.25, 0, 0.75, 0}},
		{Kernel{Family: SubsetTree, Decay: 1, Marked: false}, []float64{3, 1, 3, 0, 3, 0}},
	} {
		e := NewEvaluator(c.k)
		for i, p := range pairs {
			if got := e.Value(c.k.Prepare(trees[p[0]]), c.k.Prepare(trees[p[1]])); !near(got, c.want[i], 1e-15) {
				t.Errorf("%v of %v: got %g, want %g", c.k, p, got, c.want[i])
			}
		}
	}
	for decay, want := range map[float64]float64{1: 10, 0.5: 2.375} {
		k := Kernel{Family: Partial, Decay: decay, Marked: true}
		if got := NewEvaluator(k).Value(k.Prepare(trees[3]), k.Prepare(trees[4])); !near(got, want, 1e-15) {
			t.Errorf("siblings, decay %g: got %g, want %g", decay, got, want)
		}
	}
}

// TestHugeKernels has values above what a float64 holds. A root with n equal children shares C(2n, n) subtrees with
// itself from the root, and n² more below.
func TestHugeKernels(t *testing.T) {
	for _, n := range []int{10, 600} {
		s := &Shape{}
		root := s.Add(-1, "S", "")
		for range n {
			s.Add(root, "A", "")
		}
		k := Kernel{Family: Partial, Decay: 1, Marked: false}
		p := k.Prepare(s.Tree(NewAlphabet()))
		e := NewEvaluator(k)
		up, _ := math.Lgamma(float64(2*n + 1))
		down, _ := math.Lgamma(float64(n + 1))
		want := up - 2*down
		if n == 10 {
			want = math.Log(184756 + 100)
		}
		if got := e.Log(p, p); !near(got, want, 1e-12) {
			t.Errorf("%d children: log is %v, want %v", n, got, want)
		}
		if got := e.Value(p, p); math.IsInf(got, 1) != (n == 600) { // 4^600 is above 1e308
			t.Errorf("%d children: %g", n, got)
		}
	}
}

// TestWorkedWeights has values of weighted marks that were found by hand: K(γ) = γ·A + γ²·B, where A sums the subtrees
// with one mark and B those with two.
func TestWorkedWeights(t *testing.T) {
	names := NewAlphabet()
	var trees []*Tree
	for _, s := range []string{"(S (NP*1) (VP (V*0) (NP)))", "(S (NP*1) (VP (V*0)))", "(S (NP) (VP (V*0) (NP*1)))"} {
		trees = append(trees, read(t, s).Tree(names))
	}
	pairs := [][2]int{{0, 0}, {0, 1}, {1, 1}, {0, 2}, {2, 2}, {1, 2}}
	for _, c := range []struct {
		decay, gamma float64
		want         []float64
		normal       [2]float64 // of pairs 0 1 and 0 2
	}{
		{0.5, 1, []float64{2.09375, 1.8125, 1.8125, 1.375, 2.09375, 1.375}, [2]float64{0.930415, 0.656716}},
		{0.5, 2, []float64{4.375, 3.75, 3.75, 2.75, 4.625, 2.75}, [2]float64{0.92582, 0.611347}},
		{0.5, 4, []float64{9.5, 8, 8, 5.5, 11, 5.5}, [2]float64{0.917663, 0.538028}},
		{0.2, 4000, []float64{32748.8, 27584, 27584, 1792, 160716.8, 1792}, [2]float64{0.917764, 0.024701}},
	} {
		k := Kernel{Family: Partial, Decay: c.decay, Marked: true, Weights: map[string]float64{"0": c.gamma, "1": c.gamma}}
		e := NewEvaluator(k)
		value := func(i, j int) float64 { return e.Value(k.Prepare(trees[i]), k.Prepare(trees[j])) }
		for i, p := range pairs {
			if got := value(p[0], p[1]); !near(got, c.want[i], 1e-12) {
				t.Errorf("decay %g, weight %g, %v: got %g, want %g", c.decay, c.gamma, p, got, c.want[i])
			}
		}
		for i, j := range []int{1, 2} {
			if got := value(0, j) / math.Sqrt(value(0, 0)*value(j, j)); !near(got, c.normal[i], 1e-6) {
				t.Errorf("decay %g, weight %g: normalised kernel of 0 and %d is %g, want %g", c.decay, c.gamma, j, got,
					c.normal[i])
			}
		}
	}
}

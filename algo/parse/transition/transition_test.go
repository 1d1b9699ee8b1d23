package transition

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

var systems = []System{ArcStandard{}, ArcEager{}, ArcHybrid{}}

// projective draws a projective tree: a root for a range of tokens, then trees for what lies on its
// sides, cut into ranges.
func projective(t *rapid.T, n int) Tree {
	tree := Tree{Heads: make([]int32, n+1), Labels: make([]uint16, n+1)}
	var grow func(lo, hi int, head int32)
	grow = func(lo, hi int, head int32) {
		if lo > hi {
			return
		}
		r := rapid.IntRange(lo, hi).Draw(t, "root")
		tree.Heads[r], tree.Labels[r] = head, uint16(rapid.IntRange(0, 3).Draw(t, "label"))
		for _, side := range [][2]int{{lo, r - 1}, {r + 1, hi}} {
			for at := side[0]; at <= side[1]; {
				end := rapid.IntRange(at, side[1]).Draw(t, "end")
				grow(at, end, int32(r))
				at = end + 1
			}
		}
	}
	grow(1, n, 0)
	return tree
}

func TestOracleRebuildsProjectiveTrees(t *testing.T) {
	for _, sys := range systems {
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.IntRange(1, 12).Draw(t, "n")
			gold := projective(t, n)
			if f := Check(gold.Heads); f != Sound {
				t.Fatalf("%v: %s", gold.Heads, f)
			}
			var s State
			s.Init(n)
			for !sys.Terminal(&s) {
				a := sys.Oracle(&s, &gold)
				if !sys.Legal(&s, a.Move()) {
					t.Fatalf("the oracle asks for %v after %d actions", a, s.Steps())
				}
				sys.Do(&s, a)
			}
			if s.Steps() != 2*n-1 {
				t.Fatalf("%s: %d actions for %d tokens", sys.Name(), s.Steps(), n)
			}
			root := slices.Index(gold.Heads[1:], 0) + 1
			if got := s.Tree(gold.Labels[root]); !slices.Equal(got.Heads, gold.Heads) || !slices.Equal(got.Labels, gold.Labels) {
				t.Fatalf("%v %v, want %v %v", got.Heads, got.Labels, gold.Heads, gold.Labels)
			}
		})
	}
}

func snapshot(s *State) State {
	c := *s
	c.stack, c.heads, c.labels = slices.Clone(s.stack), slices.Clone(s.heads), slices.Clone(s.labels)
	c.left, c.right, c.children, c.trail = slices.Clone(s.left), slices.Clone(s.right), slices.Clone(s.children),
		slices.Clone(s.trail)
	c.inner, c.lefts = slices.Clone(s.inner), slices.Clone(s.lefts)
	return c
}

func same(a, b State) bool {
	return a.n == b.n && a.next == b.next && a.back == b.back && slices.Equal(a.inner, b.inner) &&
		slices.Equal(a.lefts, b.lefts) && slices.Equal(a.stack, b.stack) && slices.Equal(a.heads, b.heads) &&
		slices.Equal(a.labels, b.labels) &&
		slices.Equal(a.left, b.left) && slices.Equal(a.right, b.right) && slices.Equal(a.children, b.children) &&
		slices.Equal(a.trail, b.trail)
}

// TestUndo goes forth at random and back, and compares every state with what it was.
func TestUndo(t *testing.T) {
	for _, sys := range systems {
		rapid.Check(t, func(t *rapid.T) {
			var s State
			s.Init(rapid.IntRange(0, 10).Draw(t, "n"))
			var was []State
			for !sys.Terminal(&s) {
				var legal []Move
				for _, m := range sys.Moves() {
					if sys.Legal(&s, m) {
						legal = append(legal, m)
					}
				}
				if len(legal) == 0 {
					t.Fatal("no move, but not terminal")
				}
				was = append(was, snapshot(&s))
				sys.Do(&s, NewAction(rapid.SampledFrom(legal).Draw(t, "move"), uint16(rapid.IntRange(0, 5).Draw(t, "label"))))
			}
			for i := len(was) - 1; i >= 0; i-- {
				sys.Undo(&s)
				if !same(s, was[i]) {
					t.Fatalf("undone to action %d: %+v, want %+v", i, s, was[i])
				}
			}
		})
	}
}

// TestOutermost compares the outermost dependents with those of the heads.
func TestOutermost(t *testing.T) {
	for _, sys := range systems {
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.IntRange(1, 10).Draw(t, "n")
			gold := projective(t, n)
			var s State
			for s.Init(n); !sys.Terminal(&s); sys.Do(&s, sys.Oracle(&s, &gold)) {
				for h := int32(1); h <= int32(n); h++ {
					var left, right, count int32
					for d := int32(1); d <= int32(n); d++ {
						if s.Head(d) == h {
							count++
							if d < h && left == 0 {
								left = d
							}
							if d > h {
								right = d
							}
						}
					}
					if s.Leftmost(h) != left || s.Rightmost(h) != right || s.Children(h) != count {
						t.Fatalf("token %d: %d %d %d, want %d %d %d", h, s.Leftmost(h), s.Rightmost(h), s.Children(h), left, right, count)
					}
				}
			}
		})
	}
}

// TestExample follows the sentence of Tsuruoka, Miyao and Kazama 2011, figure 1: I saw a dog with
// eyebrows.
func TestExample(t *testing.T) {
	sys, gold := ArcStandard{}, Tree{Heads: []int32{0, 2, 0, 4, 2, 4, 5}, Labels: make([]uint16, 7)}
	var s State
	s.Init(6)
	for _, m := range []Move{Shift, Shift, Left, Shift, Shift, Left} {
		if a := sys.Oracle(&s, &gold); a.Move() != m {
			t.Fatalf("action %d is %d, want %d", s.Steps(), a.Move(), m)
		}
		sys.Do(&s, NewAction(m, 0))
	}
	if s.Depth() != 2 || s.Stack(1) != 2 || s.Stack(0) != 4 || s.Head(1) != 2 || s.Head(3) != 4 || s.Buffer(0) != 5 {
		t.Errorf("%+v, want saw(I), dog(a) on the stack", s)
	}
	for !sys.Terminal(&s) {
		sys.Do(&s, sys.Oracle(&s, &gold))
	}
	if got := s.Tree(0); !slices.Equal(got.Heads, gold.Heads) || s.Steps() != 11 {
		t.Errorf("%v after %d actions", got.Heads, s.Steps())
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		heads []int32
		want  Fault
	}{
		{[]int32{0, 0}, Sound},
		{[]int32{0, 2, 0, 4, 2, 4, 5}, Sound},
		{[]int32{0}, ManyRoots},
		{[]int32{0, 0, 0}, ManyRoots},
		{[]int32{0, 2, 1}, ManyRoots},
		{[]int32{0, 0, 3, 2}, Cyclic},
		{[]int32{0, 0, 7}, BadHead},
		{[]int32{0, 1}, BadHead},
		{[]int32{0, -1}, BadHead},
		{[]int32{0, 3, 4, 0, 3}, NonProjective},
		{[]int32{0, 3, 0, 2}, NonProjective}, // an arc over the root
	} {
		if got := Check(c.heads); got != c.want {
			t.Errorf("%v: %s, want %s", c.heads, got, c.want)
		}
	}
}

// TestProjectivity compares with the definition.
func TestProjectivity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(t, "n")
		heads := make([]int32, n+1)
		for i := 1; i <= n; i++ {
			heads[i] = int32(rapid.IntRange(0, n).Draw(t, "head"))
		}
		f := Check(heads)
		if f != Sound && f != NonProjective {
			return
		}
		above := func(t, h int32) bool {
			for ; t != h && t != 0; t = heads[t] {
			}
			return t == h
		}
		want := Sound
		for d := int32(1); d <= int32(n); d++ {
			h := heads[d]
			if h == 0 {
				continue
			}
			for k := min(h, d) + 1; k < max(h, d); k++ {
				if !above(k, h) {
					want = NonProjective
				}
			}
		}
		if f != want {
			t.Fatalf("%v: %s, want %s", heads, f, want)
		}
	})
}

package transition

import (
	"testing"

	"pgregory.net/rapid"
)

// reachable returns the most gold arcs that a tree below the state can have, by trying every sequence
// of actions. Arcs made after a token went back into the buffer do not count, nor does a root found
// then: a token that has no head when the buffer is first empty counts as root.
func reachable(sys System, s *State, gold *Tree) int {
	if sys.Terminal(s) || s.Waiting() == 0 && sys.Name() == "arc_eager" {
		right := 0
		for d := int32(1); d <= int32(s.n); d++ {
			if h := s.Head(d); h == gold.Heads[d] || h == Unattached && gold.Heads[d] == 0 {
				right++
			}
		}
		return right
	}
	best := -1
	for _, m := range sys.Moves() {
		if sys.Legal(s, m) {
			sys.Do(s, NewAction(m, 0))
			best = max(best, reachable(sys, s, gold))
			sys.Undo(s)
		}
	}
	return best
}

// TestCostEqualsBruteForce compares the costs of all moves along random sequences of actions with what
// trying every continuation gives.
func TestCostEqualsBruteForce(t *testing.T) {
	for _, sys := range []Dynamic{ArcStandard{}, ArcHybrid{}, ArcEager{}} {
		t.Run(sys.Name(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				n := rapid.IntRange(1, 6).Draw(t, "n")
				gold := projective(t, n)
				var s State
				for s.Init(n); !sys.Terminal(&s) && s.Waiting() > 0 && s.back == 0; {
					before := reachable(sys, &s, &gold)
					var legal []Move
					for _, m := range sys.Moves() {
						if !sys.Legal(&s, m) {
							continue
						}
						legal = append(legal, m)
						cost := sys.Cost(&s, &gold, m)
						sys.Do(&s, NewAction(m, 0))
						if lost := before - reachable(sys, &s, &gold); lost != cost {
							t.Fatalf("gold %v, move %d to %v next %d heads %v costs %d, brute force has %d", gold.Heads, m, s.stack, s.next,
								s.heads, cost, lost)
						}
						sys.Undo(&s)
					}
					sys.Do(&s, NewAction(rapid.SampledFrom(legal).Draw(t, "move"), 0))
				}
			})
		})
	}
}

// TestCostOfCrossingTrees compares the costs of arc-standard with brute force for any heads, among them trees
// whose arcs cross.
func TestCostOfCrossingTrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "n")
		gold := Tree{Heads: make([]int32, n+1), Labels: make([]uint16, n+1)}
		for d := 1; d <= n; d++ {
			if h := int32(rapid.IntRange(0, n).Draw(t, "head")); int(h) != d {
				gold.Heads[d] = h
			}
		}
		var s State
		sys := ArcStandard{}
		for s.Init(n); !sys.Terminal(&s); {
			before := reachable(sys, &s, &gold)
			var legal []Move
			for _, m := range sys.Moves() {
				if !sys.Legal(&s, m) {
					continue
				}
				legal = append(legal, m)
				cost := sys.Cost(&s, &gold, m)
				sys.Do(&s, NewAction(m, 0))
				if lost := before - reachable(sys, &s, &gold); lost != cost {
					t.Fatalf("gold %v, move %d to %v next %d heads %v costs %d, brute force has %d", gold.Heads, m, s.stack, s.next,
						s.heads, cost, lost)
				}
				sys.Undo(&s)
			}
			sys.Do(&s, NewAction(rapid.SampledFrom(legal).Draw(t, "move"), 0))
		}
	})
}

// TestOneRoot follows random legal actions: every sentence ends with exactly one token without a head
// and no circle.
func TestOneRoot(t *testing.T) {
	for _, sys := range Systems() {
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.IntRange(1, 12).Draw(t, "n")
			var s State
			for s.Init(n); !sys.Terminal(&s); {
				var legal []Move
				for _, m := range sys.Moves() {
					if sys.Legal(&s, m) {
						legal = append(legal, m)
					}
				}
				if len(legal) == 0 || s.Steps() > 4*n {
					t.Fatalf("%s: %d moves after %d actions on %d tokens", sys.Name(), len(legal), s.Steps(), n)
				}
				sys.Do(&s, NewAction(rapid.SampledFrom(legal).Draw(t, "move"), 0))
			}
			if tree := s.Tree(0); Check(tree.Heads) != Sound {
				t.Fatalf("%s: %v: %s", sys.Name(), tree.Heads, Check(tree.Heads))
			}
		})
	}
}

// TestDynamicOracleRebuilds follows moves without cost to the gold tree.
func TestDynamicOracleRebuilds(t *testing.T) {
	for _, sys := range []Dynamic{ArcStandard{}, ArcHybrid{}, ArcEager{}} {
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.IntRange(1, 15).Draw(t, "n")
			gold := projective(t, n)
			var s State
			for s.Init(n); !sys.Terminal(&s); {
				var free []Move
				for _, m := range sys.Moves() {
					if sys.Legal(&s, m) && sys.Cost(&s, &gold, m) == 0 {
						free = append(free, m)
					}
				}
				if len(free) == 0 {
					t.Fatalf("%s: every move costs", sys.Name())
				}
				sys.Do(&s, NewAction(rapid.SampledFrom(free).Draw(t, "move"), 0))
				if s.back != 0 {
					return // Shift put aside what could not be attached any more without taking it back
				}
			}
			for d := 1; d <= n; d++ {
				if h := s.Head(int32(d)); h != gold.Heads[d] && !(h == Unattached && gold.Heads[d] == 0) {
					t.Fatalf("%s: %v, want %v", sys.Name(), s.heads, gold.Heads)
				}
			}
		})
	}
}

// TestLoad compares a loaded tree with the same tree built by actions.
func TestLoad(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 10).Draw(t, "n")
		gold := projective(t, n)
		var a, b State
		a.Load(&gold)
		for b.Init(n); !(ArcHybrid{}).Terminal(&b); {
			ArcHybrid{}.Do(&b, ArcHybrid{}.Oracle(&b, &gold))
		}
		for i := int32(1); i <= int32(n); i++ {
			if a.Leftmost(i) != b.Leftmost(i) || a.Rightmost(i) != b.Rightmost(i) || a.Inner(i) != b.Inner(i) ||
				a.Lefts(i) != b.Lefts(i) || a.Children(i) != b.Children(i) || a.Head(i) != gold.Heads[i] ||
				a.Label(i) != gold.Labels[i] {
				t.Fatalf("token %d of %v", i, gold.Heads)
			}
		}
	})
}

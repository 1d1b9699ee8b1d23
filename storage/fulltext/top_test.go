package fulltext

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// drawnRun is a run of units with words of very different frequencies, and its lists.
func drawnRun(rng *rand.Rand, number, units int, s *Search) *Run {
	x := &Run{Number: number, Lengths: make([]int32, units)}
	x.Units, x.Lists = units, make([]List, len(s.Leaves))
	for u := range units {
		x.Lengths[u] = int32(1 + rng.IntN(50))
		for l := range s.Leaves {
			if rng.IntN(1+l*l*l*l) == 0 {
				x.Lists[l].Units = append(x.Lists[l].Units, uint32(u))
				x.Lists[l].Freqs = append(x.Lists[l].Freqs, uint32(1+rng.IntN(3)))
			}
		}
	}
	if rng.IntN(2) == 0 {
		x.Dead = make([]bool, units)
		for u := range x.Dead {
			x.Dead[u] = rng.IntN(3) == 0
		}
	}
	return x
}

// TestTop compares with all scores, over runs of more units than a window, with and without bounds of the lists.
func TestTop(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	asked, all := 0, 0
	for round := range 60 {
		var words []string
		for i := range 1 + rng.IntN(8) {
			words = append(words, fmt.Sprintf("w%d", i))
		}
		s := compile(t, strings.Join(words, " OR "))
		st := Statistics{DF: make([]int, len(s.Leaves))}
		var runs []*Run
		for n := range 2 {
			x := drawnRun(rng, n, rng.IntN(3*window), s)
			runs = append(runs, x)
			st.Units += x.Units
			for _, l := range x.Lengths {
				st.Tokens += int64(l)
			}
			for l, list := range x.Lists {
				st.DF[l] += len(list.Units)
			}
		}
		if st.Units == 0 {
			continue
		}
		var want []Scored
		for _, x := range runs {
			if round%4 == 3 { // units of the runs interleave
				x.Place = func(unit uint32) (uint64, error) {
					return uint64((int(unit)+1)*len(runs) - x.Number), nil
				}
			}
			units, err := s.Units(&x.Index)
			if err != nil {
				t.Fatal(err)
			}
			for i, score := range s.Scores(units, x.Lists, x.Lengths, st) {
				if x.Dead == nil || !x.Dead[units[i]] {
					found, _ := x.scored(units[i], score)
					want = append(want, found)
				}
			}
		}
		slices.SortStableFunc(want, func(a, b Scored) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.place, b.place))
		})
		k := []int{1, 20, 300}[round%3]
		best := &Best{K: k}
		for _, x := range runs {
			if round%2 == 0 {
				for l := range x.Lists {
					x.Bounds = append(x.Bounds, Bound(x.Lists[l], x.Lengths, float64(st.Tokens)/float64(st.Units)))
				}
			}
			if err := s.Top(x, st, best); err != nil {
				t.Fatal(err)
			}
		}
		if got := best.List(); !slices.Equal(got, want[:min(k, len(want))]) {
			t.Fatalf("round %d, %d words: the best %d differ: %v, want %v", round, len(words), k, got[:min(3,
				len(got))],
				want[:min(3, len(want))])
		}
		asked, all = asked+1, all+len(want)
	}
	if asked < 50 || all < 1000 {
		t.Errorf("%d searches found %d units", asked, all)
	}
}

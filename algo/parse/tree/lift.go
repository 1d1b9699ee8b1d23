package tree

import (
	"fmt"
	"slices"
	"strings"
)

// Lifting makes trees with crossing arcs projective and tells in the labels how to undo it
// (Nivre and Nilsson 2005). An arc that crosses is lifted: its modifier is given to the head of its
// head.
type Lifting uint8

// What the labels tell. d is the label of the lifted arc, h that of its former head.
const (
	LiftHead     Lifting = iota // d↑h
	LiftPath                    // d↑, and p↓ for the arcs that were lifted over
	LiftHeadPath                // d↑h and p↓
)

const (
	lifted = "↑"
	passed = "↓"
)

var liftings = []string{"head", "path", "head_path"}

// Liftings returns the names, by number.
func Liftings() []string { return slices.Clone(liftings) }

func (l Lifting) String() string { return liftings[l] }

// Lift changes the heads and labels of a tree, entry 0 unused, until no arcs cross, the shortest
// crossing arc first, of equal ones the leftmost, and returns how many modifiers have another head.
// Heads that are no tree and labels
// that have ↑ or ↓ are errors. O(n²) a lift; a projective tree stays as it is.
func (l Lifting) Lift(heads []int32, labels []string) (int, error) {
	for m, x := range labels {
		if m > 0 && Lifted(x) {
			return 0, fmt.Errorf("label %q of token %d has %s or %s, which mark lifted arcs", x, m, lifted, passed)
		}
	}
	if f := Check(heads, false); f != Sound && f != NonProjective {
		return 0, fmt.Errorf("what is to be made projective is no tree: %s", f)
	}
	was := slices.Clone(heads)
	over := make([]bool, len(heads))
	for m := crossing(heads); m > 0; m = crossing(heads) {
		over[heads[m]] = true
		heads[m] = heads[heads[m]]
	}
	base := slices.Clone(labels)
	moved := 0
	for m := 1; m < len(heads); m++ {
		if heads[m] != was[m] {
			moved++
			labels[m] += lifted
			if l != LiftPath {
				labels[m] += base[was[m]]
			}
		}
		if over[m] && l != LiftHead {
			labels[m] += passed
		}
	}
	return moved, nil
}

// crossing returns the modifier of the shortest arc that crosses another, 0 for none.
func crossing(heads []int32) int {
	at, length := 0, len(heads)
	for m := 1; m < len(heads); m++ {
		h := int(heads[m])
		lo, hi := min(h, m), max(h, m)
		if hi-lo > length || hi-lo == length && lo >= min(int(heads[at]), at) {
			continue
		}
		for x := lo + 1; x < hi; x++ {
			if !dominates(heads, h, x) {
				at, length = m, hi-lo
				break
			}
		}
	}
	return at
}

// dominates tells whether the heads lead from x to h.
func dominates(heads []int32, h, x int) bool {
	for x != h && x != 0 {
		x = int(heads[x])
	}
	return x == h
}

// Lower undoes Lift as far as the labels tell, from the top of the tree down: a lifted modifier is
// given to the token that a breadth-first search from its head, from left to right, finds first with
// the label of the former head, or at the end of a path of marked arcs. Where nothing is found the
// head stays. It takes any labels and leaves none with marks; heads must be a tree and stay one.
func (l Lifting) Lower(heads []int32, labels []string) {
	marks := make([]mark, len(labels))
	for m := range labels {
		if m > 0 {
			labels[m], marks[m] = unmark(labels[m])
		}
	}
	for found := true; found; { // what is given back can bring the former head of another one within reach
		found = false
		for _, m := range breadthFirst(heads, 0, 0, nil) {
			if !marks[m].lifted {
				continue
			}
			if h := l.find(heads, labels, marks, int(m)); h > 0 {
				heads[m], marks[m].lifted, found = int32(h), false, true
			}
		}
	}
}

// mark is what a label tells.
type mark struct {
	lifted, passed bool
	head           string
}

// Lifted tells whether a label has marks that Lift wrote.
func Lifted(label string) bool { return strings.ContainsAny(label, lifted+passed) }

func unmark(label string) (string, mark) {
	var x mark
	label, x.passed = strings.CutSuffix(label, passed)
	label, x.head, x.lifted = strings.Cut(label, lifted)
	return label, x
}

// find returns the head that m had before it was lifted, 0 if it is not found.
func (l Lifting) find(heads []int32, labels []string, marks []mark, m int) int {
	follow := func(x int32) bool { return l == LiftHead || marks[x].passed }
	for _, x := range breadthFirst(heads, int(heads[m]), m, follow) {
		switch {
		case l != LiftPath && labels[x] == marks[m].head:
			return int(x)
		case l == LiftPath && lastOfPath(heads, marks, x):
			return int(x)
		}
	}
	return 0
}

func lastOfPath(heads []int32, marks []mark, x int32) bool {
	for m, h := range heads {
		if m > 0 && h == x && marks[m].passed {
			return false
		}
	}
	return true
}

// breadthFirst returns what is below a token, without what is below another one and what is below
// arcs that are not followed; nil follows all.
func breadthFirst(heads []int32, top, without int, follow func(int32) bool) []int32 {
	out := []int32{int32(top)}
	for i := 0; i < len(out); i++ {
		for m := 1; m < len(heads); m++ {
			if heads[m] == out[i] && m != without && (follow == nil || follow(int32(m))) {
				out = append(out, int32(m))
			}
		}
	}
	return out[1:]
}

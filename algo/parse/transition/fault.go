package transition

import "parlance/algo/parse/tree"

// Fault is what keeps heads from being a tree that actions can build.
type Fault = tree.Fault

// The faults, in the order in which they are looked for.
const (
	Sound         = tree.Sound
	BadHead       = tree.BadHead
	ManyRoots     = tree.ManyRoots // not exactly one token has the head 0
	Cyclic        = tree.Cyclic
	NonProjective = tree.NonProjective
)

// Check looks for what is wrong with the heads, in O(n).
func Check(heads []int32) Fault { return tree.Check(heads, true) }

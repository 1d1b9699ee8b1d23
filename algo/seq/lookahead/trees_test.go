package lookahead

import (
	"slices"
	"testing"

	"parlance/algo/parse/transition"
)

// TestEveryMoveIsAnAction: what builds no tree has the label of most roots.
func TestEveryMoveIsAnAction(t *testing.T) {
	chain := transition.Tree{Heads: []int32{0, 0, 1}, Labels: []uint16{0, 1, 2}} // the second token depends on the first
	for _, c := range []struct {
		roots []int
		label uint16
	}{{[]int{1, 4, 3}, 1}, {[]int{4, 1, 4}, 0}, {[]int{2}, 0}} {
		if len(c.roots) == 1 {
			chain.Labels = make([]uint16, 3)
		}
		b := &treebank{roots: c.roots, trees: []transition.Tree{chain}}
		want := []uint32{
			uint32(transition.NewAction(transition.Shift, 0)),
			uint32(transition.NewAction(transition.Left, c.label)),
			uint32(transition.NewAction(transition.Right, chain.Labels[2])),
		}
		slices.Sort(want)
		if got := b.actions(); !slices.Equal(got, want) {
			t.Errorf("roots %v: actions %v, want %v", c.roots, got, want)
		}
	}
}

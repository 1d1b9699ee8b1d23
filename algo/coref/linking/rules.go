package linking

import (
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/engine/partition"
)

// Rule is a reason for two mentions to be in one cluster, or against it: the weight ρ of the pair, A < B. Infinite
// weights force or forbid.
type Rule struct {
	A, B   int32
	Weight float64
}

// Rules are the rules of a document by their later mention.
type Rules struct{ of map[int32][]Rule }

// NewRules sorts rules. The order of mentions in a rule does not matter.
func NewRules(list []Rule) *Rules {
	r := &Rules{of: map[int32][]Rule{}}
	for _, x := range list {
		if x.A > x.B {
			x.A, x.B = x.B, x.A
		}
		r.of[x.B] = append(r.of[x.B], x)
	}
	for _, l := range r.of {
		slices.SortStableFunc(l, func(a, b Rule) int { return int(a.A - b.A) })
	}
	return r
}

// list yields the rules by rising mentions.
func (r *Rules) list() []Rule {
	if r == nil {
		return nil
	}
	var out []Rule
	later := make([]int32, 0, len(r.of))
	for b := range r.of {
		later = append(later, b)
	}
	slices.Sort(later)
	for _, b := range later {
		out = append(out, r.of[b]...)
	}
	return out
}

// before are the rules of a mention with earlier ones.
func (r *Rules) before(i int) []Rule {
	if r == nil {
		return nil
	}
	return r.of[int32(i)]
}

// Consistent looks whether the rules of infinite weight can all be obeyed among n mentions. If not, the error is a
// partition.Contradiction.
func (r *Rules) Consistent(ctx context.Context, n int) error {
	var must, cannot [][2]int32
	for _, x := range r.list() {
		if x.A < 0 || int(x.B) >= n || x.A == x.B {
			return fmt.Errorf("a rule is about mentions %d and %d of %d", x.A, x.B, n)
		}
		switch {
		case math.IsInf(x.Weight, 1):
			must = append(must, [2]int32{x.A, x.B})
		case math.IsInf(x.Weight, -1):
			cannot = append(cannot, [2]int32{x.A, x.B})
		}
	}
	_, err := partition.Closure(ctx, n, must, cannot)
	return err
}

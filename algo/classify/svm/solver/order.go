package solver

import (
	"cmp"
	"slices"
)

// ByFallingSize orders classes, the largest first, equal ones by number.
func ByFallingSize(size []int) []int {
	order := make([]int, len(size))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size[b], size[a]) })
	return order
}

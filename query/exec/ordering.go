package exec

import "slices"

// ordered returns the rows 0 to n-1 by the columns; equal rows keep their order.
func ordered(cols []*column, n int) []int32 {
	idx := make([]int32, n)
	for i := range idx {
		idx[i] = int32(i)
	}
	sortRows(cols, idx)
	return idx
}

func sortRows(cols []*column, idx []int32) {
	if len(cols) == 1 && cols[0].ints != nil && cols[0].null == nil && !cols[0].desc {
		v := cols[0].ints
		slices.SortFunc(idx, func(i, j int32) int {
			if x, y := v[i], v[j]; x != y {
				if x < y {
					return -1
				}
				return 1
			}
			return int(i - j)
		})
		return
	}
	slices.SortFunc(idx, func(i, j int32) int {
		for _, c := range cols {
			if r := c.compare(i, j); r != 0 {
				return r
			}
		}
		return int(i - j)
	})
}

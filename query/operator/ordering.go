package operator

import (
	"context"
	"slices"
	"strings"

	"parlance/storage/value"
)

// sortFunc sorts until the context ends; what it leaves then is in no order.
func sortFunc[T any](ctx context.Context, list []T, compare func(a, b T) int) error {
	return sortWith(ctx, list, compare, slices.SortFunc)
}

// sortStable does so and keeps equal elements in their order.
func sortStable[T any](ctx context.Context, list []T, compare func(a, b T) int) error {
	return sortWith(ctx, list, compare, slices.SortStableFunc)
}

func sortWith[T any](ctx context.Context, list []T, compare func(a, b T) int, sort func([]T, func(a, b T) int)) (err error) {
	type stopped struct{}
	defer func() {
		if v := recover(); v != nil {
			if _, ok := v.(stopped); !ok {
				panic(v)
			}
			err = ctx.Err()
		}
	}()
	steps := 0
	sort(list, func(a, b T) int {
		if steps++; steps&(1<<15-1) == 0 && ctx.Err() != nil {
			panic(stopped{})
		}
		return compare(a, b)
	})
	return nil
}

// ordered returns the rows 0 to n-1 by the columns; equal rows keep their order.
func ordered(ctx context.Context, cols []*column, n int) ([]int32, error) {
	idx := make([]int32, n)
	for i := range idx {
		idx[i] = int32(i)
	}
	keys := make([]*column, len(cols))
	for i, c := range cols {
		var err error
		if keys[i], err = c.ranked(ctx); err != nil {
			return nil, err
		}
	}
	if len(keys) == 0 {
		return idx, nil
	}
	return idx, sortRows(ctx, keys, idx)
}

// ranked turns texts into the numbers of their order, which compare faster; other columns
// stay as they are.
func (c *column) ranked(ctx context.Context) (*column, error) {
	if c.strs == nil || c.n < 1000 && c.t == value.Null {
		return c, nil
	}
	numbers := make(map[string]int32, 1024)
	ids := make([]int32, c.n)
	var words []string
	for i, s := range c.strs {
		if i&(1<<15-1) == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if c.null != nil && c.null[i] {
			continue
		}
		id, ok := numbers[s]
		if !ok {
			id = int32(len(words))
			numbers[s] = id
			if c.t != value.Null {
				s = value.SortKey(value.Value{T: c.t, S: s})
			}
			words = append(words, s)
		}
		ids[i] = id
	}
	byWord := make([]int32, len(words))
	for i := range byWord {
		byWord[i] = int32(i)
	}
	err := sortFunc(ctx, byWord, func(i, j int32) int {
		return strings.Compare(words[i], words[j])
	})
	if err != nil {
		return nil, err
	}
	rank := make([]int64, len(words))
	for r, i := range byWord {
		rank[i] = int64(r)
		if r > 0 && words[i] == words[byWord[r-1]] { // texts of one value
			rank[i] = rank[byWord[r-1]]
		}
	}
	out := &column{desc: c.desc, nullsFirst: c.nullsFirst, n: c.n, null: c.null, ints: make([]int64, c.n)}
	for i, id := range ids {
		if c.null == nil || !c.null[i] {
			out.ints[i] = rank[id]
		}
	}
	return out, nil
}

// sortRows sorts by the columns, then by row. Rows are first ordered by as many leading
// columns of integers as fit into one word, so that most comparisons are of one number.
func sortRows(ctx context.Context, cols []*column, idx []int32) error {
	packed, rest := pack(cols, len(idx))
	if packed == nil {
		return sortFunc(ctx, idx, func(i, j int32) int { return compareRows(cols, i, j) })
	}
	type entry struct {
		key uint64
		row int32
	}
	entries := make([]entry, len(idx))
	for k, i := range idx {
		entries[k] = entry{packed[i], i}
	}
	err := sortFunc(ctx, entries, func(a, b entry) int {
		switch {
		case a.key < b.key:
			return -1
		case a.key > b.key:
			return 1
		}
		return compareRows(rest, a.row, b.row)
	})
	for k := range entries {
		idx[k] = entries[k].row
	}
	return err
}

func compareRows(cols []*column, i, j int32) int {
	for _, c := range cols {
		if r := c.compare(i, j); r != 0 {
			return r
		}
	}
	return int(i - j)
}

// pack lays leading columns of integers side by side in one word a row, in the order of the
// sort, and returns the columns that did not fit.
func pack(cols []*column, n int) (packed []uint64, rest []*column) {
	free := 64
	for k, c := range cols {
		low, span, ok := c.span()
		bits := 0
		for ; bits < 64 && span>>bits != 0; bits++ {
		}
		if !ok || bits > free {
			return packed, cols[k:]
		}
		if packed == nil {
			packed = make([]uint64, n)
		}
		free -= bits
		for i := range packed {
			packed[i] = packed[i]<<bits | c.code(i, low, span)
		}
	}
	return packed, nil
}

// span returns the least integer and how far the codes of the others reach from it, with one
// code for NULL.
func (c *column) span() (low int64, span uint64, ok bool) {
	if c.ints == nil {
		return 0, 0, false
	}
	low, high, any := int64(0), int64(0), false
	for i, x := range c.ints {
		if c.null != nil && c.null[i] {
			continue
		}
		if !any {
			low, high, any = x, x, true
		}
		low, high = min(low, x), max(high, x)
	}
	span = uint64(high) - uint64(low)
	if c.null != nil {
		if span+1 == 0 {
			return 0, 0, false
		}
		span++
	}
	return low, span, true
}

// code is the place of row i among the codes 0 to span in the order of the sort.
func (c *column) code(i int, low int64, span uint64) uint64 {
	shift := uint64(0)
	if c.null != nil {
		if c.null[i] {
			if c.nullsFirst {
				return 0
			}
			return span
		}
		if c.nullsFirst {
			shift = 1
		}
		span--
	}
	x := uint64(c.ints[i]) - uint64(low)
	if c.desc {
		x = span - x
	}
	return x + shift
}

package operator

import (
	"context"
	"slices"
	"strings"

	"parlance/query/turn"
	"parlance/storage/value"
)

// sortFunc sorts a list. It returns the error of the context if that ends, with the list in no order.
func sortFunc[T any](ctx context.Context, list []T, compare func(a, b T) int) error {
	return sortWith(ctx, list, compare, slices.SortFunc)
}

// sortStable is sortFunc, with equal elements in their order.
func sortStable[T any](ctx context.Context, list []T, compare func(a, b T) int) error {
	return sortWith(ctx, list, compare, slices.SortStableFunc)
}

func sortWith[T any](ctx context.Context, list []T, compare func(a, b T) int,
	sort func([]T, func(a, b T) int)) (err error) {
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
		if steps++; steps&(1<<15-1) == 0 && turn.Err(ctx) != nil {
			panic(stopped{})
		}
		return compare(a, b)
	})
	return nil
}

// sortedOrder returns the numbers of the rows, 0 to n-1, in the order of the columns. Equal rows keep their order.
func sortedOrder(ctx context.Context, cols []*column, n int) ([]int32, error) {
	idx := make([]int32, n)
	for i := range idx {
		idx[i] = int32(i)
	}
	keys := make([]*column, len(cols))
	for i, c := range cols {
		var err error
		if keys[i], err = c.rankEncoded(ctx); err != nil {
			return nil, err
		}
	}
	if len(keys) == 0 {
		return idx, nil
	}
	return idx, sortRows(ctx, keys, idx)
}

// rankEncoded returns a column of texts as a column of their ranks in the order of all texts, which are faster to
// compare. Other columns, and short ones, are returned as they are.
func (c *column) rankEncoded(ctx context.Context) (*column, error) {
	if c.strs == nil || c.n < 1000 && c.t == value.Null {
		return c, nil
	}
	numbers := make(map[string]int32, 1024)
	ids := make([]int32, c.n)
	var words []string
	for i, s := range c.strs {
		if i&(1<<15-1) == 0 && turn.Err(ctx) != nil {
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

// sortRows sorts row numbers by the columns, then by number. The leading columns of integers are packed into one word
// for each row, so that most comparisons are of one number.
func sortRows(ctx context.Context, cols []*column, idx []int32) error {
	packed, rest := packKeys(cols, len(idx))
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

// compareRows orders two rows by the columns, then by number.
func compareRows(cols []*column, i, j int32) int {
	for _, c := range cols {
		if r := c.compare(i, j); r != 0 {
			return r
		}
	}
	return int(i - j)
}

// packKeys packs as many leading columns of integers as fit into one word for each row, whose order is that of the
// sort. It returns the words, nil if no column fits, and the columns that are left.
func packKeys(cols []*column, n int) (packed []uint64, rest []*column) {
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
			packed[i] = packed[i]<<bits | c.keyCode(i, low, span)
		}
	}
	return packed, nil
}

// span returns the least integer of a column, and the greatest code that keyCode gives; ok is false for a column that
// is not of integers or whose codes do not fit into a word.
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

// keyCode returns a number from 0 to span for row i, so that the numbers have the order of the sort.
func (c *column) keyCode(i int, low int64, span uint64) uint64 {
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

package subtrees

import (
	"context"
	"errors"

	"parlance/algo/engine/count"
)

// entry is a subtree with its count.
type entry struct {
	key   uint64
	count uint32
}

// tally lists the keys that occur minCount times, those with the greatest counts first.
func tally(ctx context.Context, all keys, minCount int, o count.Options) (l list, err error) {
	c := count.New[uint64](o)
	defer func() { err = errors.Join(err, c.Close()) }()
	w := c.Writer(ctx)
	if err := errors.Join(all(w.Add), w.Close()); err != nil {
		return l, err
	}
	var found []entry
	err = c.Each(ctx, uint64(minCount), func(key, n uint64) bool {
		found = append(found, entry{key, uint32(n)})
		return true
	})
	if err != nil {
		return l, err
	}
	if found, err = byCount(ctx, found); err != nil {
		return l, err
	}
	l.keys, l.counts = make([]uint64, len(found)), make([]uint32, len(found))
	for i, e := range found {
		l.keys[i], l.counts[i] = e.key, e.count
	}
	return l, nil
}

// byCount sorts by falling count, stably, a byte at a time, the lowest one first.
func byCount(ctx context.Context, from []entry) ([]entry, error) {
	to := make([]entry, len(from))
	for shift := 0; shift < 32; shift += 8 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var at [257]int
		for _, e := range from {
			at[1+int(byte(^e.count>>shift))]++
		}
		if len(from) > 0 && at[1+int(byte(^from[0].count>>shift))] == len(from) {
			continue // all alike
		}
		for i := range 256 {
			at[i+1] += at[i]
		}
		for _, e := range from {
			d := byte(^e.count >> shift)
			to[at[d]] = e
			at[d]++
		}
		from, to = to, from
	}
	return from, ctx.Err()
}

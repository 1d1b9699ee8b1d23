package subtrees

import "context"

// entry is a subtree with its count.
type entry struct {
	key   uint64
	count uint32
}

// sortedAtOnce is how many keys are sorted at a time.
const sortedAtOnce = 1 << 22

// tally counts equal keys, those of a part of all values at a time; rare ones are dropped part by
// part. There are at most n keys.
func tally(ctx context.Context, all keys, n, minCount int) (list, error) {
	parts := uint64(1 + n/sortedAtOnce)
	var found []entry
	var chunk []uint64
	for part := range parts {
		chunk = chunk[:0]
		all(func(k uint64) {
			if parts == 1 || k*0x9E3779B97F4A7C15>>32%parts == part {
				chunk = append(chunk, k)
			}
		})
		if err := radix(ctx, chunk, 8, func(k uint64) uint64 { return k }); err != nil {
			return list{}, err
		}
		for i := 0; i < len(chunk); {
			k := i + 1
			for k < len(chunk) && chunk[k] == chunk[i] {
				k++
			}
			if k-i >= minCount {
				found = append(found, entry{chunk[i], uint32(k - i)})
			}
			i = k
		}
	}
	if err := radix(ctx, found, 8, func(e entry) uint64 { return e.key }); err != nil {
		return list{}, err
	}
	if err := radix(ctx, found, 4, func(e entry) uint64 { return uint64(^e.count) }); err != nil {
		return list{}, err
	}
	l := list{keys: make([]uint64, len(found)), counts: make([]uint32, len(found))}
	for i, e := range found {
		l.keys[i], l.counts[i] = e.key, e.count
	}
	return l, nil
}

// radix sorts by the lowest bytes of a key, stably, the lowest one first.
func radix[T any](ctx context.Context, a []T, bytes int, key func(T) uint64) error {
	from, to := a, make([]T, len(a))
	for b := range bytes {
		if err := ctx.Err(); err != nil {
			return err
		}
		var at [257]int
		for _, x := range from {
			at[1+int(byte(key(x)>>(8*b)))]++
		}
		if len(from) > 0 && at[1+int(byte(key(from[0])>>(8*b)))] == len(from) {
			continue // all alike
		}
		for i := range 256 {
			at[i+1] += at[i]
		}
		for _, x := range from {
			d := byte(key(x) >> (8 * b))
			to[at[d]] = x
			at[d]++
		}
		from, to = to, from
	}
	if len(a) > 0 && &from[0] != &a[0] {
		copy(a, from)
	}
	return ctx.Err()
}

package storage

// graves are documents that a change deletes or replaces: ordinals as bits, by segment.
type graves map[SegmentID][]uint64

func (g graves) add(id SegmentID, ordinal int) {
	w := g[id]
	for len(w) <= ordinal/64 {
		w = append(w, 0)
	}
	w[ordinal/64] |= 1 << (ordinal % 64)
	g[id] = w
}

func (g graves) has(id SegmentID, ordinal int) bool {
	w := g[id]
	return ordinal/64 < len(w) && w[ordinal/64]&(1<<(ordinal%64)) != 0
}

package documents

// Tombstones are the documents that a change deletes or replaces: a bitmap of ordinals for each segment.
type Tombstones map[SegmentID][]uint64

// Add adds a document.
func (g Tombstones) Add(id SegmentID, ordinal int) {
	w := g[id]
	for len(w) <= ordinal/64 {
		w = append(w, 0)
	}
	w[ordinal/64] |= 1 << (ordinal % 64)
	g[id] = w
}
